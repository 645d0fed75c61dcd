package mimus.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells what the runs came to: failures and counts for people, a line a run for the page on compatibility. */
record Report(List<Run> runs) {
    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Run run : runs) {
            Map<String, String> line = new LinkedHashMap<>();
            line.put("language", "java");
            line.put("sdk", run.client.label());
            line.put("version", run.client.version());
            line.put("endpoint", run.client.endpoint());
            line.put("case", run.testCase.path("name").asText());
            line.put("mode", run.mode);
            line.put("result", run.cannot != null ? "cannot" : run.wrong.isEmpty() ? "pass" : "fail");
            line.put("why", run.cannot != null ? run.cannot : run.wrong.isEmpty() ? Book.whys(run) : String.join("; ", run.wrong));
            lines.add(Json.MAPPER.writeValueAsString(line));
        }
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    /** print tells of failures and counts, and gives the exit status. */
    int print() {
        long cannot = runs.stream().filter(run -> run.cannot != null).count();
        List<Run> failed = runs.stream().filter(run -> !run.wrong.isEmpty()).toList();
        failed.forEach(run -> System.out.println("FAIL " + run.id() + "\n    " + String.join("\n    ", run.wrong)));
        System.out.println("official SDKs of Java:");
        for (Run run : runs) if (run.cannot != null) System.out.println("skipped: " + run.id() + ": " + run.cannot);
        System.out.println((runs.size() - failed.size() - cannot) + " passed, " + failed.size() + " failed");
        return !failed.isEmpty() || runs.size() == cannot ? 1 : 0;
    }
}
