// What both of OpenAI's drivers have in common: models, and errors.

import { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { symptomOf } from './symptom.js';

// models answers the operations on models; nothing, where the turn asks for something else.
export async function models(client, ask, signal) {
  try {
    if (ask.op === 'get_model') return { models: [(await client.models.retrieve(ask.model, { signal })).id] };
    if (ask.op !== 'list_models') return undefined;
    return await allPages(client.models.list({ signal }), 'models', (m) => m.id);
  } catch (error) {
    return openAIFailure(error);
  }
}

// allPages reads a list to its end.
export async function allPages(list, key, nameOf) {
  const got = { [key]: [], pages: 0 };
  for await (const page of (await list).iterPages()) {
    got.pages++;
    got[key].push(...page.getPaginatedItems().map(nameOf));
  }
  return got;
}

// openAIFailure reads an error: what the provider said, or the symptom of what broke.
export function openAIFailure(error) {
  if (error instanceof APIUserAbortError) return { error, symptom: 'timeout' };
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return { error, symptom: symptomOf(error) };
  const { status, type, code, param } = error;
  const message = error.error?.message;
  return { error, failure: { status, type, code, param, message, inStream: status === undefined } };
}
