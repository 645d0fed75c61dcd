package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/**
 * What a turn asks for.
 *
 * @param deadline after so long the client gives up, by the run's fast clock; null where it waits
 */
record Ask(JsonNode ask, Duration deadline) {
    static Ask of(JsonNode ask, double speed) {
        return new Ask(ask, ask.has("deadline") ? Clock.faster(Clock.duration(ask.path("deadline")), speed) : null);
    }

    boolean has(String key) {
        return ask.has(key);
    }

    /** is says whether something is to be done that is no request for an answer. */
    boolean is(String op) {
        return op.equals(text("op"));
    }

    String text(String key) {
        return ask.path(key).asText(null);
    }

    int number(String key) {
        return ask.path(key).asInt();
    }

    List<String> texts(String key) {
        return Json.texts(ask.path(key));
    }
}
