package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What an SDK made of an answer. */
final class Seen {
    String id;
    String model;
    String status = "";
    String symptom = "";
    Throwable error;
    Failure failure;
    Map<String, Long> usage;
    UnaryOperator<String> headers = name -> null;
    List<String> models;
    List<String> items;
    JsonNode vectors;
    int pages;
    long tokens;
    List<Choice> choices = new ArrayList<>();

    static final class Choice {
        String text = "";
        String refusal = "";
        String reasoning = "";
        String finish = "";
        String sequence = "";
        boolean signature;
        boolean redacted;
        boolean logprobs;
        JsonNode parsed;
        List<String> parts;
        final List<Call> calls = new ArrayList<>();

        /** part notes the kind of one more part; deltas of one part, one after another, are one. */
        void part(String kind, boolean delta) {
            if (parts == null) parts = new ArrayList<>();
            if (!delta || parts.isEmpty() || !parts.get(parts.size() - 1).equals(kind)) parts.add(kind);
        }
    }

    /** A tool call; its arguments are the text that travelled where the SDK gives that, or else a value. */
    record Call(String id, String name, JsonNode arguments, boolean custom) {}

    record Failure(int status, String type, String code, String param, String message, boolean inStream) {}

    static Seen symptom(String symptom) {
        Seen seen = new Seen();
        seen.symptom = symptom;
        return seen;
    }

    /** broke adds that it ended in an error: what the provider said, or the symptom of what broke. */
    Seen broke(Throwable error, Failure failure) {
        this.error = error;
        this.failure = failure;
        if (failure == null) this.symptom = Symptom.of(error);
        return this;
    }

    Seen usage(long input, long output, long reasoning, long cacheRead, long cacheWrite) {
        usage = new LinkedHashMap<>();
        usage.put("input", input);
        usage.put("output", output);
        usage.put("reasoning", reasoning);
        usage.put("cacheRead", cacheRead);
        usage.put("cacheWrite", cacheWrite);
        return this;
    }
}
