"""Holds what reached the server, and when, against what the case wants."""

from clock import seconds_of

# What a wait may seem shorter by, in milliseconds: the journal's own last digit, at both ends. Nothing that sleeps wakes
# early, and a request that arrives late arrives before the answer on which the SDK starts to wait.
EARLY = 2


def compare_traffic(endpoint, want, arrived, took, speed, lateness):
    """A line for each thing that is wrong. The times wanted are those of the run's fast clock."""
    wrong = []
    latest = 2000 + 3000 * lateness  # what it may be late by: more on a machine that is too busy for its own timers
    expected = _requests_of(endpoint, want)
    if len(arrived) != expected:
        wrong.append(f"requests: got {len(arrived)}, want {expected}")
    if want.get("waits"):
        _compare_waits(want["waits"], arrived, speed, latest, wrong)
    if "elapsed" in want:
        ms = 1000 * seconds_of(want["elapsed"]) / speed
        if not ms - EARLY <= took <= ms + latest:
            wrong.append(f"it took {took} ms, want {want['elapsed']} at {speed:.4g} times the speed")
    hung_up = want.get("hungUp", None if want.get("error") or want.get("symptom") else False)
    if hung_up is not None and arrived and arrived[-1]["hungUp"] != hung_up:
        wrong.append(f"the client hung up: {arrived[-1]['hungUp']}, want {hung_up}")
    for r in arrived:
        if not r["wasMatched"] and ("error" not in want or want["error"].get("inStream")):
            wrong.append(f"the server refused {r['request']['method']} {r['request']['url']}: {r['response']['status']}, "
                         f"{r.get('reason')} {r.get('nearMisses', '')} {r['response'].get('body')}")
    return wrong


def _requests_of(endpoint, want):
    """How many requests are to arrive."""
    error = want.get("error")
    usual = error and not error.get("inStream") and endpoint["errors"].get(error.get("kind"), {}).get("requests")
    return want.get("requests") or usual or max(1, want.get("pages", 0))


def _compare_waits(want, arrived, speed, latest, wrong):
    """Compares the times between requests: those that were asked for, or where the SDK chooses, its own rule."""
    if len(arrived) != len(want) + 1:
        wrong.append(f"waits: got {len(arrived)} requests, want {len(want)} waits")
        return
    for i, text in enumerate(want):
        got = arrived[i + 1]["request"]["loggedDate"] - arrived[i]["request"]["loggedDate"]
        # Half a second, doubled for each retry, and up to a quarter less.
        backoff = 500 * 2**i
        least, most = (backoff * 0.75, backoff) if text == "backoff" else (1000 * seconds_of(text),) * 2
        if not least / speed - EARLY <= got <= most / speed + latest:
            wrong.append(f"wait {i + 1}: got {got} ms, want {text} at {speed:.4g} times the speed")
