package mimus.e2e;

import com.openai.models.ResponsesModel;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseOutputMessage;
import com.openai.models.responses.ResponseReasoningItem;
import com.openai.models.responses.ResponseUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Takes a response of openai-java apart. */
final class ResponseReader {
    private ResponseReader() {}

    static Seen read(Response response) {
        Seen seen = new Seen();
        seen.id = response.id();
        seen.model = name(response.model());
        seen.status = response.status().map(s -> s.asString()).orElse("");
        Seen.Choice choice = new Seen.Choice();
        choice.parts = new ArrayList<>();
        choice.finish = seen.status.equals("in_progress") ? "" : seen.status; // a stream that ended early has none yet
        response.incompleteDetails().flatMap(Response.IncompleteDetails::reason).ifPresent(reason -> choice.finish += " " + reason.asString());
        response.output().forEach(item -> add(choice, item));
        seen.choices.add(choice);
        response.usage().ifPresent(u -> addUsage(seen, u));
        if (seen.status.equals("failed")) {
            response.error().ifPresent(e -> seen.failure = new Seen.Failure(0, "", e.code().asString(), "", e.message(), true));
        }
        return seen;
    }

    private static String name(ResponsesModel model) {
        return model.string().or(() -> model.chat().map(m -> m.asString())).or(() -> model.only().map(m -> m.asString())).orElse(null);
    }

    private static void add(Seen.Choice choice, ResponseOutputItem item) {
        item.message().ifPresent(message -> message.content().forEach(part -> addContent(choice, part)));
        item.reasoning().ifPresent(reasoning -> addReasoning(choice, reasoning));
        item.functionCall().ifPresent(call -> {
            choice.calls.add(new Seen.Call(call.callId(), call.name(), Json.of(call.arguments()), false));
            choice.part("call", false);
        });
        item.customToolCall().ifPresent(call -> {
            choice.calls.add(new Seen.Call(call.callId(), call.name(), Json.of(call.input()), true));
            choice.part("call", false);
        });
    }

    private static void addContent(Seen.Choice choice, ResponseOutputMessage.Content part) {
        part.refusal().ifPresent(refusal -> {
            choice.refusal += refusal.refusal();
            choice.part("refusal", false);
        });
        part.outputText().ifPresent(text -> {
            choice.text += text.text();
            choice.logprobs |= !text.logprobs().orElse(List.of()).isEmpty();
            choice.part("text", false);
        });
    }

    private static void addReasoning(Seen.Choice choice, ResponseReasoningItem item) {
        String text = item.summary().stream().map(ResponseReasoningItem.Summary::text).collect(Collectors.joining());
        choice.reasoning += text;
        choice.signature |= item.encryptedContent().isPresent();
        choice.redacted |= item.encryptedContent().isPresent() && text.isEmpty();
        choice.part("reasoning", false);
    }

    private static void addUsage(Seen seen, ResponseUsage u) {
        seen.usage(u.inputTokens(), u.outputTokens(), u.outputTokensDetails().reasoningTokens(),
                u.inputTokensDetails().cachedTokens(), u.inputTokensDetails().cacheWriteTokens());
    }
}
