package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** e2e/cases.yaml, and which runs there are. README.md beside that file says what its keys mean. */
final class Book {
    private static final List<String> OTHER_WORDS =
            List.of("whole", "stream", "go", "node", "python", "java", "sync", "async", "http1", "http2");

    private final JsonNode root;

    private Book(JsonNode root) {
        this.root = root;
    }

    static Book load(Path file) throws IOException {
        JsonNode root = Json.of(new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file)));
        Book book = new Book(spellOut(root, root.path("texts")));
        for (JsonNode c : book.root.path("cases")) book.check(c);
        return book;
    }

    /** spellOut puts the long texts where the cases name them: a string that is $NAME, and nothing else. */
    private static JsonNode spellOut(JsonNode node, JsonNode texts) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(e -> e.setValue(spellOut(e.getValue(), texts)));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) array.set(i, spellOut(array.get(i), texts));
        } else if (node.isTextual() && node.asText().startsWith("$") && texts.has(node.asText().substring(1))) {
            JsonNode text = texts.path(node.asText().substring(1));
            return Json.of(text.path("repeat").asText().repeat(text.path("times").asInt()));
        }
        return node;
    }

    private void check(JsonNode c) {
        List<JsonNode> selectors = new ArrayList<>(List.of(c.path("where")));
        c.path("except").forEach(e -> selectors.add(e.path("where")));
        c.path("turns").forEach(t -> t.path("but").forEach(o -> selectors.add(o.path("where"))));
        Set<String> known = new LinkedHashSet<>(OTHER_WORDS);
        root.path("endpoints").fieldNames().forEachRemaining(name -> known.addAll(namesOf(name)));
        for (JsonNode where : selectors) {
            for (String selector : Json.texts(where)) {
                for (String word : selector.split("\\s+")) {
                    if (!known.contains(word)) {
                        throw new IllegalArgumentException("cases.yaml: case " + c.path("name").asText()
                                + ": no endpoint, provider, mode or language is called \"" + word + "\"");
                    }
                }
            }
        }
    }

    /** namesOf are the words by which a selector may mean an endpoint: openai.chat, openai and chat. */
    private static List<String> namesOf(String endpoint) {
        int dot = endpoint.indexOf('.');
        return List.of(endpoint, endpoint.substring(0, dot), endpoint.substring(dot + 1));
    }

    /** holds says whether all words of one of the selectors hold for the run. */
    private static boolean holds(JsonNode where, Run run) {
        List<String> words = new ArrayList<>(namesOf(run.client.endpoint()));
        words.addAll(List.of(run.mode, "java", run.client.async() ? "async" : "sync", run.client.protocol()));
        return Json.texts(where).stream().anyMatch(selector -> words.containsAll(List.of(selector.split("\\s+"))));
    }

    /** runs are all runs of the book with the given clients; excepted ones have a reason why the SDK cannot take part. */
    List<Run> runs(List<Client> clients) {
        List<Run> runs = new ArrayList<>();
        for (JsonNode c : root.path("cases")) {
            for (Client client : clients) {
                for (String mode : List.of("whole", "stream")) {
                    Run run = new Run(c, client, mode);
                    if (c.has("where") && !holds(c.path("where"), run)) continue;
                    for (JsonNode e : c.path("except")) {
                        if (run.cannot == null && holds(e.path("where"), run)) run.cannot = e.path("why").asText();
                    }
                    if (run.cannot == null && mode.equals("stream")) run.cannot = client.noStreams();
                    runs.add(run);
                }
            }
        }
        return runs;
    }

    /** want is what the run's client must see of a turn. */
    static JsonNode want(JsonNode turn, Run run) {
        ObjectNode want = turn.path("expect").deepCopy();
        for (JsonNode but : turn.path("but")) {
            if (!holds(but.path("where"), run)) continue;
            but.path("set").properties().forEach(e -> {
                if (e.getValue().isNull()) want.remove(e.getKey());
                else want.set(e.getKey(), e.getValue());
            });
        }
        return want;
    }

    /** whys are the reasons why a run is to see something else, because of its language's SDK. */
    static String whys(Run run) {
        Set<String> whys = new LinkedHashSet<>();
        for (JsonNode turn : run.testCase.path("turns")) {
            for (JsonNode but : turn.path("but")) {
                boolean ofJava = Json.texts(but.path("where")).stream()
                        .anyMatch(s -> List.of(s.split("\\s+")).contains("java") && holds(Json.of(s), run));
                if (ofJava) whys.add(but.path("why").asText());
            }
        }
        return String.join("; ", whys);
    }

    JsonNode endpoint(String name) {
        return root.path("endpoints").path(name);
    }

    JsonNode tool(String name) {
        return root.path("tools").path(name);
    }

    JsonNode schema(String name) {
        return root.path("schemas").path(name);
    }
}
