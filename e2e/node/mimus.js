// Runs the built binary with the stubs of many runs, and asks it afterwards what arrived.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// The header by which a run's requests are known to its own stubs.
export const RUN_HEADER = 'X-Run';

export class Mimus {
  // start serves the stubs, and resolves once the server listens.
  static async start(binary, stubs) {
    const mimus = new Mimus();
    mimus.dir = mkdtempSync(join(tmpdir(), 'mimus-e2e-node-'));
    writeFileSync(join(mimus.dir, 'stubs.json'), JSON.stringify({ stubs }));
    mimus.process = spawn(binary, ['serve', '--addr', '127.0.0.1:0', mimus.dir], { stdio: ['ignore', 'pipe', 'pipe'] });
    mimus.log = '';
    mimus.process.stderr.on('data', (chunk) => { mimus.log = (mimus.log + chunk).slice(-20_000); });
    mimus.url = await new Promise((listening, failed) => {
      createInterface({ input: mimus.process.stdout }).once('line', (line) => listening(line.match(/http:\S+/)[0]));
      mimus.process.once('error', failed);
      mimus.process.once('exit', (code) => failed(new Error(`mimus ended with ${code}: ${mimus.log}`)));
    });
    return mimus;
  }

  // arrivals are the requests that came, by the run that they belong to, oldest first.
  async arrivals() {
    const response = await fetch(`${this.url}/__admin/requests`);
    const { requests, forgotten } = await response.json();
    if (forgotten) throw new Error('the journal was full: fewer runs have to share a server');
    const byRun = new Map();
    for (const r of requests.reverse()) {
      const id = r.request.headers[RUN_HEADER];
      if (!byRun.has(id)) byRun.set(id, []);
      byRun.get(id).push(r);
    }
    return byRun;
  }

  async stop() {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.removeAllListeners('exit').once('exit', () => {});
    this.process.kill('SIGKILL');
    await Promise.race([ended, new Promise((done) => setTimeout(done, 1000))]);
    rmSync(this.dir, { recursive: true });
  }
}

// forRun lets a stub answer one run only.
export function forRun(stub, id) {
  const when = { ...stub.when, header: { ...stub.when?.header, [RUN_HEADER]: id } };
  return { ...stub, when };
}
