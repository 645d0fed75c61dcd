package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import software.amazon.awssdk.core.document.Document;
import software.amazon.awssdk.services.bedrockruntime.model.ContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.Message;
import software.amazon.awssdk.services.bedrockruntime.model.TokenUsage;

/** Takes a message of Converse apart. */
final class ConverseReader {
    private ConverseReader() {}

    static Seen.Choice choice(Message message, String stopReason) {
        Seen.Choice choice = new Seen.Choice();
        choice.parts = new ArrayList<>();
        choice.finish = stopReason == null ? "" : stopReason;
        message.content().forEach(block -> add(choice, block));
        return choice;
    }

    private static void add(Seen.Choice choice, ContentBlock block) {
        switch (block.type()) {
            case TEXT -> {
                choice.text += block.text();
                choice.part("text", false);
            }
            case TOOL_USE -> {
                JsonNode input = Aws.json(block.toolUse().input());
                choice.calls.add(new Seen.Call(block.toolUse().toolUseId(), block.toolUse().name(), input, false));
                choice.part("call", false);
            }
            case REASONING_CONTENT -> {
                var reasoning = block.reasoningContent();
                if (reasoning.reasoningText() != null) {
                    choice.reasoning += reasoning.reasoningText().text();
                    choice.signature |= reasoning.reasoningText().signature() != null;
                } else {
                    choice.signature = true;
                    choice.redacted = true;
                }
                choice.part("reasoning", false);
            }
            default -> choice.part(block.type().toString(), false);
        }
    }

    static void addUsage(Seen seen, TokenUsage u) {
        if (u == null) return;
        long read = u.cacheReadInputTokens() == null ? 0 : u.cacheReadInputTokens();
        long write = u.cacheWriteInputTokens() == null ? 0 : u.cacheWriteInputTokens();
        seen.usage(u.inputTokens() + read + write, u.outputTokens(), 0, read, write);
    }

    static void addSequence(Seen seen, Document fields) {
        if (fields != null && fields.isMap()) seen.choices.get(0).sequence = Aws.json(fields).path("stop_sequence").asText("");
    }
}
