"""Reads e2e/cases.yaml and says which runs there are. README.md beside that file says what its keys mean."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

CASES = Path(__file__).parent.parent / "cases.yaml"
LANGUAGES = ["go", "node", "python", "java"]
MODES = ["whole", "stream"]
PROTOCOLS = ["http1", "http2"]
WAYS = ["sync", "async"]


@dataclass
class Run:
    """One case on one client in one mode, and what came of it."""

    case: dict
    client: Any  # of drivers.CLIENTS
    mode: str
    cannot: str | None = None  # why the SDK cannot take part
    speed: float = 1.0
    timed: bool = False
    late: float = 0.0
    turns: list = field(default_factory=list)
    broke: BaseException | None = None
    wrong: list = field(default_factory=list)

    @property
    def endpoint(self):
        return self.client.endpoint

    @property
    def id(self):
        return f"{self.case['name']}/{self.endpoint}/{self.client.label}/{self.mode}"


def load_book():
    """The book of the cases, with every text spelt out and every selector known."""
    with open(CASES, encoding="utf-8") as file:
        raw = yaml.load(file, yaml.CSafeLoader)
    texts = {f"${name}": text["repeat"] * text["times"] for name, text in raw["texts"].items()}
    book = _spell_out(raw, texts)
    known = {*LANGUAGES, *MODES, *PROTOCOLS, *WAYS}.union(*map(_names_of, book["endpoints"]))
    for case in book["cases"]:
        for word in _words_of(case):
            if word not in known:
                raise ValueError(f"cases.yaml: case {case['name']}: no endpoint, provider, mode or language is called \"{word}\"")
    return book


def _spell_out(value, texts):
    """Puts the long texts where the cases name them: a string that is $NAME, and nothing else."""
    if isinstance(value, dict):
        return {key: _spell_out(v, texts) for key, v in value.items()}
    if isinstance(value, list):
        return [_spell_out(v, texts) for v in value]
    return texts.get(value, value) if isinstance(value, str) else value


def _words_of(case):
    wheres = [case.get("where"), *(e["where"] for e in case.get("except", []))]
    wheres += [but["where"] for turn in case["turns"] for but in turn.get("but", [])]
    return [word for where in wheres for selector in _listed(where) for word in selector.split()]


def _names_of(endpoint):
    """The words by which a selector may mean an endpoint: openai.chat, openai and chat."""
    return [endpoint, *endpoint.split(".")]


def _listed(value):
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _holding(where, run):
    """Those of the selectors all of whose words hold for the run."""
    words = {*_names_of(run.endpoint), run.mode, "http1", "python", "async" if run.client.is_async else "sync"}
    return [selector for selector in _listed(where) if words.issuperset(selector.split())]


def runs_of(book, clients):
    """All runs of the book with the given clients; excepted ones have a reason why the SDK cannot take part."""
    runs = []
    for case in book["cases"]:
        for client in clients:
            for mode in MODES:
                run = Run(case, client, mode)
                if "where" in case and not _holding(case["where"], run):
                    continue
                run.cannot = next((e["why"] for e in case.get("except", []) if _holding(e["where"], run)), None)
                runs.append(run)
    return runs


def want_of(turn, run):
    """What the run's client must see of a turn."""
    want = dict(turn["expect"])
    for but in turn.get("but", []):
        if _holding(but["where"], run):
            want |= but["set"]
    return {key: value for key, value in want.items() if value is not None}


def wants_of(run):
    """What it must see of every turn."""
    return [want_of(turn, run) for turn in run.case["turns"]]


def whys_of(run):
    """The reasons why a run is to see something else, because of its language's SDK."""
    buts = [but for turn in run.case["turns"] for but in turn.get("but", [])]
    return [but["why"] for but in buts if any("python" in selector.split() for selector in _holding(but["where"], run))]


def stubs_of(case):
    """The stubs of a case; one that only has an answer gives it to every request."""
    if "stubs" in case:
        return case["stubs"]
    return [{"answer": case["answer"]}] if "answer" in case else []


def model_for(endpoint, ask):
    """The model that a turn asks for."""
    return ask.get("model") or (ask.get("reasoning") and endpoint.get("reasoningModel")) or endpoint["model"]
