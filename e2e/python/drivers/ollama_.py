"""Speaks Ollama's own API with ollama. The SDK puts no stream together; the driver does."""

from book import model_for
from both import given
from drivers.driver import Driver
from drivers.schema import class_of
from drivers.symptom import symptom_of
from ollama import ResponseError


class OllamaDriver(Driver):
    """Keeps the messages of the conversation, and the calls that were asked for last."""

    def begin(self):
        self.messages = []
        self.calls = []

    def _request(self, ask):
        """Adds what a turn says to the conversation, and gives the whole request."""
        if "system" in ask:
            self.messages.append({"role": "system", "content": ask["system"]})
        for call, result in zip(self.calls, ask.get("results", [])):
            self.messages.append({"role": "tool", "tool_name": call["name"], "content": result})
        if "user" in ask:
            self.messages.append({"role": "user", "content": ask["user"]})
        request = {"model": model_for(self.endpoint, ask), "messages": self.messages, "options": {}}
        if "maxTokens" in ask:
            request["options"]["num_predict"] = ask["maxTokens"]
        if "stop" in ask:
            request["options"]["stop"] = ask["stop"]
        if "reasoning" in ask:
            request["think"] = ask["reasoning"]
        if "logprobs" in ask:
            request |= {"logprobs": True, "top_logprobs": ask["logprobs"]}
        self.schema = class_of(ask["schema"], self.book["schemas"][ask["schema"]]) if "schema" in ask else None
        if self.schema:
            request["format"] = self.schema.model_json_schema()
        if "tools" in ask:
            request["tools"] = [self._tool(name) for name in ask["tools"]]
        return request

    def _tool(self, name):
        tool = self.book["tools"][name]
        return {"type": "function", "function": {"name": name, "description": tool["description"], "parameters": tool["parameters"]}}

    async def whole(self, ask, patience):
        try:
            async with patience.kept():
                if "op" in ask:
                    return await self._other(ask)
                return self.read([await given(self.client.chat(**self._request(ask)))])
        except Exception as error:
            return ollama_failure(error)

    async def stream(self, ask, patience):
        records = []
        try:
            async with patience.kept():
                async for record in patience.each(await given(self.client.chat(**self._request(ask), stream=True))):
                    records.append(record)
                return self.read(records)
        except Exception as error:
            return self.read(records) | ollama_failure(error)

    def read(self, records):
        """Puts records together, and remembers the message for the next turn; a whole answer is one record."""
        if not records:
            return {}
        message = {"role": "assistant", "content": ""}
        choice = {"parts": [], "calls": []}
        for record in records:
            _add(message, choice, record)
        last = records[-1]
        self.messages.append(message)
        self.calls = choice["calls"]
        choice |= {"text": message["content"], "reasoning": message.get("thinking"), "finish": last.done_reason}
        got = {"id": "", "model": last.model, "choices": [choice]}
        if last.done:
            got["usage"] = {"input": last.prompt_eval_count, "output": last.eval_count}
        return got

    async def _other(self, ask):
        """Does what is no answer of a model: models, and embeddings."""
        match ask["op"]:
            case "list_models":
                return {"models": [model.model for model in (await given(self.client.list())).models], "pages": 1}
            case "get_model":
                await given(self.client.show(ask["model"]))
                return {"models": [ask["model"]]}
            case "embed":
                asked = self.client.embed(model=self.endpoint["embeddingModel"], input=ask.get("inputs") or ask["user"], dimensions=ask.get("dimensions"))
                return {"vectors": [[*vector] for vector in (await given(asked)).embeddings]}
            case op:
                return {"symptom": f"the driver knows no operation {op}"}


def _add(message, choice, record):
    said = record.message
    kinds = []
    if said.thinking:
        message["thinking"] = message.get("thinking", "") + said.thinking
        kinds.append("reasoning")
    if said.content:
        message["content"] += said.content
        kinds.append("text")
    for call in said.tool_calls or []:
        message.setdefault("tool_calls", []).append(call)
        choice["calls"].append({"id": getattr(call, "id", None), "name": call.function.name, "arguments": dict(call.function.arguments)})
        kinds.append("call")
    if record.logprobs:
        choice["logprobs"] = record.logprobs
    for kind in kinds:
        if kind == "call" or choice["parts"][-1:] != [kind]:
            choice["parts"].append(kind)


def ollama_failure(error):
    """Reads an error. One inside a stream has no status."""
    if isinstance(error, ResponseError):
        in_stream = error.status_code == -1
        return {"error": error, "failure": {"status": None if in_stream else error.status_code, "message": error.error, "inStream": in_stream}}
    return {"error": error, "symptom": symptom_of(error)}
