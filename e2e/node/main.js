// Runs every case of e2e/cases.yaml through the official SDKs of Node, against the built binary.
//
//   node main.js BINARY [FILTER…]
//
// A filter is a part of a run's name (case/endpoint/sdk/mode); all have to be in it. The results go to
// ../results/node.jsonl, a line each, and the counts to standard output.

import { installClock } from './clock.js';

installClock();
const print = console.log;
for (const level of ['log', 'warn', 'error']) console[level] = () => {}; // what SDKs say to people, about old models and the like
const { loadBook, runsOf, stubsOf } = await import('./book.js');
const { hasten, timesOf, watchLateness } = await import('./clock.js');
const { CLIENTS } = await import('./drivers/index.js');
const { describe } = await import('./drivers/symptom.js');
const { forRun, Mimus } = await import('./mimus.js');
const { play, settle } = await import('./play.js');
const { Report } = await import('./report.js');

// So many runs wait for answers at the same time.
const TOGETHER = 40;

// By so many milliseconds timers fire too late to say anything about times.
const TOO_LATE = 100;

const [binary, ...filters] = process.argv.slice(2);
if (!binary) {
  print('usage: node main.js BINARY [FILTER…]');
  process.exit(2);
}

const book = loadBook();
const runs = runsOf(book, CLIENTS).filter((run) => filters.every((f) => run.id.includes(f)));
const strays = []; // what no code of the SDK or of ours caught
process.on('unhandledRejection', (error) => strays.push(error));
watchLateness();

await playAll(runs.filter((run) => !run.cannot), TOGETHER);
// What a case says of times proves nothing while the machine is too busy for its own timers.
const disturbed = runs.filter((run) => run.wrong?.length && run.timed && run.late > TOO_LATE);
if (disturbed.length > 0) {
  print(`The machine was too busy for its own timers; ${disturbed.length} runs about times are played again.`);
  await playAll(disturbed, 4);
}

const report = new Report(runs, strays);
report.write(new URL('../results/node.jsonl', import.meta.url), filters.length === 0);
process.exitCode = report.print(print);

// playAll plays runs, so many at a time, each endpoint's on a server of its own, and keeps what was wrong.
async function playAll(some, together) {
  const stubs = new Map();
  for (const run of some) {
    const mine = stubsOf(run.case);
    Object.assign(run, timesOf(run, mine));
    if (!stubs.has(run.endpoint)) stubs.set(run.endpoint, []);
    stubs.get(run.endpoint).push(...mine.map((stub) => forRun(hasten(stub, run.speed), run.id)));
  }
  const servers = new Map();
  try {
    for (const [endpoint, its] of stubs) servers.set(endpoint, await Mimus.start(binary, its));
    const waiting = some.toSorted((a, b) => b.speed - a.speed);
    await Promise.all(Array.from({ length: together }, async () => {
      for (let run = waiting.shift(); run; run = waiting.shift()) {
        run.broke = undefined;
        await play(book, run, servers.get(run.endpoint).url).catch((error) => { run.broke = error; });
      }
    }));
    const arrived = new Map();
    for (const [endpoint, server] of servers) arrived.set(endpoint, await server.arrivals());
    for (const run of some) judge(run, arrived.get(run.endpoint).get(run.id) ?? []);
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

function judge(run, arrived) {
  run.wrong = run.broke ? [`the runner broke: ${run.broke.stack}`] : settle(book, run, arrived);
  const error = run.turns.findLast((t) => t.error)?.error;
  if (run.wrong.length && error) run.wrong.push(`the SDK's error: ${describe(error)}`);
}
