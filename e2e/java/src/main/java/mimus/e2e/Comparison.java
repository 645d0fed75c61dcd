package mimus.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Holds what an SDK made of an answer against what the case wants of it. */
final class Comparison {
    private final JsonNode endpoint;
    private final List<String> wrong = new ArrayList<>();

    Comparison(JsonNode endpoint) {
        this.endpoint = endpoint;
    }

    /** compare gives a line for each thing that is wrong. */
    List<String> compare(JsonNode want, Seen got) {
        same("symptom", got.symptom, want.path("symptom").asText(""));
        failure(want.path("error"), got.failure);
        if (got.error != null && !want.has("error") && !want.has("symptom")) wrong.add("error: " + Symptom.describe(got.error));
        sameJson("models", Json.of(got.models), Json.of(want.get("models")));
        sameJson("items", Json.of(got.items), Json.of(want.get("items")));
        sameJson("vectors", Json.of(got.vectors), Json.of(want.get("vectors")));
        same("pages", got.pages, want.path("pages").asInt());
        want.path("headers").properties().forEach(h -> same("header " + h.getKey(), got.headers.apply(h.getKey()), h.getValue().asText()));
        if (want.has("status")) same("status", got.status, want.path("status").asText());
        if (got.tokens > 0 != want.path("tokens").asBoolean()) wrong.add("tokens counted: got " + got.tokens);
        if (answers(want)) answer(want, got);
        else if (got.choices.stream().anyMatch(Comparison::said)) wrong.add("got an answer: " + tell(got.choices.get(0)));
        return wrong;
    }

    /** answers says whether an answer is wanted, or a part of one. */
    private static boolean answers(JsonNode want) {
        for (String key : List.of("none", "tokens", "models", "items", "vectors")) if (want.has(key)) return false;
        if (!want.has("error") && !want.has("symptom")) return true;
        return List.of("text", "reasoning", "calls", "refusal").stream().anyMatch(want::has);
    }

    private static boolean said(Seen.Choice c) {
        return !c.text.isEmpty() || !c.refusal.isEmpty() || !c.reasoning.isEmpty() || !c.calls.isEmpty();
    }

    private static String tell(Seen.Choice c) {
        return c.text + c.refusal + c.reasoning + c.calls;
    }

    private void same(String what, Object got, Object want) {
        if (!Objects.equals(got, want)) wrong.add(what + ": got " + brief(got) + ", want " + brief(want));
    }

    private static String brief(Object o) {
        String text = String.valueOf(o);
        return text.length() > 300 ? text.substring(0, 300) + "…" : text;
    }

    private void sameJson(String what, JsonNode got, JsonNode want) {
        if (!Json.same(got, want)) wrong.add(what + ": got " + brief(got) + ", want " + brief(want));
    }

    /** form wants a text in the provider's own form. */
    private void form(String what, String got, String pattern) {
        if (!Pattern.compile(pattern).matcher(got == null ? "" : got).find()) wrong.add(what + ": got " + got + ", want " + pattern);
    }

    private void answer(JsonNode want, Seen got) {
        boolean broken = want.has("error") || want.has("symptom") || want.path("finish").asText().equals("none");
        form("id", got.id, endpoint.path("id").asText());
        if ((got.model == null || got.model.isEmpty()) && !broken) wrong.add("no model");
        List<JsonNode> wanted = new ArrayList<>();
        if (want.has("choices")) want.path("choices").forEach(wanted::add);
        else wanted.add(want);
        same("choices", got.choices.size(), wanted.size());
        for (int i = 0; i < Math.min(got.choices.size(), wanted.size()); i++) choice(wanted.get(i), got.choices.get(i), broken);
        if (want.has("usage")) {
            ObjectNode all = (ObjectNode) Json.of(new Seen().usage(0, 0, 0, 0, 0).usage);
            all.setAll((ObjectNode) want.path("usage"));
            sameJson("usage", Json.of(got.usage), all);
        } else if (!broken && (got.usage == null || got.usage.get("input") == 0 || got.usage.get("output") == 0)) {
            wrong.add("usage: got " + got.usage + ", want tokens");
        }
    }

    private void choice(JsonNode want, Seen.Choice got, boolean broken) {
        if (want.has("json")) {
            sameText("text", got.text, want.path("json"));
            if (got.parsed != null) sameJson("parsed", got.parsed, want.path("json"));
        } else {
            same("text", got.text, want.path("text").asText(""));
        }
        same("refusal", got.refusal, want.path("refusal").asText(""));
        same("reasoning", got.reasoning, want.path("reasoning").asText(""));
        same("sequence", got.sequence, want.path("sequence").asText(""));
        same("signature", got.signature, want.path("signature").asBoolean());
        same("redacted", got.redacted, want.path("redacted").asBoolean());
        same("logprobs", got.logprobs, want.path("logprobs").asBoolean());
        if (want.has("parts") && got.parts != null) same("parts", got.parts, Json.texts(want.path("parts")));
        calls(want.path("calls"), got.calls);
        if (!want.has("finish") && broken) return;
        String finish = want.path("finish").asText(want.path("calls").isEmpty() ? "complete" : "tool_calls");
        same("finish, for " + finish, got.finish, endpoint.path("finish").path(finish).asText(""));
    }

    private void calls(JsonNode want, List<Seen.Call> got) {
        if (got.size() != want.size()) {
            wrong.add("calls: got " + got + ", want " + want.size());
            return;
        }
        for (int i = 0; i < got.size(); i++) {
            JsonNode w = want.get(i);
            Seen.Call g = got.get(i);
            same("call's name", g.name(), w.path("name").asText());
            same("custom call", g.custom(), w.path("custom").asBoolean());
            if (w.has("id")) same("call's id", g.id() == null ? "none" : g.id(), w.path("id").asText());
            else form("call's id", g.id(), endpoint.path("callId").asText());
            if (w.has("argumentsText")) same("call's arguments", g.arguments().asText(), w.path("argumentsText").asText());
            else if (g.arguments().isTextual()) sameText("call's arguments", g.arguments().asText(), w.path("arguments"));
            else sameJson("call's arguments", g.arguments(), w.has("arguments") ? w.path("arguments") : Json.of(new Object[0]));
        }
    }

    /** sameText compares values, of which the SDK gives the text that travelled. */
    private void sameText(String what, String got, JsonNode want) {
        JsonNode value = Json.parse(got);
        if (value == null) wrong.add(what + ": got " + got + ", want the JSON " + want);
        else sameJson(what, value, want);
    }

    /** failure compares errors. What a case does not say of one, the endpoint's table does. */
    private void failure(JsonNode want, Seen.Failure got) {
        if (want.isMissingNode() || got == null) {
            if (!want.isMissingNode() || got != null) wrong.add("error: got " + got + ", want " + want);
            return;
        }
        JsonNode table = endpoint.path(want.path("inStream").asBoolean() ? "streamErrors" : "errors");
        JsonNode usual = table.path(want.path("kind").asText());
        if (want.has("kind") && usual.isMissingNode()) wrong.add("the endpoint has no error of kind " + want.path("kind").asText());
        same("error's type", text(got.type()), wanted(want, usual, "type"));
        same("error's code", text(got.code()), wanted(want, usual, "code"));
        same("error's param", text(got.param()), wanted(want, usual, "param"));
        same("error's status", got.status(), want.path("status").asInt(usual.path("status").asInt()));
        same("error inside the stream", got.inStream(), want.path("inStream").asBoolean());
        String message = want.path("message").asText("");
        if (message.equals("-")) same("error's message", text(got.message()), "");
        else if (text(got.message()).isEmpty()) wrong.add("the error has no message");
        else if (!message.isEmpty()) same("error's message", got.message(), message);
    }

    private static String wanted(JsonNode want, JsonNode usual, String key) {
        String text = want.path(key).asText(usual.path(key).asText(""));
        return text.equals("-") ? "" : text;
    }

    private static String text(String s) {
        return s == null ? "" : s;
    }
}
