// Reads e2e/cases.yaml and says which runs there are. README.md beside that file says what its keys mean.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const CASES = new URL('../cases.yaml', import.meta.url);
const LANGUAGES = ['go', 'node', 'python', 'java'];
const MODES = ['whole', 'stream'];
const PROTOCOLS = ['http1', 'http2'];
const WAYS = ['sync', 'async']; // of Python and Java; a client of Node is neither

export function loadBook() {
  const book = spellOut(parse(readFileSync(CASES, 'utf8')));
  for (const c of book.cases) {
    c.selectors = [c.where, ...(c.except ?? []).map((e) => e.where), ...c.turns.flatMap((t) => (t.but ?? []).map((o) => o.where))];
    for (const word of c.selectors.flatMap(list).flatMap((s) => s.split(/\s+/))) {
      if (!known(book, word)) {
        throw new Error(`cases.yaml: case ${c.name}: no endpoint, provider, mode or language is called "${word}"`);
      }
    }
  }
  return book;
}

// spellOut puts the long texts where the cases name them: a string that is $NAME, and nothing else.
function spellOut(book) {
  let text = JSON.stringify(book);
  for (const [name, { repeat, times }] of Object.entries(book.texts)) {
    text = text.replaceAll(`"$${name}"`, () => JSON.stringify(repeat.repeat(times)));
  }
  return JSON.parse(text);
}

function known(book, word) {
  return [...MODES, ...LANGUAGES, ...PROTOCOLS, ...WAYS].includes(word) || Object.keys(book.endpoints).some((name) => namesOf(name).includes(word));
}

// namesOf are the words by which a selector may mean an endpoint: openai.chat, openai and chat.
function namesOf(endpoint) {
  const dot = endpoint.indexOf('.');
  return [endpoint, endpoint.slice(0, dot), endpoint.slice(dot + 1)];
}

function list(v) {
  return v == null ? [] : Array.isArray(v) ? v : [v];
}

// holds says whether all words of one of the selectors hold for the run.
function holds(where, run) {
  const words = [...namesOf(run.endpoint), run.mode, run.client.protocol ?? 'http1', 'node'];
  return list(where).some((selector) => selector.split(/\s+/).every((word) => words.includes(word)));
}

// runsOf are all runs of the book with the given clients; excepted ones have a reason why the SDK cannot take part.
export function runsOf(book, clients) {
  const runs = [];
  for (const c of book.cases) {
    for (const client of clients) {
      for (const mode of MODES) {
        const run = { case: c, endpoint: client.endpoint, client, mode };
        if (c.where && !holds(c.where, run)) continue;
        run.cannot = (c.except ?? []).find((e) => holds(e.where, run))?.why;
        run.id = `${c.name}/${client.endpoint}/${client.label}/${mode}`;
        runs.push(run);
      }
    }
  }
  return runs;
}

// wantOf is what the run's client must see of a turn.
export function wantOf(turn, run) {
  const want = { ...turn.expect };
  for (const { where, set } of turn.but ?? []) {
    if (!holds(where, run)) continue;
    for (const [key, value] of Object.entries(set)) {
      if (value === null) delete want[key];
      else want[key] = value;
    }
  }
  return want;
}

// whysOf are the reasons why a run is to see something else, because of its language's SDK.
export function whysOf(run) {
  return run.case.turns.flatMap((turn) => turn.but ?? [])
    .filter(({ where }) => list(where).some((selector) => selector.split(/\s+/).includes('node') && holds(selector, run)))
    .map(({ why }) => why);
}

// stubsOf are the stubs of a case; one that only has an answer gives it to every request.
export function stubsOf(c) {
  if (c.stubs) return c.stubs;
  return c.answer ? [{ answer: c.answer }] : [];
}

// modelFor is the model that a turn asks for.
export function modelFor(endpoint, ask) {
  return ask.model ?? (ask.reasoning && endpoint.reasoningModel) ?? endpoint.model;
}
