"""Plays one run: the turns of a case, one after another, on one client."""

import asyncio
import contextvars
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from book import want_of
from both import at_once
from clock import at_speed, now_ms
from compare import compare
from mimus import RUN_HEADER
from traffic import compare_traffic


@dataclass
class _Turn:
    start: int
    took: float  # in milliseconds
    want: dict
    wrong: list
    error: BaseException | None


async def play(book, run, url):
    """Asks every turn, and keeps when each began and what was wrong with what the SDK made of it."""
    endpoint = book["endpoints"][run.endpoint]
    run.turns = []
    with at_speed(run.speed):
        driver = run.client.driver(book, endpoint, url, {RUN_HEADER: run.id})
        try:
            for turn in run.case["turns"]:
                start = _next_moment()
                began = time.monotonic()
                outcomes = await _put_all(driver, turn["ask"], run.mode)
                took = 1000 * (time.monotonic() - began)
                want = want_of(turn, run)
                wrong = [w for got in outcomes for w in compare(endpoint, want, got)]
                error = next((got["error"] for got in outcomes if got.get("error")), None)
                run.turns.append(_Turn(start, took, want, wrong, error))
        finally:
            await driver.close()


def _next_moment():
    """The time, later than any request of the turn before by the journal's milliseconds."""
    before = now_ms()
    while now_ms() == before:
        pass
    return now_ms()


async def _put_all(driver, ask, mode):
    """Asks one turn, as often at the same time as it says: then each in a conversation of its own."""
    if "concurrent" not in ask:
        return [await driver.put(ask, mode)]
    drivers = [driver.again() for _ in range(ask["concurrent"])]
    if driver.is_async:
        return await asyncio.gather(*(d.put(ask, mode) for d in drivers))
    with ThreadPoolExecutor(len(drivers)) as pool:
        asked = [pool.submit(contextvars.copy_context().run, at_once, d.put(ask, mode)) for d in drivers]
        return [a.result() for a in asked]


def settle(book, run, arrived):
    """Adds what reached the server to what is known of a run that was played, and gives all that was wrong."""
    wrong = []
    starts = [turn.start for turn in run.turns] + [float("inf")]
    for i, turn in enumerate(run.turns):
        mine = [r for r in arrived if starts[i] <= r["request"]["loggedDate"] < starts[i + 1]]
        found = turn.wrong + compare_traffic(book["endpoints"][run.endpoint], turn.want, mine, turn.took, run.speed, run.late)
        wrong += [f"turn {i + 1}: {w}" for w in found]
    return wrong
