package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One case with one client in one mode. */
final class Run {
    /** The header by which a run's requests are known to its own stubs. */
    static final String HEADER = "X-Run";

    final JsonNode testCase;
    final Client client;
    final String mode;
    final double speed;
    final boolean timed;
    String cannot;
    List<String> wrong = List.of();
    long late;
    private final List<Turn> turns = new ArrayList<>();
    private Throwable broke;

    private record Turn(long start, long took, JsonNode want, List<String> wrong, Throwable error) {}

    Run(JsonNode testCase, Client client, String mode) {
        this.testCase = testCase;
        this.client = client;
        this.mode = mode;
        this.speed = Clock.speed(this);
        this.timed = Clock.timed(this);
    }

    String id() {
        return testCase.path("name").asText() + "/" + client.endpoint() + "/" + client.label() + "/" + mode;
    }

    /** wants are what the client must see of each turn. */
    List<JsonNode> wants() {
        List<JsonNode> wants = new ArrayList<>();
        testCase.path("turns").forEach(turn -> wants.add(Book.want(turn, this)));
        return wants;
    }

    /** stubs are those of the case, for this run alone; one that only has an answer gives it to every request. */
    List<ObjectNode> stubs() {
        List<ObjectNode> stubs = new ArrayList<>();
        testCase.path("stubs").forEach(stub -> stubs.add(stub.deepCopy()));
        if (testCase.has("answer")) stubs.add(Json.MAPPER.createObjectNode().set("answer", testCase.path("answer").deepCopy()));
        for (ObjectNode stub : stubs) stub.withObjectProperty("when").withObjectProperty("header").put(HEADER, id());
        return stubs;
    }

    /** play asks every turn, and keeps when each began and what was wrong with what the SDK made of it. */
    void play(Book book, String url) {
        turns.clear();
        broke = null;
        long began = System.currentTimeMillis();
        JsonNode endpoint = book.endpoint(client.endpoint());
        Driver driver = null;
        try {
            driver = client.driver().make(new Client.Setting(book, endpoint, url, id(), speed, client.async()));
            for (JsonNode turn : testCase.path("turns")) {
                Ask ask = Ask.of(turn.path("ask"), speed);
                long start = nextMoment();
                if (ask.has("wait")) Clock.sleep(Clock.faster(Clock.duration(turn.path("ask").path("wait")), speed));
                List<Seen> all = putAll(driver, ask);
                long took = System.currentTimeMillis() - start;
                JsonNode want = Book.want(turn, this);
                List<String> bad = new ArrayList<>();
                all.forEach(seen -> bad.addAll(new Comparison(endpoint).compare(want, seen)));
                turns.add(new Turn(start, took, want, bad, all.get(all.size() - 1).error));
            }
        } catch (Throwable e) {
            broke = e;
        } finally {
            if (driver != null) driver.close();
        }
        late = Clock.lateness(began);
    }

    /** nextMoment is the time, later than any request of the turn before by the journal's milliseconds. */
    private static long nextMoment() {
        long before = System.currentTimeMillis();
        while (System.currentTimeMillis() == before) Thread.onSpinWait();
        return System.currentTimeMillis();
    }

    /** putAll asks one turn, as often at the same time as it says: then each in a conversation of its own. */
    private List<Seen> putAll(Driver driver, Ask ask) throws Exception {
        if (!ask.has("concurrent")) return List.of(put(driver, ask));
        ExecutorService threads = Executors.newFixedThreadPool(ask.number("concurrent"));
        try {
            List<Future<Seen>> futures = new ArrayList<>();
            for (int i = 0; i < ask.number("concurrent"); i++) futures.add(threads.submit(() -> put(driver.again(), ask)));
            List<Seen> all = new ArrayList<>();
            for (Future<Seen> future : futures) all.add(future.get());
            return all;
        } finally {
            threads.shutdown();
        }
    }

    private Seen put(Driver driver, Ask ask) throws Exception {
        boolean stream = mode.equals("stream") && !ask.has("op") || ask.is("retrieve_stream");
        return stream ? driver.stream(ask) : driver.whole(ask);
    }

    /** judge adds what reached the server to what is known of the run, and keeps all that was wrong. */
    void judge(Book book, List<JsonNode> arrived) {
        wrong = new ArrayList<>();
        if (broke != null) wrong.add("the runner broke: " + Symptom.trace(broke));
        Throwable last = null;
        for (int i = 0; i < turns.size(); i++) {
            Turn turn = turns.get(i);
            long from = turn.start();
            long to = i + 1 < turns.size() ? turns.get(i + 1).start() : Long.MAX_VALUE;
            List<JsonNode> mine = arrived.stream()
                    .filter(r -> r.path("request").path("loggedDate").asLong() >= from && r.path("request").path("loggedDate").asLong() < to).toList();
            List<String> bad = new ArrayList<>(turn.wrong());
            bad.addAll(new Traffic(book.endpoint(client.endpoint()), turn.want(), mine).compare(turn.took(), speed));
            for (String line : bad) wrong.add("turn " + (i + 1) + ": " + line);
            if (turn.error() != null) last = turn.error();
        }
        if (!wrong.isEmpty() && last != null) wrong.add("the SDK's error: " + Symptom.describe(last));
    }
}
