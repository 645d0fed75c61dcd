package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.core.RequestOptions;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpResponseFor;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.ReasoningEffort;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionCustomTool;
import com.openai.models.chat.completions.ChatCompletionFunctionMessageParam;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionMessageParam;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionSystemMessageParam;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.chat.completions.ChatCompletionUserMessageParam;
import com.openai.models.chat.completions.StructuredChatCompletion;
import com.openai.models.chat.completions.StructuredChatCompletionCreateParams;
import com.openai.models.completions.CompletionUsage;
import com.openai.models.embeddings.CreateEmbeddingResponse;
import com.openai.models.embeddings.EmbeddingCreateParams;
import java.util.ArrayList;
import java.util.List;

/** Speaks Chat Completions with openai-java. */
final class ChatDriver implements Driver {
    private final Client.Setting setting;
    private final OpenAIClient client;
    private final List<ChatCompletionMessageParam> messages = new ArrayList<>();
    private ChatCompletionMessage last;

    ChatDriver(Client.Setting setting, OpenAIClient client) {
        this.setting = setting;
        this.client = client;
    }

    @Override
    public Driver again() {
        return new ChatDriver(setting, client);
    }

    @Override
    public void close() {
        client.close();
    }

    /** params adds what a turn says to the conversation, and gives the whole request. */
    private ChatCompletionCreateParams.Builder params(Ask ask) {
        say(ask);
        ChatCompletionCreateParams.Builder params = ChatCompletionCreateParams.builder().model(setting.model(ask)).messages(messages);
        if (ask.has("maxTokens")) params.maxCompletionTokens(ask.number("maxTokens"));
        if (ask.has("choices")) params.n(ask.number("choices"));
        if (ask.has("logprobs")) params.logprobs(true).topLogprobs(ask.number("logprobs"));
        if (ask.has("reasoning")) params.reasoningEffort(ReasoningEffort.of(ask.text("reasoning")));
        if (ask.has("stop")) params.stopOfStrings(ask.texts("stop"));
        for (String name : ask.texts("tools")) addTool(params, ask, name);
        return params;
    }

    private void say(Ask ask) {
        if (ask.has("system")) messages.add(ChatCompletionMessageParam.ofSystem(ChatCompletionSystemMessageParam.builder().content(ask.text("system")).build()));
        List<String> results = ask.texts("results");
        for (int i = 0; i < results.size(); i++) {
            if (ask.has("legacy")) {
                String name = last.functionCall().orElseThrow().name();
                messages.add(ChatCompletionMessageParam.ofFunction(ChatCompletionFunctionMessageParam.builder().name(name).content(results.get(i)).build()));
            } else {
                String id = last.toolCalls().orElseThrow().get(i).asFunction().id();
                messages.add(ChatCompletionMessageParam.ofTool(ChatCompletionToolMessageParam.builder().toolCallId(id).content(results.get(i)).build()));
            }
        }
        if (ask.has("user")) messages.add(ChatCompletionMessageParam.ofUser(ChatCompletionUserMessageParam.builder().content(ask.text("user")).build()));
    }

    private void addTool(ChatCompletionCreateParams.Builder params, Ask ask, String name) {
        JsonNode tool = setting.book().tool(name);
        String description = tool.path("description").asText();
        FunctionParameters parameters = FunctionParameters.builder().putAllAdditionalProperties(OpenAI.values(tool.path("parameters"))).build();
        if (tool.path("custom").asBoolean()) {
            ChatCompletionCustomTool.Custom custom = ChatCompletionCustomTool.Custom.builder().name(name).description(description).build();
            params.addTool(ChatCompletionCustomTool.builder().custom(custom).build());
        } else if (ask.has("legacy")) {
            params.addFunction(ChatCompletionCreateParams.Function.builder().name(name).description(description).parameters(parameters).build());
        } else {
            params.addFunctionTool(FunctionDefinition.builder().name(name).description(description).parameters(parameters).build());
        }
    }

    @Override
    public Seen whole(Ask ask) {
        RequestOptions options = OpenAI.options(ask);
        try {
            Seen models = OpenAI.models(client, setting.async(), ask);
            if (models != null) return models;
            if (ask.is("embed")) return embed(ask);
            if (ask.has("schema")) return readTyped(create(params(ask).responseFormat(Parcel.class).build(), options));
            HttpResponseFor<ChatCompletion> response = setting.async()
                    ? client.async().chat().completions().withRawResponse().create(params(ask).build(), options).join()
                    : client.chat().completions().withRawResponse().create(params(ask).build(), options);
            Seen seen = read(response.parse());
            OpenAI.keep(response.headers(), seen);
            return seen;
        } catch (RuntimeException e) {
            return OpenAI.broke(new Seen(), e);
        }
    }

    private StructuredChatCompletion<Parcel> create(StructuredChatCompletionCreateParams<Parcel> params, RequestOptions options) {
        if (setting.async()) return client.async().chat().completions().create(params, options).join();
        return client.chat().completions().create(params, options);
    }

    @Override
    public Seen stream(Ask ask) {
        ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
        Seen partial = new Seen();
        List<Headers> headers = new ArrayList<>();
        try {
            ChatCompletionCreateParams.Builder builder = params(ask).streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build());
            ChatCompletionCreateParams params = ask.has("schema") ? builder.responseFormat(Parcel.class).build().rawParams() : builder.build();
            RequestOptions options = OpenAI.options(ask);
            if (setting.async()) {
                OpenAI.read(client.async().chat().completions().createStreaming(params, options), chunk -> add(accumulator, partial, chunk));
            } else {
                HttpResponseFor<StreamResponse<ChatCompletionChunk>> response = client.chat().completions().withRawResponse().createStreaming(params, options);
                headers.add(response.headers());
                OpenAI.read(response.parse(), chunk -> add(accumulator, partial, chunk));
            }
            Seen seen = ask.has("schema") ? readTyped(accumulator.chatCompletion(Parcel.class)) : read(accumulator.chatCompletion());
            headers.forEach(h -> OpenAI.keep(h, seen));
            return seen;
        } catch (RuntimeException e) {
            return OpenAI.broke(partial, e);
        }
    }

    /** add keeps what one chunk tells, for the case that the last of them never comes. */
    private static void add(ChatCompletionAccumulator accumulator, Seen partial, ChatCompletionChunk chunk) {
        partial.id = chunk.id();
        if (partial.choices.isEmpty()) partial.choices.add(new Seen.Choice());
        chunk.choices().forEach(c -> partial.choices.get(0).text += c.delta().content().orElse(""));
        accumulator.accumulate(chunk);
    }

    private Seen readTyped(StructuredChatCompletion<Parcel> completion) {
        Seen seen = read(completion.rawChatCompletion());
        completion.choices().get(0).message().content().ifPresent(parcel -> seen.choices.get(0).parsed = Json.of(parcel));
        return seen;
    }

    /** read takes a completion apart, and remembers its message for the next turn. */
    private Seen read(ChatCompletion completion) {
        Seen seen = new Seen();
        seen.id = completion.id();
        seen.model = completion.model();
        for (ChatCompletion.Choice choice : completion.choices()) seen.choices.add(choice(choice));
        last = completion.choices().get(0).message();
        messages.add(ChatCompletionMessageParam.ofAssistant(last.toParam()));
        completion.usage().ifPresent(u -> addUsage(seen, u));
        return seen;
    }

    private static Seen.Choice choice(ChatCompletion.Choice from) {
        Seen.Choice choice = new Seen.Choice();
        ChatCompletionMessage message = from.message();
        choice.text = message.content().orElse("");
        choice.refusal = message.refusal().orElse("");
        choice.finish = from.finishReason().asString();
        choice.logprobs = from.logprobs().flatMap(ChatCompletion.Choice.Logprobs::content).filter(l -> !l.isEmpty()).isPresent();
        message.toolCalls().orElse(List.of()).forEach(call -> {
            call.function().ifPresent(f -> choice.calls.add(new Seen.Call(f.id(), f.function().name(), Json.of(f.function().arguments()), false)));
            call.custom().ifPresent(c -> choice.calls.add(new Seen.Call(c.id(), c.custom().name(), Json.of(c.custom().input()), true)));
        });
        message.functionCall().ifPresent(f -> choice.calls.add(new Seen.Call(null, f.name(), Json.of(f.arguments()), false)));
        return choice;
    }

    private static void addUsage(Seen seen, CompletionUsage u) {
        seen.usage(u.promptTokens(), u.completionTokens(),
                u.completionTokensDetails().flatMap(CompletionUsage.CompletionTokensDetails::reasoningTokens).orElse(0L),
                u.promptTokensDetails().flatMap(CompletionUsage.PromptTokensDetails::cachedTokens).orElse(0L),
                u.promptTokensDetails().flatMap(CompletionUsage.PromptTokensDetails::cacheWriteTokens).orElse(0L));
    }

    private Seen embed(Ask ask) {
        EmbeddingCreateParams.Builder params = EmbeddingCreateParams.builder().model(setting.embeddingModel(ask));
        if (ask.has("inputs")) params.inputOfArrayOfStrings(ask.texts("inputs"));
        else params.input(ask.text("user"));
        if (ask.has("dimensions")) params.dimensions(ask.number("dimensions"));
        CreateEmbeddingResponse got = setting.async() ? client.async().embeddings().create(params.build()).join() : client.embeddings().create(params.build());
        Seen seen = new Seen();
        seen.vectors = Json.of(got.data().stream().map(e -> e.embedding()).toList());
        return seen;
    }
}
