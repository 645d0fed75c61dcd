// Makes time pass faster where a case takes minutes. A case that waits for long runs on a clock of its own: its stubs
// wait so many times less, and so do the timers that the SDK sets while it runs, among them those of its retries. What
// travels (a Retry-After) stays as the case says it, and the timers inside fetch are not touched.

import { AsyncLocalStorage } from 'node:async_hooks';
import { wantOf } from './book.js';

// A case takes no longer than this by the wall clock.
const LONGEST = 3000;

const speed = new AsyncLocalStorage();
const realSetTimeout = globalThis.setTimeout;
const realFetch = globalThis.fetch;

// installClock lets timers heed the speed of the run that sets them. It comes before any SDK is loaded.
export function installClock() {
  function setTimeout(fn, delay, ...args) {
    return realSetTimeout(fn, delay > 0 ? delay / (speed.getStore() ?? 1) : delay, ...args);
  }
  Object.defineProperties(setTimeout, Object.getOwnPropertyDescriptors(realSetTimeout));
  globalThis.setTimeout = setTimeout;
  globalThis.fetch = (...request) => speed.exit(() => realFetch(...request));
}

// atSpeed runs fn, and all that it starts, on a clock that is so many times faster.
export function atSpeed(factor, fn) {
  return speed.run(factor, fn);
}

// How late timers fired, in milliseconds, and when: what a busy machine makes of them.
const late = [];

// watchLateness measures that while the suite runs.
export function watchLateness() {
  const every = 50;
  let due = Date.now() + every;
  setInterval(() => {
    const now = Date.now();
    if (now - due > 20) late.push({ at: now, by: now - due });
    due = now + every;
  }, every).unref();
}

// lateness is how late timers have fired at most since a moment.
export function lateness(since = 0) {
  return late.reduce((most, { at, by }) => (at >= since ? Math.max(most, by) : most), 0);
}

export function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

// timesOf says how many times faster than the wall clock a run has to be, and whether it is about times at all.
export function timesOf(run, stubs) {
  const wants = run.case.turns.map((turn) => wantOf(turn, run));
  const times = [...run.case.turns.flatMap(({ ask }) => [ask.deadline, ask.wait]), ...wants.map((want) => want.elapsed)];
  for (const stub of stubs) {
    times.push(stub.delay, stub.pace?.firstToken, ...answersOf(stub).map((a) => a.stallFor));
  }
  const longest = Math.max(...times.map(milliseconds));
  return { speed: Math.max(1, longest / LONGEST), timed: longest > 0 || wants.some((want) => want.waits) };
}

// hasten makes a stub wait so many times less.
export function hasten(stub, factor) {
  const fast = structuredClone(stub);
  shorten(fast, 'delay', factor);
  for (const answer of answersOf(fast)) shorten(answer, 'stallFor', factor);
  if (fast.pace) {
    shorten(fast.pace, 'firstToken', factor);
    if (fast.pace.tokensPerSecond) fast.pace.tokensPerSecond *= factor;
  }
  return fast;
}

function answersOf(stub) {
  return stub.answers ?? (stub.answer ? [stub.answer] : []);
}

function shorten(object, key, factor) {
  if (object[key] !== undefined) object[key] = milliseconds(object[key]) / factor / 1000;
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

// milliseconds reads a time as the cases have it: 250ms, 1.5s, 10m, or a number of seconds.
export function milliseconds(text) {
  if (text === undefined || text === null) return 0;
  if (typeof text === 'number') return text * 1000;
  const [, number, unit] = /^([0-9.]+)(ms|s|m|h)$/.exec(text) ?? [];
  if (!unit) throw new Error(`"${text}" is no time; write 250ms, 1.5s or 10m`);
  return Number(number) * UNITS[unit];
}
