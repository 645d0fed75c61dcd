// Runs every case of e2e/cases.yaml through the official SDKs of Node, against the built binary.
//
//   node main.js BINARY [FILTER…]
//
// A filter is a part of a run's name (case/endpoint/sdk/mode); all have to be in it. The results go to
// ../results/node.jsonl, a line each, and the counts to standard output.

import { installClock } from './clock.js';

installClock();
console.warn = () => {}; // the SDKs' advice to people, about old models and the like
const { loadBook, runsOf, stubsOf } = await import('./book.js');
const { hasten, speedOf, watchLateness } = await import('./clock.js');
const { CLIENTS } = await import('./drivers/index.js');
const { describe } = await import('./drivers/symptom.js');
const { forRun, Mimus } = await import('./mimus.js');
const { play, settle } = await import('./play.js');
const { Report } = await import('./report.js');

// So many runs wait for answers at the same time.
const TOGETHER = 40;

const [binary, ...filters] = process.argv.slice(2);
if (!binary) {
  console.error('usage: node main.js BINARY [FILTER…]');
  process.exit(2);
}

const book = loadBook();
const runs = runsOf(book, CLIENTS).filter((run) => filters.every((f) => run.id.includes(f)));
const playable = runs.filter((run) => !run.cannot);
const served = new Map(); // a server an endpoint: the name of the endpoint, and the stubs of its runs
for (const run of playable) {
  const stubs = stubsOf(run.case);
  run.speed = speedOf(run, stubs);
  if (!served.has(run.endpoint)) served.set(run.endpoint, []);
  served.get(run.endpoint).push(...stubs.map((stub) => forRun(hasten(stub, run.speed), run.id)));
}

const strays = []; // what no code of the SDK or of ours caught
process.on('unhandledRejection', (error) => strays.push(error));

const servers = new Map();
watchLateness();
try {
  for (const [endpoint, stubs] of served) servers.set(endpoint, await Mimus.start(binary, stubs));
  const waiting = playable.toSorted((a, b) => b.speed - a.speed);
  await Promise.all(Array.from({ length: TOGETHER }, async () => {
    for (let run = waiting.shift(); run; run = waiting.shift()) {
      await play(book, run, servers.get(run.endpoint).url).catch((error) => { run.broke = error; });
    }
  }));
  const arrived = new Map();
  for (const [endpoint, server] of servers) arrived.set(endpoint, await server.arrivals());
  for (const run of playable) {
    run.wrong = run.broke ? [`the runner broke: ${run.broke.stack}`] : settle(book, run, arrived.get(run.endpoint).get(run.id) ?? []);
    const error = run.turns?.findLast((t) => t.error)?.error;
    if (run.wrong.length && error) run.wrong.push(`the SDK's error: ${describe(error)}`);
  }
} finally {
  for (const server of servers.values()) await server.stop();
}

const report = new Report(runs, strays);
report.write(new URL('../results/node.jsonl', import.meta.url), filters.length === 0);
process.exitCode = report.print();
