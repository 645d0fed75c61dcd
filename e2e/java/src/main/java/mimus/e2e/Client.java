package mimus.e2e;

/**
 * A client under test: which SDK speaks which endpoint, and how it is pointed at the server.
 *
 * @param driver makes the driver of one run
 * @param noStreams why the client has no streams; null where it has
 */
record Client(String endpoint, String sdk, String version, boolean async, String protocol, Maker driver, String noStreams) {
    interface Maker {
        Driver make(Setting setting);
    }

    /** Setting is what a driver knows of its run: the server and the name of the run, and how much faster its clock is. */
    record Setting(Book book, com.fasterxml.jackson.databind.JsonNode endpoint, String url, String run, double speed, boolean async) {
        /** model is the model that a turn asks for. */
        String model(Ask ask) {
            if (ask.has("model")) return ask.text("model");
            if (ask.has("reasoning") && endpoint.has("reasoningModel")) return endpoint.path("reasoningModel").asText();
            return endpoint.path("model").asText();
        }

        /** embeddingModel is the model that a turn wants vectors of. */
        String embeddingModel(Ask ask) {
            return endpoint.path("embeddingModel").asText(ask.text("model"));
        }
    }

    String label() {
        return sdk + (async ? " (async)" : " (sync)");
    }
}
