// Plays one run: the turns of a case, one after another, on one client.

import { wantOf } from './book.js';
import { atSpeed, lateness, milliseconds } from './clock.js';
import { compare } from './compare.js';
import { RUN_HEADER } from './mimus.js';
import { compareTraffic } from './traffic.js';

// play asks every turn, and keeps when each began and what was wrong with what the SDK made of it.
export async function play(book, run, url) {
  const endpoint = book.endpoints[run.endpoint];
  run.turns = [];
  const began = Date.now();
  await atSpeed(run.speed, async () => {
    const driver = run.client.driver(book, endpoint, { url, headers: { [RUN_HEADER]: run.id } });
    for (const turn of run.case.turns) {
      const start = await nextMoment();
      const all = await putAll(driver, turn.ask, run.mode);
      const took = Date.now() - start;
      const want = wantOf(turn, run);
      run.turns.push({ start, took, want, wrong: all.flatMap((got) => compare(endpoint, want, got)), error: all.find((got) => got.error)?.error });
    }
  });
  run.late = lateness(began);
}

// nextMoment is the time, later than any request of the turn before by the journal's milliseconds.
async function nextMoment() {
  const before = Date.now();
  while (Date.now() === before) await new Promise((done) => { setImmediate(done); });
  return Date.now();
}

// putAll asks one turn, as often at the same time as it says: then each in a conversation of its own.
function putAll(driver, ask, mode) {
  const again = () => new driver.constructor(driver.book, driver.endpoint, driver.client);
  const drivers = ask.concurrent ? Array.from({ length: ask.concurrent }, again) : [driver];
  return Promise.all(drivers.map((d) => put(d, ask, mode)));
}

// put asks one turn, within its deadline.
async function put(driver, ask, mode) {
  const giveUp = new AbortController();
  const timer = ask.deadline && setTimeout(() => giveUp.abort(), milliseconds(ask.deadline));
  try {
    if ((mode === 'stream' && !ask.op) || ask.op === 'retrieve_stream') return await driver.stream(ask, giveUp.signal);
    return await driver.whole(ask, giveUp.signal);
  } finally {
    clearTimeout(timer);
  }
}

// settle adds what reached the server to what is known of a run that was played, and gives all that was wrong.
export function settle(book, run, arrived) {
  const starts = run.turns.map((t) => t.start);
  return run.turns.flatMap((turn, i) => {
    const mine = arrived.filter((r) => r.request.loggedDate >= starts[i] && !(r.request.loggedDate >= starts[i + 1]));
    const wrong = [...turn.wrong, ...compareTraffic(book.endpoints[run.endpoint], turn.want, mine, turn.took, run.speed)];
    return wrong.map((w) => `turn ${i + 1}: ${w}`);
  });
}
