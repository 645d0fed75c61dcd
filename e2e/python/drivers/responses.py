"""Speaks Responses with openai."""

from book import model_for
from both import given, opened
from clock import seconds_of
from drivers.driver import Driver
from drivers.openai_ import all_pages, models, openai_failure
from drivers.responses_read import Partial, choice_of, usage_of
from drivers.schema import class_of


class ResponsesDriver(Driver):
    """Keeps the items of the conversation."""

    def begin(self):
        self.input = []
        self.last = None

    def params(self, ask):
        """Adds what a turn says to the conversation, and gives the whole request. A turn that continues a stored response
        sends what is new only."""
        output = self.last.output if self.last else []
        calls = [item for item in output if item.type in ("function_call", "custom_tool_call")]
        items = [{"type": f"{call.type}_output", "call_id": call.call_id, "output": result} for call, result in zip(calls, ask.get("results", []))]
        if "user" in ask:
            items.append({"role": "user", "content": ask["user"]})
        self.input += items
        params = {"model": model_for(self.endpoint, ask), "input": self.input}
        if ask.get("continue"):
            params |= {"previous_response_id": ask.get("id") or self.last.id, "input": items}
        for key, name in (("system", "instructions"), ("maxTokens", "max_output_tokens"), ("background", "background")):
            if key in ask:
                params[name] = ask[key]
        if "logprobs" in ask:
            params |= {"top_logprobs": ask["logprobs"], "include": ["message.output_text.logprobs"]}
        if "reasoning" in ask:
            params |= {"reasoning": {"effort": ask["reasoning"], "summary": "auto"}, "include": ["reasoning.encrypted_content"]}
        self.typed = "schema" in ask
        if self.typed:
            params["text_format"] = class_of(ask["schema"], self.book["schemas"][ask["schema"]])
        if "tools" in ask:
            params["tools"] = [self._tool(name) for name in ask["tools"]]
        return params

    def _tool(self, name):
        tool = self.book["tools"][name]
        if tool.get("custom"):
            return {"type": "custom", "name": name, "description": tool["description"]}
        return {"type": "function", "name": name, "description": tool["description"], "parameters": tool["parameters"], "strict": False}

    async def whole(self, ask, patience):
        try:
            async with patience.kept():
                if "op" in ask:
                    return await models(self.client, ask) or await self._stored(ask)
                raw = self.client.responses.with_raw_response
                asked = raw.parse(**self.params(ask)) if "schema" in ask else raw.create(**self.params(ask))
                response = await given(asked)
                return self.read(response.parse()) | {"headers": response.headers}
        except Exception as error:
            return openai_failure(error)

    async def _stored(self, ask):
        """Does what can be done with a response that was answered before."""
        responses = self.client.responses
        id_ = ask.get("id") or (self.last and self.last.id)
        match ask["op"]:
            case "retrieve":
                await self.sleep(seconds_of(ask.get("wait")))
                return self.read(await given(responses.retrieve(id_)))
            case "delete":
                await given(responses.delete(id_))
                return {}
            case "cancel":
                return self.read(await given(responses.cancel(id_)))
            case "input_items":
                return await all_pages(responses.input_items.list(id_, order="asc", limit=ask["limit"]), "items", lambda item: item.type)
            case "count_tokens":
                count = {"model": model_for(self.endpoint, ask), "instructions": ask["system"], "input": ask["user"]}
                tools = [self._tool(name) for name in ask.get("tools", [])]
                return {"tokens": (await given(responses.input_tokens.count(**count, tools=tools))).input_tokens}
            case op:
                return {"symptom": f"the driver knows no operation {op}"}

    async def stream(self, ask, patience):
        """Gives the response that the SDK's accumulator makes of the events. Where the stream ended early, it is what the
        events had told."""
        partial = Partial()
        try:
            async with patience.kept():
                if ask.get("op") == "retrieve_stream":
                    params = {"response_id": ask.get("id") or self.last.id}
                    if "startingAfter" in ask:
                        params["starting_after"] = ask["startingAfter"]
                else:
                    params = self.params(ask)
                async with opened(self.client.responses.stream(**params)) as stream:
                    async for event in patience.each(stream):
                        partial.add(event)
                    if partial.ended:  # the SDK's own word for the final response is for completed ones only
                        return self.read(partial.ended)
                    return self.read(await given(stream.get_final_response()))
        except Exception as error:
            told = {"error": error, "failure": partial.failure} if partial.failure else openai_failure(error)
            return partial.outcome() | told

    def read(self, response):
        """Takes a response apart, and remembers its items for the next turn."""
        if isinstance(response, str):
            return {"symptom": "wrong type"}
        self.last = response
        self.input += response.output or []
        got = {"id": response.id, "model": response.model, "status": response.status,
               "choices": [choice_of(response, self.typed)], "usage": usage_of(response.usage)}
        if response.status == "failed":
            got["failure"] = {"code": response.error.code, "message": response.error.message, "inStream": True}
        return got
