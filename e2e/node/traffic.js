// Holds what reached the server, and when, against what the case wants.

import { lateness, milliseconds } from './clock.js';

// What a timer may be early by, in milliseconds of the wall clock.
const EARLY = 30;

// late is what it may be late by: more on a machine that is too busy for its own timers.
function late() {
  return 2000 + 3 * lateness();
}

// compareTraffic gives a line for each thing that is wrong. The times wanted are those of the run's fast clock.
export function compareTraffic(endpoint, want, arrived, took, speed) {
  const wrong = [];
  const expected = requestsOf(endpoint, want);
  if (arrived.length !== expected) wrong.push(`requests: got ${arrived.length}, want ${expected}`);
  if (want.waits) compareWaits(want.waits, arrived, speed, wrong);
  if (want.elapsed !== undefined) {
    const ms = milliseconds(want.elapsed) / speed;
    if (took < ms - EARLY || took > ms + late()) wrong.push(`it took ${took} ms, want ${want.elapsed} at ${speed} times the speed`);
  }
  const hungUp = want.hungUp ?? (want.error || want.symptom ? undefined : false);
  const last = arrived.at(-1);
  if (hungUp !== undefined && last && last.hungUp !== hungUp) wrong.push(`the client hung up: ${last.hungUp}, want ${hungUp}`);
  for (const r of arrived) {
    if (!r.wasMatched && (!want.error || want.error.inStream)) {
      wrong.push(`the server refused ${r.request.method} ${r.request.url}: ${r.response.status}, ${r.reason} ${r.nearMisses ?? ''} ${r.response.body}`);
    }
  }
  return wrong;
}

// requestsOf is how many requests are to arrive.
function requestsOf(endpoint, want) {
  const usual = want.error && !want.error.inStream && endpoint.errors[want.error.kind]?.requests;
  return want.requests || usual || Math.max(1, want.pages ?? 0);
}

// compareWaits compares the times between requests: those that were asked for, or where the SDK chooses, its own rule.
function compareWaits(want, arrived, speed, wrong) {
  if (arrived.length !== want.length + 1) {
    wrong.push(`waits: got ${arrived.length} requests, want ${want.length} waits`);
    return;
  }
  want.forEach((text, i) => {
    const got = arrived[i + 1].request.loggedDate - arrived[i].request.loggedDate;
    // Half a second, doubled for each retry, and up to a quarter less.
    const backoff = 500 * 2 ** i;
    const [least, most] = text === 'backoff' ? [backoff * 0.75, backoff] : [milliseconds(text), milliseconds(text)];
    if (got < least / speed - EARLY || got > most / speed + late()) wrong.push(`wait ${i + 1}: got ${got} ms, want ${text} at ${speed} times the speed`);
  });
}
