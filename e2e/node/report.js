// Tells what the runs came to: failures and counts for people, a line a run for the page on compatibility.

import { mkdirSync, writeFileSync } from 'node:fs';
import { whysOf } from './book.js';

export class Report {
  constructor(runs, strays) {
    this.runs = runs;
    this.strays = strays;
  }

  // write keeps the results of a complete run.
  write(file, complete) {
    if (!complete) return;
    mkdirSync(new URL('.', file), { recursive: true });
    const lines = this.runs.map((run) => JSON.stringify({
      language: 'node', sdk: run.client.label, version: run.client.version, endpoint: run.endpoint, case: run.case.name, mode: run.mode, ...verdict(run) }));
    writeFileSync(file, `${lines.join('\n')}\n`);
  }

  // print tells of failures and counts, and gives the exit status.
  print(say) {
    const failed = this.runs.filter((run) => run.wrong?.length);
    const cannot = this.runs.filter((run) => run.cannot);
    for (const run of failed) say(`FAIL ${run.id}\n    ${run.wrong.join('\n    ')}`);
    for (const error of this.strays) say(`FAIL an unhandled rejection: ${error.stack}`);
    const failures = failed.length + this.strays.length;
    say('official SDKs of Node:');
    for (const run of cannot) say(`skipped: ${run.id}: ${run.cannot}`);
    say(`${this.runs.length - failed.length - cannot.length} passed, ${failures} failed`);
    return failures > 0 || this.runs.length === cannot.length ? 1 : 0;
  }
}

function verdict(run) {
  if (run.cannot) return { result: 'cannot', why: run.cannot };
  if (run.wrong.length) return { result: 'fail', why: run.wrong.join('; ') };
  return { result: 'pass', why: [...new Set(whysOf(run))].join('; ') };
}
