package mimus.e2e;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The neutral words for what a client sees of a breakage. */
final class Symptom {
    /** What is said of a breakage, by the JDK, OkHttp, Apache's client, Netty, Jackson or an SDK, and what it means. */
    private static final List<String[]> WORDS = List.of(
            new String[] {"error parsing json", "unparsable"},
            new String[] {"jsonparseexception|jsoneofexception|mismatchedinput|unrecognized token|unable to parse|malformedjson", "bad json"},
            new String[] {"not yet received|nosuchelementexception", "unfinished"},
            new String[] {"connection reset|broken pipe", "reset"},
            new String[] {"timeout|timed ?out|canceled", "timeout"},
            new String[] {"closed during the request|unexpected end of stream on |failed to respond|server failed to complete|nohttpresponse", "no answer"},
            new String[] {"unexpected end of stream|premature end|eofexception|before the connection was closed|ended prematurely|end of file", "truncated"},
            new String[] {"checksum", "bad checksum"});

    private Symptom() {}

    /** of looks for the first of the words that an error has, or what caused it. */
    static String of(Throwable error) {
        StringBuilder said = new StringBuilder();
        for (Throwable e : chain(error)) said.append(e.getClass().getSimpleName()).append(": ").append(e.getMessage()).append('\n');
        String words = said.toString().toLowerCase(Locale.ROOT);
        for (String[] known : WORDS) {
            if (Pattern.compile(known[0]).matcher(words).find()) return known[1];
        }
        return "other: " + describe(error);
    }

    /** describe tells of an error with all that caused it. */
    static String describe(Throwable error) {
        List<String> causes = new ArrayList<>();
        for (Throwable e : chain(error)) causes.add(e.getClass().getSimpleName() + ": " + e.getMessage());
        String all = String.join(", because of ", causes);
        return all.length() > 1000 ? all.substring(0, 1000) : all;
    }

    static String trace(Throwable error) {
        StringWriter out = new StringWriter();
        error.printStackTrace(new PrintWriter(out));
        return out.toString();
    }

    private static List<Throwable> chain(Throwable error) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable e = error; e != null && chain.size() < 8; e = e.getCause()) chain.add(e);
        return chain;
    }

    /** unwrap is the SDK's error behind what a future wraps it in. */
    static Throwable unwrap(Throwable error) {
        boolean wrapped = error instanceof java.util.concurrent.CompletionException || error instanceof java.util.concurrent.ExecutionException;
        return wrapped && error.getCause() != null ? unwrap(error.getCause()) : error;
    }
}
