package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Holds what reached the server, and when, against what the case wants. */
final class Traffic {
    /** What a timer may be early by, in milliseconds of the wall clock. */
    private static final long EARLY = 30;

    private final JsonNode endpoint;
    private final JsonNode want;
    private final List<JsonNode> arrived;
    private final List<String> wrong = new ArrayList<>();

    Traffic(JsonNode endpoint, JsonNode want, List<JsonNode> arrived) {
        this.endpoint = endpoint;
        this.want = want;
        this.arrived = arrived;
    }

    /** late is what a timer may be late by: more on a machine that is too busy for its own timers. */
    private static long late() {
        return 2000 + 3 * Clock.lateness(0);
    }

    /** compare gives a line for each thing that is wrong. The times wanted are those of the run's fast clock. */
    List<String> compare(long took, double speed) {
        int expected = requests();
        if (arrived.size() != expected) wrong.add("requests: got " + arrived.size() + ", want " + expected);
        if (want.has("waits")) compareWaits(speed);
        if (want.has("elapsed")) {
            double ms = Clock.duration(want.path("elapsed")).toMillis() / speed;
            if (took < ms - EARLY || took > ms + late()) {
                wrong.add("it took " + took + " ms, want " + want.path("elapsed").asText() + " at " + speed + " times the speed");
            }
        }
        compareEnd();
        for (JsonNode r : arrived) {
            if (r.path("wasMatched").asBoolean() || want.has("error") && !want.path("error").path("inStream").asBoolean()) continue;
            wrong.add("the server refused " + r.path("request").path("method").asText() + " " + r.path("request").path("url").asText() + ": "
                    + r.path("response").path("status") + ", " + r.path("reason").asText() + " " + r.path("nearMisses") + " " + r.path("response").path("body").asText());
        }
        return wrong;
    }

    /** requests is how many are to arrive. */
    private int requests() {
        if (want.has("requests")) return want.path("requests").asInt();
        JsonNode error = want.path("error");
        int usual = endpoint.path("errors").path(error.path("kind").asText()).path("requests").asInt();
        return usual > 0 && !error.path("inStream").asBoolean() ? usual : Math.max(1, want.path("pages").asInt());
    }

    private void compareEnd() {
        if (arrived.isEmpty() || !want.has("hungUp") && (want.has("error") || want.has("symptom"))) return;
        boolean hungUp = arrived.get(arrived.size() - 1).path("hungUp").asBoolean();
        if (hungUp != want.path("hungUp").asBoolean()) wrong.add("the client hung up: " + hungUp + ", want " + !hungUp);
    }

    /** compareWaits compares the times between requests: those that were asked for, or where the SDK chooses, its own rule. */
    private void compareWaits(double speed) {
        List<String> waits = Json.texts(want.path("waits"));
        if (arrived.size() != waits.size() + 1) {
            wrong.add("waits: got " + arrived.size() + " requests, want " + waits.size() + " waits");
            return;
        }
        for (int i = 0; i < waits.size(); i++) {
            long got = arrived.get(i + 1).path("request").path("loggedDate").asLong() - arrived.get(i).path("request").path("loggedDate").asLong();
            // Half a second, doubled for each retry, and up to a quarter less.
            double most = waits.get(i).equals("backoff") ? 500 * Math.pow(2, i) : Clock.duration(want.path("waits").get(i)).toMillis();
            double least = waits.get(i).equals("backoff") ? most * 0.75 : most;
            if (got < least / speed - EARLY || got > most / speed + late()) {
                wrong.add("wait " + (i + 1) + ": got " + got + " ms, want " + waits.get(i) + " at " + speed + " times the speed");
            }
        }
    }
}
