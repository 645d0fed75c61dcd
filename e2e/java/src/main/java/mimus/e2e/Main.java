package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;

/**
 * Runs every case of e2e/cases.yaml through the official SDKs of Java, against the built binary.
 *
 * <p>Its arguments are the folder e2e, the binary, and filters: parts of a run's name (case/endpoint/sdk/mode), all of which
 * have to be in it. The results go to results/java.jsonl, a line each, and the counts to standard output.
 */
public final class Main {
    /** So many runs go on at the same time: of those that only compute, of those that mostly wait, and of those that ask often. */
    private static final int COMPUTING = 8;

    private static final int WAITING = 48;
    private static final int CROWDS = 2;

    /** By so many milliseconds timers fire too late to say anything about times. */
    private static final long TOO_LATE = 100;

    private Main() {}

    public static void main(String[] args) throws Exception {
        LogManager.getLogManager().reset(); // what SDKs say to people, about errors that the runner tells of
        Path e2e = Path.of(args[0]);
        List<String> filters = List.of(args).subList(2, args.length);
        Book book = Book.load(e2e.resolve("cases.yaml"));
        List<Run> runs = book.runs(Clients.all()).stream().filter(run -> filters.stream().allMatch(run.id()::contains)).toList();
        Clock.watchLateness();

        List<Run> played = runs.stream().filter(run -> run.cannot == null).toList();
        // The JVM is slow at first, and while it computes: runs in which time counts come after the others.
        playAll(book, args[1], played.stream().filter(run -> !run.waits() && !run.isCrowd()).toList(), COMPUTING);
        playAll(book, args[1], played.stream().filter(run -> run.waits() && !run.isCrowd()).toList(), WAITING);
        playAll(book, args[1], played.stream().filter(Run::isCrowd).toList(), CROWDS);
        // What a case says of times proves nothing while the machine is too busy for its own timers.
        List<Run> disturbed = runs.stream().filter(run -> !run.wrong.isEmpty() && run.timed && run.late > TOO_LATE).toList();
        if (!disturbed.isEmpty()) {
            System.out.println("The machine was too busy for its own timers; " + disturbed.size() + " runs about times are played again.");
            playAll(book, args[1], disturbed, 4);
        }

        Report report = new Report(runs);
        if (filters.isEmpty()) report.write(e2e.resolve("results/java.jsonl"));
        System.exit(report.print());
    }

    /** playAll plays runs, so many at a time, each client's on a server of its own, and keeps what was wrong. */
    private static void playAll(Book book, String binary, List<Run> some, int together) throws Exception {
        Map<Client, List<JsonNode>> stubs = new LinkedHashMap<>();
        for (Run run : some) {
            List<ObjectNode> its = run.stubs();
            its.forEach(stub -> Clock.hasten(stub, run.speed));
            stubs.computeIfAbsent(run.client, client -> new ArrayList<>()).addAll(its);
        }
        Map<Client, Mimus> servers = new LinkedHashMap<>();
        try {
            for (var each : stubs.entrySet()) servers.put(each.getKey(), new Mimus(binary, each.getValue()));
            ExecutorService threads = Executors.newFixedThreadPool(together);
            some.stream().sorted((a, b) -> Double.compare(b.speed, a.speed))
                    .forEach(run -> threads.execute(() -> run.play(book, servers.get(run.client).url)));
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.HOURS);
            Map<Client, Map<String, List<JsonNode>>> arrived = new LinkedHashMap<>();
            for (var each : servers.entrySet()) arrived.put(each.getKey(), each.getValue().arrivals());
            for (Run run : some) run.judge(book, arrived.get(run.client).getOrDefault(run.id(), List.of()));
        } finally {
            for (Mimus server : servers.values()) server.close();
        }
    }
}
