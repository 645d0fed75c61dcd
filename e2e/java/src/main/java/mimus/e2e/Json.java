package mimus.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** JSON values: the cases, what SDKs give for them, and what the server tells. */
final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}

    /** of is any value as JSON. */
    static JsonNode of(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** parse reads a text, and gives null for one that is no JSON. */
    static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** map is an object as SDKs take it. */
    static Map<String, Object> map(JsonNode object) {
        return MAPPER.convertValue(object, new TypeReference<Map<String, Object>>() {});
    }

    /** texts are a list of texts, or one text as a list; none where there is nothing. */
    static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isArray()) node.forEach(each -> texts.add(each.asText()));
        else if (!node.isMissingNode() && !node.isNull()) texts.add(node.asText());
        return texts;
    }

    /** same compares values; numbers by what they are worth. */
    static boolean same(JsonNode a, JsonNode b) {
        return a.equals((x, y) -> x.isNumber() && y.isNumber() ? x.decimalValue().compareTo(y.decimalValue()) : x.equals(y) ? 0 : 1, b);
    }
}
