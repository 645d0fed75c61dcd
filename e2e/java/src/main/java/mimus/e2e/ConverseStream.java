package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.document.Document;
import software.amazon.awssdk.services.bedrockruntime.model.ContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.ContentBlockDelta;
import software.amazon.awssdk.services.bedrockruntime.model.ConversationRole;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseStreamMetadataEvent;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseStreamResponse;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseStreamResponseHandler;
import software.amazon.awssdk.services.bedrockruntime.model.Message;
import software.amazon.awssdk.services.bedrockruntime.model.MessageStopEvent;
import software.amazon.awssdk.services.bedrockruntime.model.ToolUseBlockStart;

/** Puts the events of a stream of Converse together. */
final class ConverseStream {
    private final TreeMap<Integer, Block> blocks = new TreeMap<>();
    private ConverseStreamResponse response;
    private MessageStopEvent stop;
    private ConverseStreamMetadataEvent metadata;

    /** Block is what has come of a block of content. */
    private static final class Block {
        private ToolUseBlockStart tool;
        private String input = "";
        private String text;
        private String reasoning;
        private String signature;
        private SdkBytes redacted;

        ContentBlock content() {
            if (tool != null) {
                JsonNode parsed = Json.parse(input.isEmpty() ? "{}" : input);
                Document value = parsed == null ? Document.fromString(input) : Aws.document(parsed);
                return ContentBlock.fromToolUse(use -> use.toolUseId(tool.toolUseId()).name(tool.name()).input(value));
            }
            if (redacted != null) return ContentBlock.fromReasoningContent(r -> r.redactedContent(redacted));
            if (reasoning == null) return ContentBlock.fromText(text == null ? "" : text);
            return ContentBlock.fromReasoningContent(r -> r.reasoningText(t -> t.text(reasoning).signature(signature)));
        }
    }

    /** opened notes that the stream begins. Where the SDK asks again, what came before is void. */
    synchronized void opened(ConverseStreamResponse response) {
        this.response = response;
        blocks.clear();
    }

    boolean isOpen() {
        return response != null;
    }

    ConverseStreamResponseHandler.Visitor visitor() {
        return ConverseStreamResponseHandler.Visitor.builder()
                .onContentBlockStart(e -> block(e.contentBlockIndex()).tool = e.start().toolUse())
                .onContentBlockDelta(e -> add(block(e.contentBlockIndex()), e.delta()))
                .onMessageStop(e -> stop = e)
                .onMetadata(e -> metadata = e)
                .build();
    }

    private synchronized Block block(int index) {
        return blocks.computeIfAbsent(index, i -> new Block());
    }

    private static void add(Block block, ContentBlockDelta delta) {
        if (delta.text() != null) block.text = block.text == null ? delta.text() : block.text + delta.text();
        if (delta.toolUse() != null) block.input += delta.toolUse().input();
        if (delta.reasoningContent() == null) return;
        if (delta.reasoningContent().redactedContent() != null) block.redacted = delta.reasoningContent().redactedContent();
        if (block.reasoning == null) block.reasoning = "";
        if (delta.reasoningContent().text() != null) block.reasoning += delta.reasoningContent().text();
        if (delta.reasoningContent().signature() != null) block.signature = delta.reasoningContent().signature();
    }

    synchronized Message message() {
        List<ContentBlock> content = new ArrayList<>();
        blocks.values().forEach(block -> content.add(block.content()));
        return Message.builder().role(ConversationRole.ASSISTANT).content(content).build();
    }

    String stopReason() {
        return stop == null ? null : stop.stopReasonAsString();
    }

    /** addTo adds what the events said beside the message. */
    void addTo(Seen seen) {
        if (!isOpen()) return;
        seen.id = response.responseMetadata().requestId();
        Aws.keep(response.sdkHttpResponse(), seen);
        if (metadata != null) ConverseReader.addUsage(seen, metadata.usage());
        if (stop != null) ConverseReader.addSequence(seen, stop.additionalModelResponseFields());
    }
}
