"""Speaks Messages with anthropic, and with its clients for Vertex and Bedrock."""

from anthropic import APIConnectionError, APIError, APIStatusError
from book import model_for
from both import given, opened
from drivers.driver import Driver
from drivers.schema import class_of, plain
from drivers.symptom import symptom_of


class MessagesDriver(Driver):
    """Keeps the messages of the conversation."""

    def begin(self):
        self.messages = []
        self.last = None

    def params(self, ask):
        """Adds what a turn says to the conversation, and gives the whole request."""
        self._say(ask)
        params = {"model": model_for(self.endpoint, ask), "max_tokens": ask.get("maxTokens", 4096), "messages": self.messages}
        for key, name in (("system", "system"), ("stop", "stop_sequences")):
            if key in ask:
                params[name] = ask[key]
        if "reasoning" in ask:
            params["thinking"] = {"type": "enabled", "budget_tokens": 1024}
        self.typed = "schema" in ask
        if self.typed:
            params["output_format"] = class_of(ask["schema"], self.book["schemas"][ask["schema"]])
        if "tools" in ask:
            params["tools"] = self._tools(ask)
        return params

    def _say(self, ask):
        """Puts the results of the last calls and what the user says into one message, the results first."""
        ids = [block.id for block in self.last.content if block.type == "tool_use"] if self.last else []
        content = [{"type": "tool_result", "tool_use_id": id_, "content": result} for id_, result in zip(ids, ask.get("results", []))]
        if "user" in ask:
            content.append({"type": "text", "text": ask["user"]})
        self.messages.append({"role": "user", "content": content})

    def _tools(self, ask):
        tools = self.book["tools"]
        return [{"name": name, "description": tools[name]["description"], "input_schema": tools[name]["parameters"]} for name in ask["tools"]]

    async def whole(self, ask, patience):
        try:
            async with patience.kept():
                if "op" in ask:
                    return await self._other(ask)
                if "schema" in ask:
                    return self.read(await given(self.client.messages.parse(**self.params(ask))))
                response = await given(self.client.messages.with_raw_response.create(**self.params(ask)))
                return self.read(await given(response.parse())) | {"headers": response.headers}
        except Exception as error:
            return anthropic_failure(error)

    async def _other(self, ask):
        """Does what is no message: counting tokens, and models."""
        match ask["op"]:
            case "count_tokens":
                self._say(ask)
                count = {"model": model_for(self.endpoint, ask), "messages": self.messages, "system": ask["system"], "tools": self._tools(ask)}
                return {"tokens": (await given(self.client.messages.count_tokens(**count))).input_tokens}
            case "get_model":
                return {"models": [(await given(self.client.models.retrieve(ask["model"]))).id]}
            case "list_models":
                page = await given(self.client.models.list(**({"limit": ask["limit"]} if "limit" in ask else {})))
                got = {"models": [], "pages": 0}
                while page:
                    got["pages"] += 1
                    got["models"] += [model.id for model in page.data]
                    page = await given(page.get_next_page()) if page.has_next_page() else None
                return got
            case op:
                return {"symptom": f"the driver knows no operation {op}"}

    async def stream(self, ask, patience):
        snapshot = None
        headers = None
        try:
            async with patience.kept(), opened(self.client.messages.stream(**self.params(ask))) as stream:
                headers = stream.response.headers
                async for event in patience.each(stream):
                    if event.type == "message_start" or snapshot is not None:
                        snapshot = stream.current_message_snapshot
                    if patience and snapshot is not None:
                        snapshot = snapshot.model_copy(deep=True)
                return self.read(await given(stream.get_final_message())) | {"headers": headers}
        except Exception as error:
            return self.read(snapshot) | anthropic_failure(error) | {"headers": headers}

    def read(self, message):
        """Takes a message apart, and remembers it for the next turn."""
        if message is None:
            return {}
        if isinstance(message, str):
            return {"symptom": "wrong type"}
        self.last = message
        if message.content:
            self.messages.append({"role": "assistant", "content": message.content})
        return {"id": message.id, "model": message.model, "choices": [_choice_of(message, self.typed)], "usage": _usage_of(message.usage)}


def _choice_of(message, typed):
    choice = {"finish": message.stop_reason, "sequence": message.stop_sequence, "parts": [], "calls": []}
    if typed:
        choice["parsed"] = plain(message.parsed_output)
    for block in message.content or []:
        match block.type:
            case "text":
                choice["text"] = choice.get("text", "") + block.text
                choice["parts"].append("text")
            case "tool_use":
                choice["calls"].append({"id": block.id, "name": block.name, "arguments": block.input})
                choice["parts"].append("call")
            case "thinking":
                choice["reasoning"] = choice.get("reasoning", "") + block.thinking
                choice["signature"] = choice.get("signature") or bool(block.signature)
                choice["parts"].append("reasoning")
            case "redacted_thinking":
                choice["signature"] = choice.get("signature") or bool(block.data)
                choice["redacted"] = True
                choice["parts"].append("reasoning")
            case kind:
                choice["parts"].append(kind)
    return choice


def _usage_of(u):
    if u is None:
        return None
    read, written = u.cache_read_input_tokens or 0, u.cache_creation_input_tokens or 0
    return {
        "input": u.input_tokens + read + written,
        "output": u.output_tokens,
        "reasoning": getattr(getattr(u, "output_tokens_details", None), "thinking_tokens", 0) or 0,
        "cacheRead": read,
        "cacheWrite": written,
    }


def anthropic_failure(error):
    """Reads an error. One inside a stream has the status of the stream, which says nothing of it."""
    if not isinstance(error, APIError) or isinstance(error, APIConnectionError):
        return {"error": error, "symptom": symptom_of(error)}
    in_stream = not isinstance(error, APIStatusError) or error.status_code < 400
    status = None if in_stream else error.status_code
    failure = {"status": status, "type": error.type, "code": error.error_code, "message": error.api_message, "inStream": in_stream}
    return {"error": error, "failure": failure}
