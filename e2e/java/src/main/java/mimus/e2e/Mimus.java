package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built binary with the stubs of many runs, which tells afterwards what arrived. */
final class Mimus implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http:\\S+");

    private final Path dir = Files.createTempDirectory("mimus-e2e-java-");
    private final Process process;
    final String url;

    Mimus(String binary, List<? extends JsonNode> stubs) throws IOException {
        Json.MAPPER.writeValue(dir.resolve("stubs.json").toFile(), Map.of("stubs", stubs));
        process = new ProcessBuilder(binary, "serve", "--addr", "127.0.0.1:0", dir.toString())
                .redirectError(dir.resolve("log").toFile()).start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        Matcher address = ADDRESS.matcher(line == null ? "" : line);
        if (!address.find()) throw new IOException("mimus did not start: " + Files.readString(dir.resolve("log")));
        url = address.group();
        Thread drain = new Thread(() -> out.lines().forEach(each -> {}));
        drain.setDaemon(true);
        drain.start();
    }

    /** arrivals are the requests that came, by the run that they belong to, oldest first. */
    Map<String, List<JsonNode>> arrivals() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/__admin/requests")).build();
        JsonNode journal = Json.parse(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
        if (journal.path("forgotten").asLong() > 0) throw new IOException("the journal was full: fewer runs have to share a server");
        Map<String, List<JsonNode>> byRun = new HashMap<>();
        for (JsonNode r : journal.path("requests")) {
            String run = r.path("request").path("headers").path(Run.HEADER).asText();
            byRun.computeIfAbsent(run, each -> new ArrayList<>()).add(0, r);
        }
        return byRun;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        for (File file : dir.toFile().listFiles()) file.delete();
        Files.delete(dir);
    }
}
