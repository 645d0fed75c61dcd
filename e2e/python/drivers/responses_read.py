"""Reads what openai gives for a response: the whole object, or the events of a stream that ended early."""

from drivers.schema import plain


def choice_of(response, typed):
    """Takes a response apart. Where it was asked for with a schema, the SDK has parsed it."""
    choice = {"finish": "" if response.status == "in_progress" else response.status, "parts": [], "calls": []}
    if typed:
        choice["parsed"] = plain(response.output_parsed)
    if response.incomplete_details and response.incomplete_details.reason:
        choice["finish"] += f" {response.incomplete_details.reason}"
    for item in response.output or []:
        _add(choice, item)
    return choice


def _add(choice, item):
    match item.type:
        case "message":
            for part in item.content or []:
                _add_part(choice, part)
        case "reasoning":
            text = "".join(summary.text for summary in item.summary or [])
            choice["reasoning"] = choice.get("reasoning", "") + text
            choice["signature"] = choice.get("signature") or bool(item.encrypted_content)
            choice["redacted"] = choice.get("redacted") or bool(item.encrypted_content and not text)
            choice["parts"].append("reasoning")
        case "function_call":
            choice["calls"].append({"id": item.call_id, "name": item.name, "arguments": item.arguments})
            choice["parts"].append("call")
        case "custom_tool_call":
            choice["calls"].append({"id": item.call_id, "name": item.name, "arguments": item.input, "custom": True})
            choice["parts"].append("call")
        case kind:
            choice["parts"].append(kind)


def _add_part(choice, part):
    if part.type == "refusal":
        choice["refusal"] = choice.get("refusal", "") + part.refusal
        choice["parts"].append("refusal")
    else:
        choice["text"] = choice.get("text", "") + part.text
        choice["logprobs"] = choice.get("logprobs") or part.logprobs
        choice["parts"].append("text")


def usage_of(u):
    """The counts of a response."""
    if u is None:
        return None
    return {
        "input": u.input_tokens,
        "output": u.output_tokens,
        "reasoning": getattr(u.output_tokens_details, "reasoning_tokens", 0) or 0,
        "cacheRead": getattr(u.input_tokens_details, "cached_tokens", 0) or 0,
        "cacheWrite": getattr(u.input_tokens_details, "cache_write_tokens", 0) or 0,
    }


class Partial:
    """Keeps what the events of a stream tell: for the case that the last of them never comes, or that it is one of those of
    which the SDK's accumulator makes no final response."""

    def __init__(self):
        self.id = None
        self.text = ""
        self.ended = None
        self.failure = None

    def add(self, event):
        if event.type == "response.created":
            self.id = event.response.id
        if event.type == "response.output_text.delta":
            self.text += event.delta
        if event.type in ("response.incomplete", "response.failed"):
            self.ended = event.response
        if event.type == "error":  # the SDK raises what is nested; what is flat is an event to it
            self.failure = {"code": event.code, "param": event.param, "message": event.message, "inStream": True}

    def outcome(self):
        return {"id": self.id, "choices": [{"text": self.text}]}
