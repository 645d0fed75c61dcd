package mimus.e2e;

import com.anthropic.client.AnthropicClient;
import com.anthropic.core.RequestOptions;
import com.anthropic.core.http.Headers;
import com.anthropic.core.http.HttpResponseFor;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.MessageParam;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.StructuredMessage;
import com.anthropic.models.messages.StructuredMessageCreateParams;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Speaks Messages with anthropic-java, and with its back ends for Vertex and Bedrock. */
final class MessagesDriver implements Driver {
    private final Client.Setting setting;
    private final AnthropicClient client;
    private final List<MessageParam> messages = new ArrayList<>();
    private Message last;

    MessagesDriver(Client.Setting setting, AnthropicClient client) {
        this.setting = setting;
        this.client = client;
    }

    @Override
    public Driver again() {
        return new MessagesDriver(setting, client);
    }

    @Override
    public void close() {
        client.close();
    }

    /** params adds what a turn says to the conversation, and gives the whole request. */
    private MessageCreateParams.Builder params(Ask ask) {
        say(ask);
        MessageCreateParams.Builder params = MessageCreateParams.builder().model(setting.model(ask)).messages(messages);
        params.maxTokens(ask.has("maxTokens") ? ask.number("maxTokens") : 4096);
        if (ask.has("system")) params.system(ask.text("system"));
        if (ask.has("stop")) params.stopSequences(ask.texts("stop"));
        if (ask.has("reasoning")) params.enabledThinking(1024);
        for (String name : ask.texts("tools")) params.addTool(tool(name));
        return params;
    }

    /** say puts the results of the last calls and what the user says into one message, the results first. */
    private void say(Ask ask) {
        List<ContentBlockParam> content = new ArrayList<>();
        List<String> results = ask.texts("results");
        if (!results.isEmpty()) {
            List<ToolUseBlock> calls = last.content().stream().flatMap(block -> block.toolUse().stream()).toList();
            for (int i = 0; i < results.size(); i++) {
                content.add(ContentBlockParam.ofToolResult(ToolResultBlockParam.builder().toolUseId(calls.get(i).id()).content(results.get(i)).build()));
            }
        }
        if (ask.has("user")) content.add(ContentBlockParam.ofText(ask.text("user")));
        messages.add(MessageParam.ofUserOfContentBlockParams(content));
    }

    private Tool tool(String name) {
        JsonNode tool = setting.book().tool(name);
        JsonNode parameters = tool.path("parameters");
        Tool.InputSchema schema = Tool.InputSchema.builder()
                .properties(Tool.InputSchema.Properties.builder().putAllAdditionalProperties(Anthropic.values(parameters.path("properties"))).build())
                .required(Json.texts(parameters.path("required"))).build();
        return Tool.builder().name(name).description(tool.path("description").asText()).inputSchema(schema).build();
    }

    @Override
    public Seen whole(Ask ask) {
        RequestOptions options = Anthropic.options(ask);
        try {
            if (ask.has("op")) return other(ask);
            if (ask.has("schema")) return readTyped(create(params(ask).outputConfig(Parcel.class).build(), options));
            HttpResponseFor<Message> response = setting.async()
                    ? client.async().messages().withRawResponse().create(params(ask).build(), options).join()
                    : client.messages().withRawResponse().create(params(ask).build(), options);
            Seen seen = read(response.parse());
            Anthropic.keep(response.headers(), seen);
            return seen;
        } catch (RuntimeException e) {
            return Anthropic.broke(new Seen(), e);
        }
    }

    private StructuredMessage<Parcel> create(StructuredMessageCreateParams<Parcel> params, RequestOptions options) {
        return setting.async() ? client.async().messages().create(params, options).join() : client.messages().create(params, options);
    }

    /** other does what is no message: counting tokens, and models. */
    private Seen other(Ask ask) {
        if (ask.is("get_model")) return Anthropic.getModel(client, setting.async(), ask);
        if (ask.is("list_models")) return Anthropic.listModels(client, setting.async(), ask);
        if (!ask.is("count_tokens")) return Seen.symptom("the driver knows no operation " + ask.text("op"));
        say(ask);
        MessageCountTokensParams.Builder params = MessageCountTokensParams.builder().model(setting.model(ask)).messages(messages);
        if (ask.has("system")) params.system(ask.text("system"));
        for (String name : ask.texts("tools")) params.addTool(tool(name));
        Seen seen = new Seen();
        seen.tokens = (setting.async() ? client.async().messages().countTokens(params.build()).join()
                : client.messages().countTokens(params.build())).inputTokens();
        return seen;
    }

    @Override
    public Seen stream(Ask ask) {
        MessageAccumulator accumulator = MessageAccumulator.create();
        Seen partial = new Seen();
        partial.choices.add(new Seen.Choice());
        List<Headers> headers = new ArrayList<>();
        Consumer<RawMessageStreamEvent> each = event -> {
            event.messageStart().ifPresent(start -> partial.id = start.message().id());
            event.contentBlockDelta().flatMap(delta -> delta.delta().text()).ifPresent(text -> partial.choices.get(0).text += text.text());
            accumulator.accumulate(event);
        };
        try {
            MessageCreateParams.Builder builder = params(ask);
            MessageCreateParams params = ask.has("schema") ? builder.outputConfig(Parcel.class).build().rawParams() : builder.build();
            RequestOptions options = Anthropic.options(ask);
            if (setting.async()) {
                Anthropic.read(client.async().messages().createStreaming(params, options), each);
            } else {
                HttpResponseFor<StreamResponse<RawMessageStreamEvent>> response = client.messages().withRawResponse().createStreaming(params, options);
                headers.add(response.headers());
                Anthropic.read(response.parse(), each);
            }
            Seen seen = ask.has("schema") ? readTyped(accumulator.message(Parcel.class)) : read(accumulator.message());
            headers.forEach(h -> Anthropic.keep(h, seen));
            return seen;
        } catch (RuntimeException e) {
            return Anthropic.broke(partial, e);
        }
    }

    private Seen readTyped(StructuredMessage<Parcel> message) {
        Seen seen = read(message.rawMessage());
        message.content().forEach(block -> block.text().ifPresent(text -> seen.choices.get(0).parsed = Json.of(text.text())));
        return seen;
    }

    /** read takes a message apart, and remembers it for the next turn. */
    private Seen read(Message message) {
        last = message;
        if (!message.content().isEmpty()) messages.add(message.toParam());
        Seen seen = new Seen();
        seen.id = message.id();
        seen.model = message.model().asString();
        Seen.Choice choice = new Seen.Choice();
        choice.parts = new ArrayList<>();
        choice.finish = message.stopReason().map(r -> r.asString()).orElse("");
        choice.sequence = message.stopSequence().orElse("");
        message.content().forEach(block -> add(choice, block));
        seen.choices.add(choice);
        long cacheRead = message.usage().cacheReadInputTokens().orElse(0L);
        long cacheWrite = message.usage().cacheCreationInputTokens().orElse(0L);
        long thinking = message.usage().outputTokensDetails().map(d -> d.thinkingTokens()).orElse(0L);
        return seen.usage(message.usage().inputTokens() + cacheRead + cacheWrite, message.usage().outputTokens(), thinking, cacheRead, cacheWrite);
    }

    private static void add(Seen.Choice choice, ContentBlock block) {
        block.text().ifPresent(text -> {
            choice.text += text.text();
            choice.part("text", false);
        });
        block.toolUse().ifPresent(call -> {
            choice.calls.add(new Seen.Call(call.id(), call.name(), Json.of(call._input().convert(Object.class)), false));
            choice.part("call", false);
        });
        block.thinking().ifPresent(thinking -> {
            choice.reasoning += thinking.thinking();
            choice.signature |= !thinking.signature().isEmpty();
            choice.part("reasoning", false);
        });
        block.redactedThinking().ifPresent(redacted -> {
            choice.signature |= !redacted.data().isEmpty();
            choice.redacted = true;
            choice.part("reasoning", false);
        });
    }
}
