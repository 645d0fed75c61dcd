package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.document.Document;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeAsyncClient;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeAsyncClientBuilder;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeBaseClientBuilder;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClient;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClientBuilder;

/** Clients of the AWS SDK, its documents, and its errors. */
final class Aws {
    private Aws() {}

    static BedrockRuntimeClient client(Client.Setting s) {
        BedrockRuntimeClientBuilder builder = begin(BedrockRuntimeClient.builder(), s);
        if (s.speed() > 1) builder.httpClientBuilder(Apache5HttpClient.builder().socketTimeout(readTimeout(s)));
        return builder.build();
    }

    static BedrockRuntimeAsyncClient asyncClient(Client.Setting s) {
        BedrockRuntimeAsyncClientBuilder builder = begin(BedrockRuntimeAsyncClient.builder(), s);
        if (s.speed() > 1) builder.httpClientBuilder(NettyNioAsyncHttpClient.builder().readTimeout(readTimeout(s)));
        return builder.build();
    }

    private static <B extends BedrockRuntimeBaseClientBuilder<B, C>, C> B begin(B builder, Client.Setting s) {
        return builder.region(Region.US_EAST_1).endpointOverride(URI.create(s.url()))
                .credentialsProvider(StaticCredentialsProvider.create(Anthropic.AWS_CREDENTIALS))
                .overrideConfiguration(c -> c.putHeader(Run.HEADER, s.run()));
    }

    /** readTimeout is the SDK's own, faster; still later than a deadline of the same length, which began before. */
    private static Duration readTimeout(Client.Setting s) {
        Duration usual = SdkHttpConfigurationOption.GLOBAL_HTTP_DEFAULTS.get(SdkHttpConfigurationOption.READ_TIMEOUT);
        return Clock.faster(usual, s.speed()).plusMillis(100);
    }

    /** options give up after a turn's deadline. */
    static void options(Ask ask, AwsRequestOverrideConfiguration.Builder options) {
        if (ask.deadline() != null) options.apiCallTimeout(ask.deadline());
    }

    /** keep shows the headers of a response. */
    static void keep(SdkHttpResponse response, Seen seen) {
        seen.headers = name -> response.firstMatchingHeader(name).orElse(null);
    }

    /** document is JSON as the SDK takes it. */
    static Document document(JsonNode node) {
        if (node.isObject()) {
            Map<String, Document> map = new LinkedHashMap<>();
            node.properties().forEach(e -> map.put(e.getKey(), document(e.getValue())));
            return Document.fromMap(map);
        }
        if (node.isArray()) {
            List<Document> list = new ArrayList<>();
            node.forEach(each -> list.add(document(each)));
            return Document.fromList(list);
        }
        if (node.isNumber()) return Document.fromNumber(node.decimalValue());
        if (node.isBoolean()) return Document.fromBoolean(node.asBoolean());
        return node.isNull() ? Document.fromNull() : Document.fromString(node.asText());
    }

    /** json is what an SDK's document holds. */
    static JsonNode json(Document document) {
        if (document.isMap()) {
            Map<String, JsonNode> map = new LinkedHashMap<>();
            document.asMap().forEach((key, value) -> map.put(key, json(value)));
            return Json.of(map);
        }
        if (document.isList()) return Json.of(document.asList().stream().map(Aws::json).toList());
        if (document.isNumber()) return Json.of(document.asNumber().bigDecimalValue());
        if (document.isBoolean()) return Json.of(document.asBoolean());
        return document.isNull() ? Json.MAPPER.nullNode() : Json.of(document.asString());
    }

    /** broke adds an error: an exception of the service's model, or the symptom of what broke. */
    static Seen broke(Seen before, Throwable thrown, boolean inStream) {
        Throwable error = Symptom.unwrap(thrown);
        if (!(error instanceof AwsServiceException e)) return before.broke(error, null);
        String code = e.awsErrorDetails() == null ? "" : e.awsErrorDetails().errorCode();
        String message = e.awsErrorDetails() == null ? e.getMessage() : e.awsErrorDetails().errorMessage();
        return before.broke(error, new Seen.Failure(inStream ? 0 : e.statusCode(), "", code, "", message, inStream));
    }
}
