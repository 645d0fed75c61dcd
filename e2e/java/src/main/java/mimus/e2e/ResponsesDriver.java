package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.core.RequestOptions;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpResponseFor;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.Reasoning;
import com.openai.models.ReasoningEffort;
import com.openai.models.responses.CustomTool;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseCustomToolCallOutput;
import com.openai.models.responses.ResponseIncludable;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseRetrieveParams;
import com.openai.models.responses.ResponseStreamEvent;
import com.openai.models.responses.StructuredResponse;
import com.openai.models.responses.StructuredResponseCreateParams;
import com.openai.models.responses.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Speaks Responses with openai-java. */
final class ResponsesDriver implements Driver {
    private final Client.Setting setting;
    private final OpenAIClient client;
    private final StoredResponses stored;
    private final List<ResponseInputItem> input = new ArrayList<>();
    private Response last;

    ResponsesDriver(Client.Setting setting, OpenAIClient client) {
        this.setting = setting;
        this.client = client;
        this.stored = new StoredResponses(setting, client);
    }

    @Override
    public Driver again() {
        return new ResponsesDriver(setting, client);
    }

    @Override
    public void close() {
        client.close();
    }

    /** params adds what a turn says to the conversation. A turn that continues a stored response sends what is new only. */
    private ResponseCreateParams.Builder params(Ask ask) {
        List<ResponseInputItem> items = say(ask);
        input.addAll(items);
        ResponseCreateParams.Builder params = ResponseCreateParams.builder().model(setting.model(ask)).inputOfResponse(input);
        if (ask.has("continue")) params.previousResponseId(ask.has("id") ? ask.text("id") : last.id()).inputOfResponse(items);
        if (ask.has("system")) params.instructions(ask.text("system"));
        if (ask.has("maxTokens")) params.maxOutputTokens(ask.number("maxTokens"));
        if (ask.has("background")) params.background(true);
        if (ask.has("logprobs")) params.topLogprobs(ask.number("logprobs")).addInclude(ResponseIncludable.MESSAGE_OUTPUT_TEXT_LOGPROBS);
        if (ask.has("reasoning")) {
            params.reasoning(Reasoning.builder().effort(ReasoningEffort.of(ask.text("reasoning"))).summary(Reasoning.Summary.AUTO).build());
            params.addInclude(ResponseIncludable.REASONING_ENCRYPTED_CONTENT);
        }
        for (String name : ask.texts("tools")) params.addTool(tool(setting, name));
        return params;
    }

    private List<ResponseInputItem> say(Ask ask) {
        List<ResponseInputItem> items = new ArrayList<>();
        List<String> results = ask.texts("results");
        if (!results.isEmpty()) {
            List<ResponseOutputItem> calls = last.output().stream().filter(i -> i.isFunctionCall() || i.isCustomToolCall()).toList();
            for (int i = 0; i < results.size(); i++) items.add(result(calls.get(i), results.get(i)));
        }
        if (ask.has("user")) {
            items.add(ResponseInputItem.ofEasyInputMessage(EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content(ask.text("user")).build()));
        }
        return items;
    }

    private static ResponseInputItem result(ResponseOutputItem call, String text) {
        if (call.isCustomToolCall()) {
            String id = call.asCustomToolCall().callId();
            return ResponseInputItem.ofCustomToolCallOutput(ResponseCustomToolCallOutput.builder().callId(id).output(text).build());
        }
        return ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder().callId(call.asFunctionCall().callId()).output(text).build());
    }

    static Tool tool(Client.Setting setting, String name) {
        JsonNode tool = setting.book().tool(name);
        String description = tool.path("description").asText();
        if (tool.path("custom").asBoolean()) return Tool.ofCustom(CustomTool.builder().name(name).description(description).build());
        FunctionTool.Parameters parameters = FunctionTool.Parameters.builder().putAllAdditionalProperties(OpenAI.values(tool.path("parameters"))).build();
        return Tool.ofFunction(FunctionTool.builder().name(name).description(description).parameters(parameters).strict(false).build());
    }

    @Override
    public Seen whole(Ask ask) {
        RequestOptions options = OpenAI.options(ask);
        try {
            Seen models = OpenAI.models(client, setting.async(), ask);
            if (models != null) return models;
            if (ask.has("op")) return stored.other(ask, last, this::read);
            if (ask.has("schema")) return readTyped(create(params(ask).text(Parcel.class).build(), options));
            HttpResponseFor<Response> response = setting.async()
                    ? client.async().responses().withRawResponse().create(params(ask).build(), options).join()
                    : client.responses().withRawResponse().create(params(ask).build(), options);
            Seen seen = read(response.parse());
            OpenAI.keep(response.headers(), seen);
            return seen;
        } catch (RuntimeException e) {
            return OpenAI.broke(new Seen(), e);
        }
    }

    private StructuredResponse<Parcel> create(StructuredResponseCreateParams<Parcel> params, RequestOptions options) {
        return setting.async() ? client.async().responses().create(params, options).join() : client.responses().create(params, options);
    }

    @Override
    public Seen stream(Ask ask) {
        ResponseAccumulator accumulator = ResponseAccumulator.create();
        Seen partial = new Seen();
        partial.choices.add(new Seen.Choice());
        List<Headers> headers = new ArrayList<>();
        Consumer<ResponseStreamEvent> each = event -> {
            event.created().ifPresent(created -> partial.id = created.response().id());
            event.outputTextDelta().ifPresent(delta -> partial.choices.get(0).text += delta.delta());
            event.error().ifPresent(e -> partial.failure = new Seen.Failure(0, "", e.code().orElse(""), e.param().orElse(""), e.message(), true));
            accumulator.accumulate(event);
        };
        try {
            open(ask, headers, each);
            Seen seen = ask.has("schema") ? readTyped(accumulator.response(Parcel.class)) : read(accumulator.response());
            headers.forEach(h -> OpenAI.keep(h, seen));
            return seen;
        } catch (RuntimeException e) {
            if (partial.failure != null) return partial; // the event of an error was one like any other
            return OpenAI.broke(partial, e);
        }
    }

    private void open(Ask ask, List<Headers> headers, Consumer<ResponseStreamEvent> each) {
        RequestOptions options = OpenAI.options(ask);
        if (ask.is("retrieve_stream")) {
            ResponseRetrieveParams.Builder params = ResponseRetrieveParams.builder().responseId(ask.has("id") ? ask.text("id") : last.id());
            if (ask.has("startingAfter")) params.startingAfter(ask.number("startingAfter"));
            if (setting.async()) OpenAI.read(client.async().responses().retrieveStreaming(params.build(), options), each);
            else OpenAI.read(client.responses().retrieveStreaming(params.build(), options), each);
            return;
        }
        ResponseCreateParams.Builder builder = params(ask);
        ResponseCreateParams params = ask.has("schema") ? builder.text(Parcel.class).build().rawParams() : builder.build();
        if (setting.async()) {
            OpenAI.read(client.async().responses().createStreaming(params, options), each);
        } else {
            HttpResponseFor<StreamResponse<ResponseStreamEvent>> response = client.responses().withRawResponse().createStreaming(params, options);
            headers.add(response.headers());
            OpenAI.read(response.parse(), each);
        }
    }

    private Seen readTyped(StructuredResponse<Parcel> response) {
        Seen seen = read(response.rawResponse());
        response.output().forEach(item -> item.message().ifPresent(message -> message.content().forEach(part ->
                part.outputText().ifPresent(parcel -> seen.choices.get(0).parsed = Json.of(parcel)))));
        return seen;
    }

    /** read takes a response apart, and remembers its items for the next turn. */
    private Seen read(Response response) {
        last = response;
        for (ResponseOutputItem item : response.output()) {
            // What the model put out goes back as it came.
            input.add(JsonValue.from(item).convert(ResponseInputItem.class));
        }
        return ResponseReader.read(response);
    }
}
