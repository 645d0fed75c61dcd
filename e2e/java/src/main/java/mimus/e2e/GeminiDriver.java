package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.genai.AsyncChat;
import com.google.genai.Chat;
import com.google.genai.ResponseStream;
import com.google.genai.errors.ApiException;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.Part;
import com.google.genai.types.ThinkingConfig;
import com.google.genai.types.ThinkingLevel;
import com.google.genai.types.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Speaks the Gemini API, of AI Studio and of Vertex, with google-genai. The SDK's chats keep the conversation. */
final class GeminiDriver implements Driver {
    private final Client.Setting setting;
    private final com.google.genai.Client client;
    private Chat chat;
    private AsyncChat asyncChat;
    private List<Seen.Call> calls = List.of();

    GeminiDriver(Client.Setting setting, com.google.genai.Client client) {
        this.setting = setting;
        this.client = client;
    }

    static com.google.genai.Client studio(Client.Setting s) {
        return com.google.genai.Client.builder().apiKey("AIzaTest").httpOptions(options(s)).build();
    }

    static com.google.genai.Client vertex(Client.Setting s) {
        return com.google.genai.Client.builder().vertexAI(true).project("parcels").location("us-central1")
                .credentials(Anthropic.googleToken()).httpOptions(options(s)).build();
    }

    private static HttpOptions options(Client.Setting s) {
        return HttpOptions.builder().baseUrl(s.url()).headers(Map.of(Run.HEADER, s.run())).build();
    }

    @Override
    public Driver again() {
        return new GeminiDriver(setting, client);
    }

    @Override
    public void close() {
        client.close();
    }

    /** message is what a turn says: the results of the last calls, and then the user's text. */
    private Content message(Ask ask) {
        List<Part> parts = new ArrayList<>();
        List<String> results = ask.texts("results");
        for (int i = 0; i < results.size(); i++) {
            FunctionResponse.Builder result = FunctionResponse.builder().name(calls.get(i).name()).response(Map.of("output", results.get(i)));
            if (calls.get(i).id() != null) result.id(calls.get(i).id());
            parts.add(Part.builder().functionResponse(result.build()).build());
        }
        if (ask.has("user")) parts.add(Part.fromText(ask.text("user")));
        return Content.builder().role("user").parts(parts).build();
    }

    private GenerateContentConfig config(Ask ask) {
        GenerateContentConfig.Builder config = GenerateContentConfig.builder();
        // The deadline of one request takes the place of none.
        if (ask.deadline() != null) config.httpOptions(HttpOptions.builder().timeout((int) ask.deadline().toMillis()).build());
        if (ask.has("system")) config.systemInstruction(Content.fromParts(Part.fromText(ask.text("system"))));
        if (ask.has("maxTokens")) config.maxOutputTokens(ask.number("maxTokens"));
        if (ask.has("stop")) config.stopSequences(ask.texts("stop"));
        if (ask.has("choices")) config.candidateCount(ask.number("choices"));
        if (ask.has("logprobs")) config.responseLogprobs(true).logprobs(ask.number("logprobs"));
        if (ask.has("reasoning")) {
            ThinkingLevel level = new ThinkingLevel(ask.text("reasoning").toUpperCase(Locale.ROOT));
            config.thinkingConfig(ThinkingConfig.builder().includeThoughts(true).thinkingLevel(level).build());
        }
        if (ask.has("schema")) config.responseMimeType("application/json").responseJsonSchema(Json.map(setting.book().schema(ask.text("schema"))));
        if (ask.has("tools")) config.tools(List.of(Tool.builder().functionDeclarations(ask.texts("tools").stream().map(this::tool).toList()).build()));
        return config.build();
    }

    private FunctionDeclaration tool(String name) {
        JsonNode tool = setting.book().tool(name);
        return FunctionDeclaration.builder().name(name).description(tool.path("description").asText()).parametersJsonSchema(Json.map(tool.path("parameters"))).build();
    }

    private void begin(Ask ask) {
        if (setting.async() && asyncChat == null) asyncChat = client.async.chats.create(setting.model(ask));
        if (!setting.async() && chat == null) chat = client.chats.create(setting.model(ask));
    }

    @Override
    public Seen whole(Ask ask) {
        try {
            if (ask.has("op")) return new GeminiOperations(setting, client).other(ask);
            begin(ask);
            return read(List.of(setting.async() ? asyncChat.sendMessage(message(ask), config(ask)).join() : chat.sendMessage(message(ask), config(ask))));
        } catch (RuntimeException e) {
            return broke(new Seen(), e, false);
        }
    }

    @Override
    public Seen stream(Ask ask) {
        List<GenerateContentResponse> chunks = new ArrayList<>();
        boolean opened = false;
        try {
            begin(ask);
            try (ResponseStream<GenerateContentResponse> stream = setting.async()
                    ? asyncChat.sendMessageStream(message(ask), config(ask)).join() : chat.sendMessageStream(message(ask), config(ask))) {
                opened = true;
                for (GenerateContentResponse chunk : stream) chunks.add(chunk);
            }
            return read(chunks);
        } catch (RuntimeException e) {
            return broke(read(chunks), e, opened);
        }
    }

    /** read puts chunks together; a whole answer is one. */
    private Seen read(List<GenerateContentResponse> chunks) {
        Seen seen = GeminiReader.read(chunks);
        calls = seen.choices.isEmpty() ? List.of() : seen.choices.get(0).calls;
        return seen;
    }

    /**
     * broke adds an error. Of what the provider said the SDK keeps the status, its name and the message; the asynchronous
     * client wraps it in one that says that something went wrong.
     */
    private static Seen broke(Seen before, Throwable thrown, boolean inStream) {
        Throwable error = Symptom.unwrap(thrown);
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof ApiException said) return before.broke(error, new Seen.Failure(said.code(), "", said.status(), "", said.message(), inStream));
        }
        return before.broke(error, null);
    }
}
