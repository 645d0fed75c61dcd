// Holds what an SDK made of an answer against what the case wants of it.

import { isDeepStrictEqual } from 'node:util';
import { describe } from './drivers/symptom.js';

// compare gives a line for each thing that is wrong.
export function compare(endpoint, want, got) {
  const c = new Comparison(endpoint);
  c.same('symptom', got.symptom ?? '', want.symptom ?? '');
  c.failure(want.error, got.failure);
  if (got.error && !want.error && !want.symptom) c.wrong.push(`error: ${describe(got.error)}`);
  for (const key of ['models', 'items', 'vectors']) c.same(key, got[key] ?? null, want[key] ?? null);
  c.same('pages', got.pages ?? 0, want.pages ?? 0);
  for (const [name, value] of Object.entries(want.headers ?? {})) c.same(`header ${name}`, got.headers?.get(name), value);
  if (want.status) c.same('status', got.status, want.status);
  if (Boolean(got.tokens) !== Boolean(want.tokens)) c.wrong.push(`tokens counted: got ${got.tokens}, want a count: ${Boolean(want.tokens)}`);
  if (answers(want)) c.answer(want, got);
  else if (got.choices?.some(said)) c.wrong.push(`got an answer: ${JSON.stringify(got.choices)}`);
  return c.wrong;
}

// answers says whether an answer is wanted, or a part of one.
function answers(want) {
  if (want.none || want.tokens || want.models || want.items || want.vectors) return false;
  if (want.error || want.symptom) return Boolean(want.text || want.reasoning || want.calls || want.refusal);
  return true;
}

function said(choice) {
  return choice.text || choice.refusal || choice.reasoning || choice.calls?.length;
}

class Comparison {
  constructor(endpoint) {
    this.endpoint = endpoint;
    this.wrong = [];
  }

  same(what, got, want) {
    if (!isDeepStrictEqual(got, want)) this.wrong.push(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
  }

  // form wants a text in the provider's own form.
  form(what, got, pattern) {
    if (!new RegExp(pattern).test(got ?? '')) this.wrong.push(`${what}: got ${JSON.stringify(got)}, want ${pattern}`);
  }

  answer(want, got) {
    const broken = Boolean(want.error || want.symptom || want.finish === 'none');
    this.form('id', got.id, this.endpoint.id);
    if (!got.model && !broken) this.wrong.push('no model');
    const wanted = want.choices ?? [want];
    const choices = got.choices ?? [];
    if (choices.length !== wanted.length) {
      this.wrong.push(`choices: got ${choices.length}, want ${wanted.length}`);
      return;
    }
    wanted.forEach((w, i) => this.choice(w, choices[i], broken));
    if (want.usage) {
      const zero = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
      this.same('usage', { ...zero, ...got.usage }, { ...zero, ...want.usage });
    } else if (!broken && !(got.usage?.input && got.usage?.output)) {
      this.wrong.push(`usage: got ${JSON.stringify(got.usage)}, want tokens`);
    }
  }

  choice(want, got, broken) {
    if (want.json !== undefined) this.sameJSON('text', got.text, want.json);
    else this.same('text', got.text ?? '', want.text ?? '');
    if (want.json !== undefined && got.parsed !== undefined) this.same('parsed', got.parsed, want.json);
    for (const key of ['refusal', 'reasoning', 'sequence']) this.same(key, got[key] ?? '', want[key] ?? '');
    for (const key of ['signature', 'redacted', 'logprobs']) this.same(key, Boolean(got[key]), Boolean(want[key]));
    if (want.parts && got.parts) this.same('parts', got.parts, want.parts);
    this.calls(want.calls ?? [], got.calls ?? []);
    let finish = want.finish;
    if (!finish && broken) return;
    finish ??= want.calls?.length ? 'tool_calls' : 'complete';
    this.same(`finish, for ${finish}`, got.finish ?? '', this.endpoint.finish[finish] ?? '');
  }

  calls(want, got) {
    if (got.length !== want.length) {
      this.wrong.push(`calls: got ${JSON.stringify(got)}, want ${want.length}`);
      return;
    }
    want.forEach((w, i) => {
      const g = got[i];
      this.same("call's name", g.name, w.name);
      this.same('custom call', Boolean(g.custom), Boolean(w.custom));
      if (!w.id) this.form("call's id", g.id, this.endpoint.callId);
      else this.same("call's id", g.id ?? 'none', w.id);
      if (w.argumentsText !== undefined) this.same("call's arguments", g.arguments, w.argumentsText);
      else this.sameJSON("call's arguments", g.arguments, w.arguments ?? {});
    });
  }

  // sameJSON compares values. Where an SDK gives the text that travelled, that is read.
  sameJSON(what, got, want) {
    let value = got;
    if (typeof got === 'string') {
      try {
        value = JSON.parse(got);
      } catch {
        this.wrong.push(`${what}: got ${JSON.stringify(got)}, want the JSON ${JSON.stringify(want)}`);
        return;
      }
    }
    this.same(what, value, want);
  }

  // failure compares errors. What a case does not say of one, the endpoint's table does.
  failure(want, got) {
    if (!want || !got) {
      if (want || got) this.wrong.push(`error: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
      return;
    }
    const table = (want.inStream ? this.endpoint.streamErrors : this.endpoint.errors) ?? {};
    const usual = table[want.kind] ?? {};
    if (want.kind && !table[want.kind]) this.wrong.push(`the endpoint has no error of kind ${want.kind}`);
    for (const key of ['type', 'code', 'param']) {
      const w = want[key] ?? usual[key] ?? '';
      this.same(`error's ${key}`, String(got[key] ?? ''), w === '-' ? '' : w);
    }
    this.same("error's status", got.status ?? 0, want.status ?? usual.status ?? 0);
    this.same('error inside the stream', Boolean(got.inStream), Boolean(want.inStream));
    if (want.message === '-') this.same("error's message", got.message ?? '', '');
    else if (!got.message) this.wrong.push('the error has no message');
    else if (want.message) this.same("error's message", got.message, want.message);
  }
}
