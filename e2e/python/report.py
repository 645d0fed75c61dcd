"""Tells what the runs came to: failures and counts for people, a line a run for the page on compatibility."""

import json

from book import whys_of


class Report:
    """The outcome of all runs; strays is what no code of the SDKs or of ours caught."""

    def __init__(self, runs, strays):
        self.runs = runs
        self.strays = strays

    def write(self, file):
        """Keeps the results."""
        file.parent.mkdir(exist_ok=True)
        lines = [json.dumps({"language": "python", "sdk": run.client.label, "version": run.client.version, "endpoint": run.endpoint,
                             "case": run.case["name"], "mode": run.mode} | _verdict(run), ensure_ascii=False) for run in self.runs]
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def print(self):
        """Tells of failures and counts, and gives the exit status."""
        failed = [run for run in self.runs if run.wrong]
        cannot = [run for run in self.runs if run.cannot]
        for run in failed:
            print(f"FAIL {run.id}", *run.wrong, sep="\n    ")
        for stray in self.strays:
            print(f"FAIL nobody caught it: {stray}")
        failures = len(failed) + len(self.strays)
        print("official SDKs of Python:")
        for run in cannot:
            print(f"skipped: {run.id}: {run.cannot}")
        print(f"{len(self.runs) - len(failed) - len(cannot)} passed, {failures} failed")
        return 1 if failures or len(self.runs) == len(cannot) else 0


def _verdict(run):
    if run.cannot:
        return {"result": "cannot", "why": run.cannot}
    if run.wrong:
        return {"result": "fail", "why": "; ".join(run.wrong)}
    return {"result": "pass", "why": "; ".join(dict.fromkeys(whys_of(run)))}
