package mimus.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** The clients under test: each SDK for each endpoint that it speaks, blocking and asynchronous. */
final class Clients {
    private static final Properties VERSIONS = versions();

    private Clients() {}

    static List<Client> all() {
        List<Client> all = new ArrayList<>();
        both(all, "openai.chat", "openai-java", "http1", s -> new ChatDriver(s, OpenAI.client(s)));
        both(all, "openai.responses", "openai-java", "http1", s -> new ResponsesDriver(s, OpenAI.client(s)));
        both(all, "azure.chat", "openai-java", "http1", s -> new ChatDriver(s, OpenAI.azure(s)));
        both(all, "azure.responses", "openai-java", "http1", s -> new ResponsesDriver(s, OpenAI.azureV1(s)));
        both(all, "anthropic.messages", "anthropic-java", "http1", s -> new MessagesDriver(s, Anthropic.client(s)));
        both(all, "bedrock.messages", "anthropic-java-bedrock", "http1", s -> new MessagesDriver(s, Anthropic.bedrock(s)));
        both(all, "vertex.messages", "anthropic-java-vertex", "http1", s -> new MessagesDriver(s, Anthropic.vertex(s)));
        both(all, "gemini.generate", "google-genai", "http1", s -> new GeminiDriver(s, GeminiDriver.studio(s)));
        both(all, "aiplatform.generate", "google-genai", "http1", s -> new GeminiDriver(s, GeminiDriver.vertex(s)));
        all.add(new Client("bedrock.converse", "bedrockruntime", VERSIONS.getProperty("bedrockruntime"), false, "http1", ConverseDriver::of,
                "the SDK's blocking client has no streams"));
        all.add(new Client("bedrock.converse", "bedrockruntime", VERSIONS.getProperty("bedrockruntime"), true, "http2", ConverseDriver::of, null));
        return all;
    }

    private static void both(List<Client> all, String endpoint, String sdk, String protocol, Client.Maker driver) {
        for (boolean async : List.of(false, true)) all.add(new Client(endpoint, sdk, VERSIONS.getProperty(sdk), async, protocol, driver, null));
    }

    /** versions are those that the build was made with, by the name of the SDK. */
    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream in = Clients.class.getResourceAsStream("/versions.properties")) {
            versions.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("versions.properties cannot be read", e);
        }
        return versions;
    }
}
