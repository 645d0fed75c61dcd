package mimus.e2e;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseItem;
import com.openai.models.responses.inputitems.InputItemListPage;
import com.openai.models.responses.inputitems.InputItemListPageAsync;
import com.openai.models.responses.inputitems.InputItemListParams;
import com.openai.models.responses.inputtokens.InputTokenCountParams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What can be done with a response that was answered before, and the counting of tokens. */
record StoredResponses(Client.Setting setting, OpenAIClient client) {
    Seen other(Ask ask, Response last, Function<Response, Seen> read) {
        boolean async = setting.async();
        String id = ask.has("id") ? ask.text("id") : last == null ? null : last.id();
        switch (ask.text("op")) {
            case "retrieve":
                return read.apply(async ? client.async().responses().retrieve(id).join() : client.responses().retrieve(id));
            case "cancel":
                return read.apply(async ? client.async().responses().cancel(id).join() : client.responses().cancel(id));
            case "delete":
                if (async) client.async().responses().delete(id).join();
                else client.responses().delete(id);
                return new Seen();
            case "input_items":
                return inputItems(ask, id);
            case "count_tokens":
                return countTokens(ask);
            default:
                return Seen.symptom("the driver knows no operation " + ask.text("op"));
        }
    }

    private Seen inputItems(Ask ask, String id) {
        InputItemListParams params = InputItemListParams.builder().responseId(id).order(InputItemListParams.Order.ASC).limit(ask.number("limit")).build();
        Seen seen = new Seen();
        seen.items = new ArrayList<>();
        if (setting.async()) {
            InputItemListPageAsync page = client.async().responses().inputItems().list(params).join();
            for (; page != null; page = page.hasNextPage() ? page.nextPage().join() : null) add(seen, page.items());
        } else {
            InputItemListPage page = client.responses().inputItems().list(params);
            for (; page != null; page = page.hasNextPage() ? page.nextPage() : null) add(seen, page.items());
        }
        return seen;
    }

    private static void add(Seen seen, List<ResponseItem> items) {
        seen.pages++;
        items.forEach(item -> seen.items.add(Json.of(JsonValue.from(item).convert(Object.class)).path("type").asText()));
    }

    private Seen countTokens(Ask ask) {
        InputTokenCountParams.Builder params = InputTokenCountParams.builder().model(setting.model(ask)).input(ask.text("user"));
        if (ask.has("system")) params.instructions(ask.text("system"));
        for (String name : ask.texts("tools")) params.addTool(ResponsesDriver.tool(setting, name));
        Seen seen = new Seen();
        seen.tokens = (setting.async() ? client.async().responses().inputTokens().count(params.build()).join()
                : client.responses().inputTokens().count(params.build())).inputTokens();
        return seen;
    }
}
