"""Speaks the Gemini API, of AI Studio and of Vertex, with google-genai. The SDK's chats keep the conversation."""

from book import model_for
from both import given
from drivers.driver import Driver
from drivers.schema import class_of, plain
from drivers.symptom import symptom_of
from google.genai import types
from google.genai.errors import APIError


class GeminiDriver(Driver):
    """Keeps the chat, and the calls that were asked for last."""

    def begin(self):
        self.chat = None
        self.calls = []

    @property
    def sdk(self):
        """The side of the client that is sync, or the one that is not."""
        return self.client.aio if self.is_async else self.client

    async def close(self):
        for client in self.clients:
            client.close()
            if self.is_async:
                await client.aio.aclose()

    def _message(self, ask):
        """What a turn says: the results of the last calls, and then the user's text."""
        parts = [types.Part(function_response=types.FunctionResponse(id=call["id"], name=call["name"], response={"output": result}))
                 for call, result in zip(self.calls, ask.get("results", []))]
        if "user" in ask:
            parts.append(types.Part(text=ask["user"]))
        return parts

    def _config(self, ask):
        config = {}
        for key, name in (("system", "system_instruction"), ("maxTokens", "max_output_tokens"), ("stop", "stop_sequences"), ("choices", "candidate_count")):
            if key in ask:
                config[name] = ask[key]
        if "logprobs" in ask:
            config |= {"response_logprobs": True, "logprobs": ask["logprobs"]}
        if "reasoning" in ask:
            config["thinking_config"] = types.ThinkingConfig(include_thoughts=True, thinking_level=ask["reasoning"].upper())
        self.typed = "schema" in ask
        if self.typed:
            # As a class of pydantic's is by default: AI Studio's own form of schemas cannot say additionalProperties.
            schema = class_of(ask["schema"], self.book["schemas"][ask["schema"]], extra=None)
            config |= {"response_mime_type": "application/json", "response_schema": schema}
        if "tools" in ask:
            config["tools"] = [types.Tool(function_declarations=[self._tool(name) for name in ask["tools"]])]
        return types.GenerateContentConfig(**config)

    def _tool(self, name):
        tool = self.book["tools"][name]
        return types.FunctionDeclaration(name=name, description=tool["description"], parameters_json_schema=tool["parameters"])

    def _request(self, ask):
        self.chat = self.chat or self.sdk.chats.create(model=model_for(self.endpoint, ask))
        return {"message": self._message(ask), "config": self._config(ask)}

    async def whole(self, ask, patience):
        try:
            async with patience.kept():
                if "op" in ask:
                    return await self._other(ask)
                request = self._request(ask)
                return self.read([await given(self.chat.send_message(**request))])
        except Exception as error:
            return gemini_failure(error)

    async def stream(self, ask, patience):
        """Gives what the chunks say together; the SDK itself puts nothing together."""
        chunks = []
        try:
            async with patience.kept():
                request = self._request(ask)
                async for chunk in patience.each(await given(self.chat.send_message_stream(**request))):
                    chunks.append(chunk)
                return self.read(chunks)
        except Exception as error:
            return self.read(chunks) | gemini_failure(error, bool(chunks))

    async def _other(self, ask):
        """Does what is no answer of a model: counting tokens, models, and embeddings."""
        models = self.sdk.models
        match ask["op"]:
            case "count_tokens":
                return {"tokens": (await given(models.count_tokens(model=model_for(self.endpoint, ask), contents=ask["user"]))).total_tokens}
            case "get_model":
                return {"models": [_plain_name(await given(models.get(model=ask["model"])))]}
            case "list_models":
                pager = await given(models.list(config={"page_size": ask["limit"]} if "limit" in ask else None))
                got = {"models": [*map(_plain_name, pager.page)], "pages": 1}
                while pager.config.get("page_token"):
                    got["models"] += map(_plain_name, await given(pager.next_page()))
                    got["pages"] += 1
                return got
            case "embed":
                config = types.EmbedContentConfig(output_dimensionality=ask.get("dimensions"))
                asked = models.embed_content(model=self.endpoint["embeddingModel"], contents=ask.get("inputs") or ask["user"], config=config)
                return {"vectors": [embedding.values for embedding in (await given(asked)).embeddings]}
            case op:
                return {"symptom": f"the driver knows no operation {op}"}

    def read(self, chunks):
        """Puts chunks together; a whole answer is one."""
        got = {}
        choices = {}
        for chunk in chunks:
            got["id"] = got.get("id") or chunk.response_id
            got["model"] = got.get("model") or chunk.model_version
            got["status"] = got.get("status") or (chunk.prompt_feedback and chunk.prompt_feedback.block_reason.value)
            got["headers"] = got.get("headers") or _headers_of(chunk)
            if chunk.usage_metadata:
                got["usage"] = _usage_of(chunk.usage_metadata)
            for candidate in chunk.candidates or []:
                _add(choices.setdefault(candidate.index or 0, {"text": "", "parts": [], "calls": []}), candidate)
            if self.typed and len(chunks) == 1 and choices:
                choices[0]["parsed"] = plain(chunk.parsed)
        got["choices"] = [choices[i] for i in sorted(choices)]
        self.calls = got["choices"][0]["calls"] if got["choices"] else []
        return got


def _headers_of(chunk):
    response = chunk.sdk_http_response
    return {name.title(): value for name, value in response.headers.items()} if response and response.headers else None


def _add(choice, candidate):
    """Takes one candidate of a chunk."""
    if candidate.finish_reason:
        choice["finish"] = candidate.finish_reason.value
    if candidate.logprobs_result:
        choice["logprobs"] = candidate.logprobs_result.chosen_candidates
    for part in (candidate.content and candidate.content.parts) or []:
        kind = None
        if part.thought:
            kind = "reasoning"
            choice["reasoning"] = choice.get("reasoning", "") + part.text
        elif part.function_call:
            kind = "call"
            call = part.function_call
            choice["calls"].append({"id": call.id, "name": call.name, "arguments": call.args or {}})
        elif part.text:
            kind = "text"
            choice["text"] += part.text
        if part.thought_signature:
            choice |= {"signature": True, "redacted": not choice.get("reasoning")}
        if kind and (kind == "call" or choice["parts"][-1:] != [kind]):
            choice["parts"].append(kind)


def _usage_of(u):
    thoughts = u.thoughts_token_count or 0
    return {
        "input": u.prompt_token_count or 0,
        "output": (u.candidates_token_count or 0) + thoughts,
        "reasoning": thoughts,
        "cacheRead": u.cached_content_token_count or 0,
        "cacheWrite": 0,
    }


def _plain_name(model):
    return model.name.rsplit("/", 1)[-1]


def gemini_failure(error, in_stream=False):
    """Reads an error. The SDK keeps what the provider said as its details."""
    if not isinstance(error, APIError):
        return {"error": error, "symptom": symptom_of(error)}
    told = error.details.get("error", error.details) if isinstance(error.details, dict) else {}
    reasons = [detail["reason"] for detail in told.get("details", []) if "reason" in detail]
    failure = {"status": error.code, "type": reasons[0] if reasons else None, "code": error.status, "message": error.message,
               "inStream": in_stream or getattr(error.response, "status_code", error.code) == 200}
    return {"error": error, "failure": failure}
