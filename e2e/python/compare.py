"""Holds what an SDK made of an answer against what the case wants of it."""

import json
import re

from drivers.symptom import describe


def compare(endpoint, want, got):
    """A line for each thing that is wrong."""
    c = _Comparison(endpoint)
    c.same("symptom", got.get("symptom") or "", want.get("symptom", ""))
    c.failure(want.get("error"), got.get("failure"))
    if got.get("error") and not want.get("error") and not want.get("symptom"):
        c.wrong.append(f"error: {describe(got['error'])}")
    for key in ("models", "items", "vectors"):
        c.same(key, got.get(key), want.get(key))
    c.same("pages", got.get("pages", 0), want.get("pages", 0))
    for name, value in want.get("headers", {}).items():
        c.same(f"header {name}", (got.get("headers") or {}).get(name), value)
    if "status" in want:
        c.same("status", got.get("status"), want["status"])
    if bool(got.get("tokens")) != bool(want.get("tokens")):
        c.wrong.append(f"tokens counted: got {got.get('tokens')}, want a count: {bool(want.get('tokens'))}")
    if _answers(want):
        c.answer(want, got)
    elif any(map(_said, got.get("choices", []))):
        c.wrong.append(f"got an answer: {got['choices']}")
    return c.wrong


def _answers(want):
    """Says whether an answer is wanted, or a part of one."""
    if any(want.get(key) for key in ("none", "tokens", "models", "items", "vectors")):
        return False
    if want.get("error") or want.get("symptom"):
        return any(want.get(key) for key in ("text", "reasoning", "calls", "refusal"))
    return True


def _said(choice):
    return any(choice.get(key) for key in ("text", "refusal", "reasoning", "calls"))


def _alike(got, want):
    """Equality as JSON has it: 1 is 1.0, and true is not 1."""
    if isinstance(got, bool) or isinstance(want, bool):
        return got is want
    if isinstance(got, dict) and isinstance(want, dict):
        return got.keys() == want.keys() and all(_alike(got[key], want[key]) for key in got)
    if isinstance(got, list) and isinstance(want, list):
        return len(got) == len(want) and all(map(_alike, got, want))
    return got == want


class _Comparison:
    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.wrong = []

    def same(self, what, got, want):
        if not _alike(got, want):
            self.wrong.append(f"{what}: got {got!r}, want {want!r}")

    def form(self, what, got, pattern):
        """Wants a text in the provider's own form."""
        if not re.search(pattern, got or ""):
            self.wrong.append(f"{what}: got {got!r}, want {pattern}")

    def answer(self, want, got):
        broken = bool(want.get("error") or want.get("symptom") or want.get("finish") == "none")
        self.form("id", got.get("id"), self.endpoint["id"])
        if not got.get("model") and not broken:
            self.wrong.append("no model")
        wanted = want.get("choices", [want])
        choices = got.get("choices", [])
        if len(choices) != len(wanted):
            self.wrong.append(f"choices: got {len(choices)}, want {len(wanted)}")
            return
        for w, g in zip(wanted, choices):
            self.choice(w, g, broken)
        usage = got.get("usage") or {}
        if "usage" in want:
            zero = {"input": 0, "output": 0, "reasoning": 0, "cacheRead": 0, "cacheWrite": 0}
            self.same("usage", zero | usage, zero | want["usage"])
        elif not broken and not (usage.get("input") and usage.get("output")):
            self.wrong.append(f"usage: got {usage}, want tokens")

    def choice(self, want, got, broken):
        if "json" in want:
            self.same_json("text", got.get("text"), want["json"])
            if "parsed" in got:
                self.same("parsed", got["parsed"], want["json"])
        else:
            self.same("text", got.get("text") or "", want.get("text", ""))
        for key in ("refusal", "reasoning", "sequence"):
            self.same(key, got.get(key) or "", want.get(key, ""))
        for key in ("signature", "redacted", "logprobs"):
            self.same(key, bool(got.get(key)), bool(want.get(key)))
        if "parts" in want and "parts" in got:
            self.same("parts", got["parts"], want["parts"])
        self.calls(want.get("calls", []), got.get("calls", []))
        finish = want.get("finish")
        if not finish and broken:
            return
        finish = finish or ("tool_calls" if want.get("calls") else "complete")
        self.same(f"finish, for {finish}", got.get("finish") or "", self.endpoint["finish"].get(finish, ""))

    def calls(self, want, got):
        if len(got) != len(want):
            self.wrong.append(f"calls: got {got}, want {len(want)}")
            return
        for w, g in zip(want, got):
            self.same("call's name", g["name"], w["name"])
            self.same("custom call", bool(g.get("custom")), bool(w.get("custom")))
            if "id" in w:
                self.same("call's id", g.get("id") or "none", w["id"])
            else:
                self.form("call's id", g.get("id"), self.endpoint["callId"])
            if "argumentsText" in w:
                self.same("call's arguments", g["arguments"], w["argumentsText"])
            else:
                self.same_json("call's arguments", g["arguments"], w.get("arguments", {}))

    def same_json(self, what, got, want):
        """Compares values. Where an SDK gives the text that travelled, that is read."""
        value = got
        if isinstance(got, str):
            try:
                value = json.loads(got)
            except ValueError:
                self.wrong.append(f"{what}: got {got!r}, want the JSON {want!r}")
                return
        self.same(what, value, want)

    def failure(self, want, got):
        """Compares errors. What a case does not say of one, the endpoint's table does."""
        if not want or not got:
            if want or got:
                self.wrong.append(f"error: got {got!r}, want {want!r}")
            return
        in_stream = bool(want.get("inStream"))
        table = self.endpoint.get("streamErrors" if in_stream else "errors", {})
        kind = want.get("kind")
        usual = table.get(kind, {})
        if kind and kind not in table:
            self.wrong.append(f"the endpoint has no error of kind {kind}")
        for key in ("type", "code", "param"):
            w = want.get(key, usual.get(key, ""))
            self.same(f"error's {key}", str(got.get(key) or ""), "" if w == "-" else w)
        self.same("error's status", got.get("status") or 0, want.get("status", usual.get("status", 0)))
        self.same("error inside the stream", bool(got.get("inStream")), in_stream)
        message = got.get("message") or ""
        if want.get("message") == "-":
            self.same("error's message", message, "")
        elif not message:
            self.wrong.append("the error has no message")
        elif "message" in want:
            self.same("error's message", message, want["message"])
