package mimus.e2e;

import com.google.genai.types.ContentEmbedding;
import com.google.genai.types.CountTokensResponse;
import com.google.genai.types.EmbedContentConfig;
import com.google.genai.types.EmbedContentResponse;
import com.google.genai.types.ListModelsConfig;
import com.google.genai.types.Model;
import java.util.ArrayList;
import java.util.List;

/** What google-genai does that is no answer of a model: counting tokens, models, and embeddings. */
record GeminiOperations(Client.Setting setting, com.google.genai.Client client) {
    Seen other(Ask ask) {
        Seen seen = new Seen();
        boolean async = setting.async();
        switch (ask.text("op")) {
            case "count_tokens":
                String model = setting.model(ask);
                CountTokensResponse count = async ? client.async.models.countTokens(model, ask.text("user"), null).join()
                        : client.models.countTokens(model, ask.text("user"), null);
                seen.tokens = count.totalTokens().orElse(0);
                return seen;
            case "get_model":
                seen.models = List.of(plain(async ? client.async.models.get(ask.text("model"), null).join() : client.models.get(ask.text("model"), null)));
                return seen;
            case "list_models":
                return listModels(ask);
            case "embed":
                return embed(ask);
            default:
                return Seen.symptom("the driver knows no operation " + ask.text("op"));
        }
    }

    /** listModels reads the list to its end. The SDK's pagers do not tell of pages; the journal does. */
    private Seen listModels(Ask ask) {
        ListModelsConfig.Builder config = ListModelsConfig.builder();
        if (ask.has("limit")) config.pageSize(ask.number("limit"));
        Seen seen = new Seen();
        seen.models = new ArrayList<>();
        if (setting.async()) client.async.models.list(config.build()).join().forEach(m -> seen.models.add(plain(m))).join();
        else client.models.list(config.build()).forEach(m -> seen.models.add(plain(m)));
        int size = ask.has("limit") ? ask.number("limit") : seen.models.size();
        seen.pages = (seen.models.size() + size - 1) / size;
        return seen;
    }

    private static String plain(Model model) {
        return model.name().orElse("").replaceAll("^.*/", "");
    }

    private Seen embed(Ask ask) {
        EmbedContentConfig.Builder builder = EmbedContentConfig.builder();
        if (ask.has("dimensions")) builder.outputDimensionality(ask.number("dimensions"));
        EmbedContentConfig config = builder.build();
        String model = setting.embeddingModel(ask);
        List<String> inputs = ask.has("inputs") ? ask.texts("inputs") : List.of(ask.text("user"));
        EmbedContentResponse got = setting.async() ? client.async.models.embedContent(model, inputs, config).join() : client.models.embedContent(model, inputs, config);
        Seen seen = new Seen();
        seen.vectors = Json.of(got.embeddings().orElse(List.of()).stream().map(ContentEmbedding::values).map(v -> v.orElse(List.of())).toList());
        return seen;
    }
}
