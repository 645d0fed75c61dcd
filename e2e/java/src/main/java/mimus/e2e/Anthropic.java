package mimus.e2e;

import com.anthropic.bedrock.backends.BedrockBackend;
import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.RequestOptions;
import com.anthropic.core.Sleeper;
import com.anthropic.core.Timeout;
import com.anthropic.core.http.AsyncStreamResponse;
import com.anthropic.core.http.Headers;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.errors.SseException;
import com.anthropic.models.models.ModelInfo;
import com.anthropic.models.models.ModelListPage;
import com.anthropic.models.models.ModelListPageAsync;
import com.anthropic.models.models.ModelListParams;
import com.anthropic.vertex.backends.VertexBackend;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.regions.Region;

/** Clients of anthropic-java and of its back ends, models, and errors. */
final class Anthropic {
    static final AwsBasicCredentials AWS_CREDENTIALS = AwsBasicCredentials.create("AKIATEST", "test");

    private Anthropic() {}

    static AnthropicClient client(Client.Setting s) {
        return begin(s).baseUrl(s.url()).apiKey("sk-ant-test").build();
    }

    static AnthropicClient bedrock(Client.Setting s) {
        BedrockBackend backend = BedrockBackend.builder().awsCredentials(AWS_CREDENTIALS).region(Region.US_EAST_1).baseUrl(s.url()).build();
        return begin(s).backend(backend).build();
    }

    static AnthropicClient vertex(Client.Setting s) {
        VertexBackend backend = VertexBackend.builder().googleCredentials(googleToken()).region("us-east5").project("parcels").baseUrl(s.url() + "/v1").build();
        return begin(s).backend(backend).build();
    }

    /** googleToken stands for credentials of Google; it is valid for an hour. */
    static GoogleCredentials googleToken() {
        return GoogleCredentials.create(new AccessToken("ya29.test", new Date(System.currentTimeMillis() + 3_600_000)));
    }

    private static AnthropicOkHttpClient.Builder begin(Client.Setting s) {
        AnthropicOkHttpClient.Builder builder = AnthropicOkHttpClient.builder().putHeader(Run.HEADER, s.run());
        if (s.speed() > 1) builder.sleeper(new FastSleeper(s.speed())).timeout(Clock.faster(Timeout.builder().build().request(), s.speed()));
        return builder;
    }

    /** FastSleeper lets what the SDK waits between its tries pass faster. */
    private record FastSleeper(double speed) implements Sleeper {
        @Override
        public void sleep(Duration d) {
            Clock.sleep(Clock.faster(d, speed));
        }

        @Override
        public CompletableFuture<Void> sleepAsync(Duration d) {
            Executor later = CompletableFuture.delayedExecutor(Clock.faster(d, speed).toNanos(), TimeUnit.NANOSECONDS);
            return CompletableFuture.runAsync(() -> {}, later);
        }

        @Override
        public void close() {}
    }

    /** options give up after a turn's deadline. */
    static RequestOptions options(Ask ask) {
        return ask.deadline() == null ? RequestOptions.none() : RequestOptions.builder().timeout(ask.deadline()).build();
    }

    /** keep shows the headers of a response. */
    static void keep(Headers headers, Seen seen) {
        seen.headers = name -> headers.values(name).stream().findFirst().orElse(null);
    }

    /** read gives every event of a stream to a consumer. */
    static <T> void read(StreamResponse<T> stream, Consumer<T> each) {
        try (stream) {
            stream.stream().forEach(each);
        }
    }

    static <T> void read(AsyncStreamResponse<T> stream, Consumer<T> each) {
        stream.subscribe(each::accept);
        stream.onCompleteFuture().join();
    }

    static Seen getModel(AnthropicClient client, boolean async, Ask ask) {
        String model = ask.text("model");
        Seen seen = new Seen();
        seen.models = List.of((async ? client.async().models().retrieve(model).join() : client.models().retrieve(model)).id());
        return seen;
    }

    static Seen listModels(AnthropicClient client, boolean async, Ask ask) {
        ModelListParams.Builder builder = ModelListParams.builder();
        if (ask.has("limit")) builder.limit(ask.number("limit"));
        ModelListParams params = builder.build();
        Seen seen = new Seen();
        seen.models = new ArrayList<>();
        if (async) {
            for (ModelListPageAsync page = client.async().models().list(params).join(); page != null; page = page.hasNextPage() ? page.nextPage().join() : null) {
                seen.pages++;
                page.items().stream().map(ModelInfo::id).forEach(seen.models::add);
            }
        } else {
            for (ModelListPage page = client.models().list(params); page != null; page = page.hasNextPage() ? page.nextPage() : null) {
                seen.pages++;
                page.items().stream().map(ModelInfo::id).forEach(seen.models::add);
            }
        }
        return seen;
    }

    /** values are a JSON object in the SDK's own type. */
    static Map<String, JsonValue> values(JsonNode object) {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        object.properties().forEach(e -> values.put(e.getKey(), JsonValue.from(Json.MAPPER.convertValue(e.getValue(), Object.class))));
        return values;
    }

    /** broke adds an error of the SDK to what came before it. */
    static Seen broke(Seen before, Throwable thrown) {
        Throwable error = Symptom.unwrap(thrown);
        if (!(error instanceof AnthropicServiceException e)) return before.broke(error, null);
        boolean inStream = error instanceof SseException;
        return before.broke(error, new Seen.Failure(inStream ? 0 : e.statusCode(), e.type().map(t -> t.asString()).orElse(""),
                e.errorCode().orElse(""), "", e.apiMessage().orElse(""), inStream));
    }
}
