package mimus.e2e;

import com.google.genai.types.Candidate;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import com.google.genai.types.HttpResponse;
import com.google.genai.types.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts the chunks of google-genai together. */
final class GeminiReader {
    private GeminiReader() {}

    static Seen read(List<GenerateContentResponse> chunks) {
        Seen seen = new Seen();
        for (GenerateContentResponse chunk : chunks) {
            if (seen.id == null) seen.id = chunk.responseId().orElse(null);
            if (seen.model == null) seen.model = chunk.modelVersion().orElse(null);
            chunk.promptFeedback().flatMap(f -> f.blockReason()).ifPresent(reason -> seen.status = reason.toString());
            chunk.sdkHttpResponse().flatMap(HttpResponse::headers).ifPresent(headers -> keep(headers, seen));
            chunk.usageMetadata().ifPresent(u -> addUsage(seen, u));
            for (Candidate candidate : chunk.candidates().orElse(List.of())) {
                int index = candidate.index().orElse(0);
                while (seen.choices.size() <= index) seen.choices.add(new Seen.Choice());
                add(seen.choices.get(index), candidate);
            }
        }
        return seen;
    }

    private static void keep(Map<String, String> headers, Seen seen) {
        Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        seen.headers = anyCase::get;
    }

    private static void add(Seen.Choice choice, Candidate candidate) {
        if (choice.parts == null) choice.parts = new ArrayList<>();
        candidate.finishReason().ifPresent(reason -> choice.finish = reason.toString());
        choice.logprobs |= candidate.logprobsResult().flatMap(l -> l.chosenCandidates()).filter(l -> !l.isEmpty()).isPresent();
        candidate.content().flatMap(c -> c.parts()).ifPresent(parts -> parts.forEach(part -> add(choice, part)));
    }

    private static void add(Seen.Choice choice, Part part) {
        String text = part.text().orElse("");
        if (part.thought().orElse(false)) {
            choice.reasoning += text;
            choice.part("reasoning", true);
        } else if (part.functionCall().isPresent()) {
            FunctionCall call = part.functionCall().get();
            choice.calls.add(new Seen.Call(call.id().orElse(null), call.name().orElse(null), Json.of(call.args().orElse(Map.of())), false));
            choice.part("call", false);
        } else if (!text.isEmpty()) {
            choice.text += text;
            choice.part("text", true);
        }
        if (part.thoughtSignature().isPresent()) {
            choice.signature = true;
            choice.redacted = choice.reasoning.isEmpty();
        }
    }

    private static void addUsage(Seen seen, GenerateContentResponseUsageMetadata u) {
        long thoughts = u.thoughtsTokenCount().orElse(0);
        seen.usage(u.promptTokenCount().orElse(0), u.candidatesTokenCount().orElse(0) + thoughts, thoughts, u.cachedContentTokenCount().orElse(0), 0);
    }
}
