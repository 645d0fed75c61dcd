"""Runs the built binary with the stubs of many runs, and asks it afterwards what arrived."""

import json
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections import defaultdict
from pathlib import Path

# The header by which a run's requests are known to its own stubs.
RUN_HEADER = "X-Run"


class Mimus:
    """A server of its own process."""

    def __init__(self, binary, stubs):
        """Serves the stubs, and returns once the server listens."""
        self.dir = Path(tempfile.mkdtemp(prefix="mimus-e2e-python-"))
        (self.dir / "stubs.json").write_text(json.dumps({"stubs": stubs}), encoding="utf-8")
        self.log = open(self.dir / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen([binary, "serve", "--addr", "127.0.0.1:0", str(self.dir / "stubs.json")],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        listening = re.search(r"http:\S+", line)
        if not listening:
            self.process.wait()
            self.log.seek(0)
            log = self.log.read()
            self.stop()
            raise RuntimeError(f"mimus does not listen: {line}{log[-20000:]}")
        self.url = listening[0]

    def arrivals(self):
        """The requests that came, by the run that they belong to, oldest first."""
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{self.url}/__admin/requests") as response:
            journal = json.load(response)
        if journal.get("forgotten"):
            raise RuntimeError("the journal was full: fewer runs have to share a server")
        by_run = defaultdict(list)
        for request in reversed(journal["requests"]):
            by_run[request["request"]["headers"].get(RUN_HEADER)].append(request)
        return by_run

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()
        shutil.rmtree(self.dir)


def for_run(stub, run_id):
    """Lets a stub answer one run only."""
    when = stub.get("when", {})
    return stub | {"when": when | {"header": when.get("header", {}) | {RUN_HEADER: run_id}}}
