"""Reads what boto3 gives for Converse: a message, the events of a stream, an error."""

import json

from botocore.exceptions import ClientError, EventStreamError
from drivers.symptom import symptom_of


def begin():
    """What a stream has told before its first event."""
    return {"message": {"role": "assistant", "content": []}}


def add(made, event):
    """Takes one event of a stream."""
    content = made["message"]["content"]
    [(kind, value)] = event.items()
    match kind:
        case "contentBlockStart":
            if "toolUse" in value["start"]:
                content.append({"toolUse": value["start"]["toolUse"] | {"input": ""}})
        case "contentBlockDelta":
            if "contentBlockIndex" in value:  # the SDK reads what is no JSON as an event that says nothing
                _add_delta(content, value["contentBlockIndex"], value["delta"])
        case "contentBlockStop":
            index = value["contentBlockIndex"]
            if index < len(content) and "toolUse" in content[index]:
                content[index]["toolUse"] |= _parsed(content[index]["toolUse"]["input"])
        case "messageStop":
            made |= value
        case "metadata":
            made["usage"] = value["usage"]


def _add_delta(content, index, delta):
    if index == len(content):
        content.append({})
    block = content[index]
    if "toolUse" in delta:
        block["toolUse"]["input"] += delta["toolUse"]["input"]
    if "text" in delta:
        block["text"] = block.get("text", "") + delta["text"]
    reasoning = delta.get("reasoningContent", {})
    if "redactedContent" in reasoning:
        block["reasoningContent"] = reasoning
    elif reasoning:
        told = block.setdefault("reasoningContent", {"reasoningText": {"text": ""}})["reasoningText"]
        told["text"] += reasoning.get("text", "")
        if "signature" in reasoning:
            told["signature"] = reasoning["signature"]


def _parsed(text):
    """The input of a call: an object to be sent back, and the text that travelled."""
    try:
        return {"input": json.loads(text or "{}"), "told": text}
    except ValueError:
        return {"input": {}, "told": text}


def choice_of(message, stop_reason):
    """Takes a message apart."""
    choice = {"finish": stop_reason, "parts": [], "calls": []}
    for block in message["content"] if message else []:
        if "text" in block:
            choice["text"] = choice.get("text", "") + block["text"]
            choice["parts"].append("text")
        if "toolUse" in block:
            use = block["toolUse"]
            choice["calls"].append({"id": use["toolUseId"], "name": use["name"], "arguments": use.pop("told", None) or use["input"]})
            choice["parts"].append("call")
        if "reasoningContent" in block:
            told = block["reasoningContent"].get("reasoningText", {})
            redacted = block["reasoningContent"].get("redactedContent")
            choice["reasoning"] = choice.get("reasoning", "") + told.get("text", "")
            choice["signature"] = choice.get("signature") or bool(told.get("signature") or redacted)
            choice["redacted"] = choice.get("redacted") or bool(redacted)
            choice["parts"].append("reasoning")
    return choice


def usage_of(u):
    """The counts of an answer."""
    if not u:
        return None
    read, written = u.get("cacheReadInputTokens", 0), u.get("cacheWriteInputTokens", 0)
    return {"input": u["inputTokens"] + read + written, "output": u["outputTokens"], "reasoning": 0, "cacheRead": read, "cacheWrite": written}


def aws_failure(error):
    """Reads an error: an exception of the service's model, or the symptom of what broke."""
    if not isinstance(error, ClientError):
        return {"error": error, "symptom": symptom_of(error)}
    in_stream = isinstance(error, EventStreamError)
    told = error.response["Error"]
    status = None if in_stream else error.response["ResponseMetadata"]["HTTPStatusCode"]
    code = told["Code"]
    if in_stream:  # inside a stream, the name of the member stands for that of the exception
        code = code[0].upper() + code[1:]
    return {"error": error, "failure": {"status": status, "code": code, "message": told.get("Message"), "inStream": in_stream}}
