package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeAsyncClient;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClient;
import software.amazon.awssdk.services.bedrockruntime.model.ContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.ConversationRole;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseRequest;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseResponse;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseStreamRequest;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseStreamResponseHandler;
import software.amazon.awssdk.services.bedrockruntime.model.CountTokensInput;
import software.amazon.awssdk.services.bedrockruntime.model.CountTokensRequest;
import software.amazon.awssdk.services.bedrockruntime.model.InvokeModelRequest;
import software.amazon.awssdk.services.bedrockruntime.model.InvokeModelResponse;
import software.amazon.awssdk.services.bedrockruntime.model.JsonSchemaDefinition;
import software.amazon.awssdk.services.bedrockruntime.model.Message;
import software.amazon.awssdk.services.bedrockruntime.model.OutputFormatStructure;
import software.amazon.awssdk.services.bedrockruntime.model.OutputFormatType;
import software.amazon.awssdk.services.bedrockruntime.model.SystemContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.Tool;
import software.amazon.awssdk.services.bedrockruntime.model.ToolInputSchema;
import software.amazon.awssdk.services.bedrockruntime.model.ToolResultContentBlock;

/** Speaks Bedrock's Converse with the AWS SDK. Only its asynchronous client has streams, and puts none together; the driver does. */
final class ConverseDriver implements Driver {
    private final Client.Setting setting;
    private final BedrockRuntimeClient client;
    private final BedrockRuntimeAsyncClient asyncClient;
    private final List<Message> messages = new ArrayList<>();
    private List<Seen.Call> calls = List.of();

    ConverseDriver(Client.Setting setting, BedrockRuntimeClient client, BedrockRuntimeAsyncClient asyncClient) {
        this.setting = setting;
        this.client = client;
        this.asyncClient = asyncClient;
    }

    static Driver of(Client.Setting s) {
        return new ConverseDriver(s, s.async() ? null : Aws.client(s), s.async() ? Aws.asyncClient(s) : null);
    }

    @Override
    public Driver again() {
        return new ConverseDriver(setting, client, asyncClient);
    }

    @Override
    public void close() {
        if (client != null) client.close();
        if (asyncClient != null) asyncClient.close();
    }

    /** request adds what a turn says to the conversation, and gives the whole request. */
    private ConverseRequest request(Ask ask) {
        say(ask);
        ConverseRequest.Builder request = ConverseRequest.builder().modelId(setting.model(ask)).messages(messages);
        request.overrideConfiguration(options -> Aws.options(ask, options));
        if (ask.has("system")) request.system(SystemContentBlock.fromText(ask.text("system")));
        request.inferenceConfig(config -> {
            if (ask.has("maxTokens")) config.maxTokens(ask.number("maxTokens"));
            if (ask.has("stop")) config.stopSequences(ask.texts("stop"));
        });
        if (ask.has("stop")) request.additionalModelResponseFieldPaths("/stop_sequence");
        if (ask.has("reasoning")) {
            request.additionalModelRequestFields(Aws.document(Json.of(Map.of("thinking", Map.of("type", "enabled", "budget_tokens", 1024)))));
        }
        if (ask.has("schema")) {
            String schema = setting.book().schema(ask.text("schema")).toString();
            JsonSchemaDefinition definition = JsonSchemaDefinition.builder().name(ask.text("schema")).schema(schema).build();
            request.outputConfig(o -> o.textFormat(f -> f.type(OutputFormatType.JSON_SCHEMA).structure(OutputFormatStructure.fromJsonSchema(definition))));
        }
        if (ask.has("tools")) request.toolConfig(config -> config.tools(ask.texts("tools").stream().map(this::tool).toList()));
        return request.build();
    }

    /** say puts the results of the last calls and what the user says into one message, the results first. */
    private void say(Ask ask) {
        List<ContentBlock> content = new ArrayList<>();
        List<String> results = ask.texts("results");
        for (int i = 0; i < results.size(); i++) {
            String id = calls.get(i).id();
            ToolResultContentBlock text = ToolResultContentBlock.fromText(results.get(i));
            content.add(ContentBlock.fromToolResult(result -> result.toolUseId(id).content(text)));
        }
        if (ask.has("user")) content.add(ContentBlock.fromText(ask.text("user")));
        messages.add(Message.builder().role(ConversationRole.USER).content(content).build());
    }

    private Tool tool(String name) {
        JsonNode tool = setting.book().tool(name);
        ToolInputSchema schema = ToolInputSchema.fromJson(Aws.document(tool.path("parameters")));
        return Tool.fromToolSpec(spec -> spec.name(name).description(tool.path("description").asText()).inputSchema(schema));
    }

    @Override
    public Seen whole(Ask ask) {
        try {
            if (ask.has("op")) return other(ask);
            ConverseRequest request = request(ask);
            ConverseResponse response = setting.async() ? asyncClient.converse(request).join() : client.converse(request);
            Seen seen = keep(request, response.output().message(), response.stopReasonAsString());
            seen.id = response.responseMetadata().requestId();
            Aws.keep(response.sdkHttpResponse(), seen);
            ConverseReader.addUsage(seen, response.usage());
            ConverseReader.addSequence(seen, response.additionalModelResponseFields());
            return seen;
        } catch (RuntimeException e) {
            return Aws.broke(new Seen(), e, false);
        }
    }

    @Override
    public Seen stream(Ask ask) {
        ConverseStream stream = new ConverseStream();
        ConverseRequest request = request(ask);
        RuntimeException broke = null;
        try {
            asyncClient.converseStream(streamed(request), ConverseStreamResponseHandler.builder()
                    .onResponse(stream::opened).subscriber(stream.visitor()).build()).join();
        } catch (RuntimeException e) {
            broke = e;
        }
        Seen seen = stream.isOpen() ? keep(request, stream.message(), stream.stopReason()) : new Seen();
        stream.addTo(seen);
        return broke == null ? seen : Aws.broke(seen, broke, stream.isOpen());
    }

    private static ConverseStreamRequest streamed(ConverseRequest r) {
        return ConverseStreamRequest.builder().modelId(r.modelId()).messages(r.messages()).system(r.system()).inferenceConfig(r.inferenceConfig())
                .additionalModelResponseFieldPaths(r.additionalModelResponseFieldPaths()).additionalModelRequestFields(r.additionalModelRequestFields())
                .outputConfig(r.outputConfig()).toolConfig(r.toolConfig()).overrideConfiguration(r.overrideConfiguration().orElseThrow()).build();
    }

    /** keep tells of a message, and remembers it for the next turn. What Converse does not say of the model, the request did. */
    private Seen keep(ConverseRequest request, Message message, String stopReason) {
        if (!message.content().isEmpty()) messages.add(message);
        Seen seen = new Seen();
        seen.model = request.modelId();
        seen.choices.add(ConverseReader.choice(message, stopReason));
        calls = seen.choices.get(0).calls;
        return seen;
    }

    /** other does what is no answer of a model: counting tokens, and embeddings. */
    private Seen other(Ask ask) {
        Seen seen = new Seen();
        if (ask.is("count_tokens")) {
            say(ask);
            CountTokensInput input = CountTokensInput.fromConverse(c -> c.messages(messages).system(SystemContentBlock.fromText(ask.text("system"))));
            CountTokensRequest request = CountTokensRequest.builder().modelId(setting.model(ask)).input(input).build();
            seen.tokens = (setting.async() ? asyncClient.countTokens(request).join() : client.countTokens(request)).inputTokens();
            return seen;
        }
        if (!ask.is("embed")) return Seen.symptom("the driver knows no operation " + ask.text("op"));
        SdkBytes body = SdkBytes.fromUtf8String(Json.of(Map.of("inputText", ask.text("user"))).toString());
        InvokeModelRequest request = InvokeModelRequest.builder().modelId(setting.embeddingModel(ask)).contentType("application/json").body(body).build();
        InvokeModelResponse response = setting.async() ? asyncClient.invokeModel(request).join() : client.invokeModel(request);
        seen.vectors = Json.of(List.of(Json.parse(response.body().asUtf8String()).path("embedding")));
        return seen;
    }
}
