"""Makes time pass faster where a case takes minutes.

A case that waits for long runs on a clock of its own: its stubs wait so many times less, and so does the SDK where it sleeps
while the case runs, before it tries again. What travels (a Retry-After) stays as the case says it.
"""

import asyncio
import contextlib
import contextvars
import copy
import re
import time

from book import wants_of

# A case takes no longer than so many seconds by the wall clock.
LONGEST = 2.5

_speed = contextvars.ContextVar("speed", default=1.0)
_real_sleep = time.sleep
_real_async_sleep = asyncio.sleep


def install_clock():
    """Lets sleep heed the speed of the run that sleeps. It comes before any SDK is loaded."""

    def sleep(seconds):
        _real_sleep(seconds / _speed.get())

    async def async_sleep(delay, result=None):
        return await _real_async_sleep(delay / _speed.get(), result)

    time.sleep = sleep
    asyncio.sleep = async_sleep


@contextlib.contextmanager
def at_speed(factor):
    """Lets all that is done inside, and in threads that carry its context, live on a clock that is so many times faster."""
    token = _speed.set(factor)
    try:
        yield
    finally:
        _speed.reset(token)


def hastened(seconds):
    """A time of the run's own clock, by the wall clock."""
    return seconds / _speed.get()


def now_ms():
    """The time as the server's journal has it."""
    return time.time_ns() // 1_000_000


class Lateness:
    """How late timers fire while the suite runs: what a busy machine makes of them."""

    def __init__(self):
        self.late = []

    async def watch(self):
        """Measures until it is cancelled."""
        while True:
            due = time.monotonic() + 0.05
            await _real_async_sleep(0.05)
            by = time.monotonic() - due
            if by > 0.02:
                self.late.append((time.monotonic(), by))

    def since(self, moment):
        """The most, in seconds, that a timer was late by since a moment of the monotonic clock."""
        return max((by for at, by in self.late if at >= moment), default=0)


def times_of(run, stubs):
    """How many times faster than the wall clock a run has to be, and whether it is about times at all."""
    wants = wants_of(run)
    times = [turn["ask"].get(key) for turn in run.case["turns"] for key in ("deadline", "wait")]
    times += [want.get("elapsed") for want in wants]
    for stub in stubs:
        times += [stub.get("delay"), stub.get("pace", {}).get("firstToken")]
        times += [answer.get("stallFor") for answer in _answers_of(stub)]
    longest = max(map(seconds_of, times))
    return max(1.0, longest / LONGEST), longest > 0 or any(want.get("waits") for want in wants)


def hasten(stub, factor):
    """Makes a stub wait so many times less."""
    fast = copy.deepcopy(stub)
    _shorten(fast, "delay", factor)
    for answer in _answers_of(fast):
        _shorten(answer, "stallFor", factor)
    pace = fast.get("pace", {})
    _shorten(pace, "firstToken", factor)
    if "tokensPerSecond" in pace:
        pace["tokensPerSecond"] *= factor
    return fast


def _answers_of(stub):
    return stub.get("answers") or [stub.get("answer", {})]


def _shorten(things, key, factor):
    if key in things:
        things[key] = seconds_of(things[key]) / factor


_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}


def seconds_of(text):
    """Reads a time as the cases have it: 250ms, 1.5s, 10m, or a number of seconds."""
    if text is None:
        return 0
    if isinstance(text, (int, float)):
        return text
    found = re.fullmatch(r"([0-9.]+)(ms|s|m|h)", text)
    if not found:
        raise ValueError(f'"{text}" is no time; write 250ms, 1.5s or 10m')
    return float(found[1]) * _UNITS[found[2]]
