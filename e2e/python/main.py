"""Runs every case of e2e/cases.yaml through the official SDKs of Python, against the built binary.

    python main.py BINARY [FILTER…]

A filter is a part of a run's name (case/endpoint/sdk/mode); all have to be in it. The results go to
../results/python.jsonl, a line each, and the counts to standard output.
"""

import asyncio
import contextvars
import functools
import logging
import os
import ssl
import sys
import threading
import time
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clock import Lateness, hasten, install_clock, times_of

install_clock()
ssl.create_default_context = functools.cache(ssl.create_default_context)  # nothing speaks TLS; each client would read all authorities anew
os.environ |= {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "AWS_EC2_METADATA_DISABLED": "true"}
logging.disable()  # the SDKs log what they cannot read; the runner tells of it
warnings.simplefilter("ignore")

from book import load_book, runs_of, stubs_of  # noqa: E402
from both import at_once  # noqa: E402
from drivers import CLIENTS  # noqa: E402
from drivers.symptom import describe  # noqa: E402
from mimus import Mimus, for_run  # noqa: E402
from play import play, settle  # noqa: E402
from report import Report  # noqa: E402

# So many runs wait for answers at the same time.
TOGETHER = 40

# By so many seconds timers fire too late to say anything about times.
TOO_LATE = 0.1

RESULTS = Path(__file__).parent.parent / "results" / "python.jsonl"


class Suite:
    """The runs, and the servers that they share: one for each client."""

    def __init__(self, binary, book, lateness):
        self.binary = binary
        self.book = book
        self.lateness = lateness

    async def play_all(self, runs, together):
        """Plays runs, so many at a time, and keeps what was wrong."""
        stubs = {}
        for run in runs:
            mine = stubs_of(run.case)
            run.speed, run.timed = times_of(run, mine)
            stubs.setdefault(run.client, []).extend(for_run(hasten(stub, run.speed), run.id) for stub in mine)
        servers = {}
        try:
            for client, its in stubs.items():
                servers[client] = Mimus(self.binary, its)
            waiting = sorted(runs, key=lambda run: run.speed)
            with ThreadPoolExecutor(together) as threads:
                await asyncio.gather(*(self._work(waiting, servers, threads) for _ in range(together)))
            arrived = {client: server.arrivals() for client, server in servers.items()}
            for run in runs:
                self._judge(run, arrived[run.client][run.id])
        finally:
            for server in servers.values():
                server.stop()

    async def _work(self, waiting, servers, threads):
        while waiting:
            run = waiting.pop()
            run.broke = None
            began = time.monotonic()
            playing = play(self.book, run, servers[run.client].url)
            try:
                if run.client.is_async:
                    await asyncio.create_task(playing)
                else:
                    context = contextvars.copy_context()
                    await asyncio.get_running_loop().run_in_executor(threads, context.run, at_once, playing)
            except Exception as error:  # whatever it is, it is this run's alone
                run.broke = error
            run.late = self.lateness.since(began)

    def _judge(self, run, arrived):
        if run.broke:
            run.wrong = ["the runner broke: " + "".join(traceback.format_exception(run.broke))]
            return
        run.wrong = settle(self.book, run, arrived)
        error = next((turn.error for turn in reversed(run.turns) if turn.error), None)
        if run.wrong and error:
            run.wrong.append(f"the SDK's error: {describe(error)}")


async def main(binary, filters):
    """Plays the runs and gives the exit status."""
    book = load_book()
    runs = [run for run in runs_of(book, CLIENTS) if all(f in run.id for f in filters)]
    strays = []
    threading.excepthook = lambda args: strays.append(describe(args.exc_value))
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: strays.append(str(context)))
    lateness = Lateness()
    watching = asyncio.create_task(lateness.watch())
    suite = Suite(binary, book, lateness)
    await suite.play_all([run for run in runs if not run.cannot], TOGETHER)
    # What a case says of times proves nothing while the machine is too busy for its own timers.
    disturbed = [run for run in runs if run.wrong and run.timed and run.late > TOO_LATE]
    if disturbed:
        print(f"The machine was too busy for its own timers; {len(disturbed)} runs about times are played again.")
        await suite.play_all(disturbed, 4)
    watching.cancel()
    report = Report(runs, strays)
    if not filters:
        report.write(RESULTS)
    return report.print()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python main.py BINARY [FILTER…]")
    sys.exit(asyncio.run(main(sys.argv[1], sys.argv[2:])))
