"""The neutral words for what a client sees of a breakage."""

import json

import botocore.exceptions
import httpx
import httpx2
import pydantic
import urllib3

# What the SDKs and their HTTP clients say in words only, of errors whose class means more than one thing.
_WORDS = [
    ("without sending a response", "no answer"),
    ("before we received a valid response", "no answer"),
    ("Remote end closed connection without response", "no answer"),
    ("peer closed connection", "truncated"),
    ("IncompleteRead", "truncated"),
    ("Response ended prematurely", "truncated"),
    ("Didn't receive a `response.completed` event", "unfinished"),
]

_CLASSES = [
    ((TimeoutError, httpx.TimeoutException, httpx2.TimeoutException, botocore.exceptions.ReadTimeoutError, urllib3.exceptions.ReadTimeoutError), "timeout"),
    ((httpx.ReadError, httpx2.ReadError), "reset"),
    ((pydantic.ValidationError,), "unparsable"),
    ((json.JSONDecodeError,), "bad json"),
    ((AssertionError,), "unfinished"),  # the accumulators assert that something came
    ((IndexError,), "gap"),
    ((botocore.eventstream.ChecksumMismatch, botocore.eventstream.InvalidHeadersLength, botocore.eventstream.InvalidPayloadLength), "bad checksum"),
]


def symptom_of(error):
    """Looks for what sockets and parsers say, in an error and what caused it."""
    chain = _chain(error)
    if any(type(e) is ConnectionResetError for e in chain):  # not RemoteDisconnected, which is one
        return "reset"
    for e in chain:
        for words, symptom in _WORDS:
            if words in str(e):
                return symptom
        for classes, symptom in _CLASSES:
            if isinstance(e, classes):
                return symptom
    return f"other: {describe(error)}"


def describe(error):
    """Tells of an error with all that caused it."""
    return ", because of ".join(f"{type(e).__module__}.{type(e).__name__}: {str(e)[:300]}" for e in _chain(error))


def _chain(error):
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen
