package mimus.e2e;

import com.openai.azure.AzureOpenAIServiceVersion;
import com.openai.azure.AzureUrlPathMode;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.RequestOptions;
import com.openai.core.Sleeper;
import com.openai.core.Timeout;
import com.openai.core.http.AsyncStreamResponse;
import com.openai.core.http.Headers;
import com.openai.core.http.StreamResponse;
import com.openai.azure.credential.AzureApiKeyCredential;
import com.openai.errors.OpenAIInvalidDataException;
import com.openai.errors.OpenAIServiceException;
import com.openai.errors.SseException;
import com.openai.models.models.Model;
import com.openai.models.models.ModelListPage;
import com.openai.models.models.ModelListPageAsync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the drivers of Chat Completions and of Responses have in common: clients, models, and errors. */
final class OpenAI {
    private OpenAI() {}

    static OpenAIClient client(Client.Setting s) {
        return begin(s).baseUrl(s.url() + "/as/openai/v1").apiKey("sk-test").build();
    }

    /** azure is a client of the paths with deployments. */
    static OpenAIClient azure(Client.Setting s) {
        return begin(s).baseUrl(s.url() + "/as/azure").credential(AzureApiKeyCredential.create("0123456789abcdef"))
                .azureUrlPathMode(AzureUrlPathMode.LEGACY).azureServiceVersion(AzureOpenAIServiceVersion.fromString("2024-10-21")).build();
    }

    /** azureV1 is a client of the paths that need no api-version. */
    static OpenAIClient azureV1(Client.Setting s) {
        return begin(s).baseUrl(s.url() + "/as/azure/openai/v1").credential(AzureApiKeyCredential.create("0123456789abcdef")).build();
    }

    private static OpenAIOkHttpClient.Builder begin(Client.Setting s) {
        OpenAIOkHttpClient.Builder builder = OpenAIOkHttpClient.builder().putHeader(Run.HEADER, s.run());
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

    /** models answers the operations on models; null, where the turn asks for something else. */
    static Seen models(OpenAIClient client, boolean async, Ask ask) {
        Seen seen = new Seen();
        if (ask.is("get_model")) {
            String model = ask.text("model");
            seen.models = List.of((async ? client.async().models().retrieve(model).join() : client.models().retrieve(model)).id());
            return seen;
        }
        if (!ask.is("list_models")) return null;
        seen.models = new ArrayList<>();
        if (async) {
            for (ModelListPageAsync page = client.async().models().list().join(); page != null; page = page.hasNextPage() ? page.nextPage().join() : null) {
                seen.pages++;
                page.items().stream().map(Model::id).forEach(seen.models::add);
            }
        } else {
            for (ModelListPage page = client.models().list(); page != null; page = page.hasNextPage() ? page.nextPage() : null) {
                seen.pages++;
                page.items().stream().map(Model::id).forEach(seen.models::add);
            }
        }
        return seen;
    }

    /** values are a JSON object in the SDK's own type. */
    static Map<String, JsonValue> values(com.fasterxml.jackson.databind.JsonNode object) {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        object.properties().forEach(e -> values.put(e.getKey(), JsonValue.from(Json.MAPPER.convertValue(e.getValue(), Object.class))));
        return values;
    }

    /** broke adds an error of the SDK to what came before it. */
    static Seen broke(Seen before, Throwable thrown) {
        Throwable error = Symptom.unwrap(thrown);
        if (!(error instanceof OpenAIServiceException e)) return before.broke(error, null);
        boolean inStream = error instanceof SseException;
        return before.broke(error, new Seen.Failure(inStream ? 0 : e.statusCode(), text(e::type), text(e::code), text(e::param), message(e), inStream));
    }

    /** text is a field of an error. Where the body has an error without that field, the SDK cannot read it. */
    private static String text(Supplier<Optional<String>> field) {
        try {
            return field.get().orElse("");
        } catch (OpenAIInvalidDataException e) {
            return "";
        }
    }

    /** message is what the body says, which is the error object itself; the SDK's own message has the status before it. */
    private static String message(OpenAIServiceException e) {
        return e.body().isMissing() ? "" : Json.of(e.body().convert(Object.class)).path("message").asText("");
    }
}
