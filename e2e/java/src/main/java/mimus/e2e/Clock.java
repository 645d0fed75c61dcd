package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes time pass faster where a case takes minutes. Its stubs wait so many times less, and so do the SDKs where they can
 * be told: by a Sleeper of ours, which sleeps as long as the SDK decided by its own rules, and by their timeouts. What
 * travels (a Retry-After) stays as the case says it.
 */
final class Clock {
    /** A case takes no longer than this by the wall clock, in milliseconds. */
    private static final double LONGEST = 3000;

    private static final Pattern TIME = Pattern.compile("([0-9.]+)(ms|s|m|h)");

    /** How late timers fired, and when: what a busy machine makes of them. */
    private static final List<long[]> LATE = new ArrayList<>();

    private Clock() {}

    /** watchLateness measures that while the suite runs. */
    static void watchLateness() {
        Thread watch = new Thread(() -> {
            while (true) {
                long due = System.currentTimeMillis() + 50;
                sleep(Duration.ofMillis(50));
                long now = System.currentTimeMillis();
                if (now - due > 20) {
                    synchronized (LATE) {
                        LATE.add(new long[] {now, now - due});
                    }
                }
            }
        });
        watch.setDaemon(true);
        watch.start();
    }

    /** lateness is how late timers have fired at most since a moment. */
    static long lateness(long since) {
        synchronized (LATE) {
            return LATE.stream().filter(l -> l[0] >= since).mapToLong(l -> l[1]).max().orElse(0);
        }
    }

    static void sleep(Duration d) {
        try {
            Thread.sleep(d.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** speed says how many times faster than the wall clock a run has to be. */
    static double speed(Run run) {
        return Math.max(1, longest(run) / LONGEST);
    }

    /** timed says whether a run is about times at all. */
    static boolean timed(Run run) {
        return longest(run) > 0 || run.wants().stream().anyMatch(want -> want.has("waits"));
    }

    private static double longest(Run run) {
        List<JsonNode> times = new ArrayList<>();
        for (JsonNode turn : run.testCase.path("turns")) {
            times.add(turn.path("ask").path("deadline"));
            times.add(turn.path("ask").path("wait"));
        }
        run.wants().forEach(want -> times.add(want.path("elapsed")));
        for (JsonNode stub : run.stubs()) {
            times.add(stub.path("delay"));
            times.add(stub.path("pace").path("firstToken"));
            answers(stub).forEach(a -> times.add(a.path("stallFor")));
        }
        return times.stream().mapToDouble(t -> duration(t).toMillis()).max().orElse(0);
    }

    /** hasten makes a stub wait so many times less. */
    static void hasten(ObjectNode stub, double speed) {
        shorten(stub, "delay", speed);
        answers(stub).forEach(a -> shorten((ObjectNode) a, "stallFor", speed));
        if (stub.get("pace") instanceof ObjectNode pace) {
            shorten(pace, "firstToken", speed);
            if (pace.has("tokensPerSecond")) pace.put("tokensPerSecond", pace.path("tokensPerSecond").asDouble() * speed);
        }
    }

    private static List<JsonNode> answers(JsonNode stub) {
        List<JsonNode> answers = new ArrayList<>();
        stub.path("answers").forEach(answers::add);
        if (stub.has("answer")) answers.add(stub.path("answer"));
        return answers;
    }

    private static void shorten(ObjectNode object, String key, double speed) {
        if (object.has(key)) object.put(key, duration(object.path(key)).toMillis() / speed / 1000);
    }

    static Duration faster(Duration d, double speed) {
        return Duration.ofNanos((long) (d.toNanos() / speed));
    }

    /** duration reads a time as the cases have it: 250ms, 1.5s, 10m, or a number of seconds. */
    static Duration duration(JsonNode time) {
        if (time.isMissingNode() || time.isNull()) return Duration.ZERO;
        if (time.isNumber()) return Duration.ofMillis((long) (time.asDouble() * 1000));
        Matcher m = TIME.matcher(time.asText());
        if (!m.matches()) throw new IllegalArgumentException("\"" + time.asText() + "\" is no time; write 250ms, 1.5s or 10m");
        double unit = switch (m.group(2)) {
            case "ms" -> 1;
            case "s" -> 1000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
        return Duration.ofMillis((long) (Double.parseDouble(m.group(1)) * unit));
    }
}
