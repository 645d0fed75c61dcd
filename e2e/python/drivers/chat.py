"""Speaks Chat Completions with openai."""

from book import model_for
from both import given, opened
from drivers.driver import Driver
from drivers.openai_ import models, openai_failure
from drivers.schema import class_of, plain
from openai import ContentFilterFinishReasonError, LengthFinishReasonError


class ChatDriver(Driver):
    """Keeps the messages of the conversation."""

    def begin(self):
        self.messages = []
        self.last = None

    def params(self, ask):
        """Adds what a turn says to the conversation, and gives the whole request."""
        if "system" in ask:
            self.messages.append({"role": "system", "content": ask["system"]})
        for i, content in enumerate(ask.get("results", [])):
            if ask.get("legacy"):
                self.messages.append({"role": "function", "name": self.last.function_call.name, "content": content})
            else:
                self.messages.append({"role": "tool", "tool_call_id": self.last.tool_calls[i].id, "content": content})
        if "user" in ask:
            self.messages.append({"role": "user", "content": ask["user"]})
        params = {"model": model_for(self.endpoint, ask), "messages": self.messages}
        for key, name in (("maxTokens", "max_completion_tokens"), ("choices", "n"), ("reasoning", "reasoning_effort"), ("stop", "stop")):
            if key in ask:
                params[name] = ask[key]
        if "logprobs" in ask:
            params |= {"logprobs": True, "top_logprobs": ask["logprobs"]}
        self.typed = "schema" in ask
        if self.typed:
            params["response_format"] = class_of(ask["schema"], self.book["schemas"][ask["schema"]])
        for name in ask.get("tools", []):
            self._offer(params, name, ask.get("legacy"))
        return params

    def _offer(self, params, name, legacy):
        tool = self.book["tools"][name]
        if tool.get("custom"):
            params.setdefault("tools", []).append({"type": "custom", "custom": {"name": name, "description": tool["description"]}})
            return
        function = {"name": name, "description": tool["description"], "parameters": tool["parameters"]}
        if legacy:
            params.setdefault("functions", []).append(function)
        else:
            params.setdefault("tools", []).append({"type": "function", "function": function})

    async def whole(self, ask, patience):
        try:
            async with patience.kept():
                if "op" in ask:
                    return await models(self.client, ask) or await self._embed(ask)
                raw = self.client.chat.completions.with_raw_response
                asked = raw.parse(**self.params(ask)) if "schema" in ask else raw.create(**self.params(ask))
                response = await given(asked)
                return self.read(response.parse()) | {"headers": response.headers}
        except Exception as error:
            return openai_failure(error)

    async def stream(self, ask, patience):
        snapshot = None
        try:
            async with patience.kept():
                asked = self.client.chat.completions.stream(**self.params(ask), stream_options={"include_usage": True})
                async with opened(asked) as stream:
                    async for _ in patience.each(stream):
                        snapshot = stream.current_completion_snapshot
                        if patience:
                            snapshot = snapshot.model_copy(deep=True)
                    return self.read(await given(stream.get_final_completion()))
        except (LengthFinishReasonError, ContentFilterFinishReasonError):
            return self.read(snapshot)  # so the accumulator tells of these reasons to stop
        except Exception as error:
            return self.read(snapshot) | openai_failure(error)

    def read(self, completion):
        """Takes a completion apart, and remembers its message for the next turn."""
        if completion is None:
            return {}
        if isinstance(completion, str):
            return {"symptom": "wrong type"}
        choices = [self._choice(choice) for choice in completion.choices or []]
        if choices:
            self.last = completion.choices[0].message
            self.messages.append(self.last)
        return {"id": completion.id, "model": completion.model, "choices": choices, "usage": _usage_of(completion.usage)}

    def _choice(self, choice):
        message = choice.message
        read = {
            "text": message.content,
            "refusal": message.refusal,
            "reasoning": getattr(message, "reasoning_content", None),
            "finish": choice.finish_reason,
            "logprobs": choice.logprobs and choice.logprobs.content,
            "calls": _calls_of(message),
        }
        if self.typed:
            read["parsed"] = plain(message.parsed)
        return read

    async def _embed(self, ask):
        params = {"model": self.endpoint.get("embeddingModel", ask["model"]), "input": ask.get("inputs") or ask["user"]}
        if "dimensions" in ask:
            params["dimensions"] = ask["dimensions"]
        answer = await given(self.client.embeddings.create(**params))
        return {"vectors": [entry.embedding for entry in answer.data]}


def _calls_of(message):
    calls = []
    for call in message.tool_calls or []:
        if call.type == "custom":
            calls.append({"id": call.id, "name": call.custom.name, "arguments": call.custom.input, "custom": True})
        else:
            calls.append({"id": call.id, "name": call.function.name, "arguments": call.function.arguments})
    if message.function_call:
        calls.append({"name": message.function_call.name, "arguments": message.function_call.arguments})
    return calls


def _usage_of(u):
    if u is None:
        return None
    return {
        "input": u.prompt_tokens,
        "output": u.completion_tokens,
        "reasoning": getattr(u.completion_tokens_details, "reasoning_tokens", 0) or 0,
        "cacheRead": getattr(u.prompt_tokens_details, "cached_tokens", 0) or 0,
        "cacheWrite": getattr(u.prompt_tokens_details, "cache_write_tokens", 0) or 0,
    }
