// Speaks Ollama's own API with ollama. The SDK puts no stream together; the driver does.

import { modelFor } from '../book.js';
import { symptomOf } from './symptom.js';

export class OllamaDriver {
  // connect makes a client whose requests a signal ends: the SDK itself takes one for streams only.
  constructor(book, endpoint, connect) {
    Object.assign(this, { book, endpoint, client: connect, messages: [] });
  }

  // request adds what a turn says to the conversation, and gives the whole request.
  request(ask) {
    if (ask.system) this.messages.push({ role: 'system', content: ask.system });
    (ask.results ?? []).forEach((content, i) => {
      this.messages.push({ role: 'tool', tool_name: this.calls[i].name, tool_call_id: this.calls[i].id, content });
    });
    if (ask.user) this.messages.push({ role: 'user', content: ask.user });
    const request = { model: modelFor(this.endpoint, ask), messages: this.messages, options: {} };
    if (ask.maxTokens) request.options.num_predict = ask.maxTokens;
    if (ask.stop) request.options.stop = ask.stop;
    if (ask.reasoning) request.think = ask.reasoning;
    if (ask.logprobs) Object.assign(request, { logprobs: true, top_logprobs: ask.logprobs });
    if (ask.schema) request.format = this.book.schemas[ask.schema];
    if (ask.tools) request.tools = ask.tools.map((name) => this.tool(name));
    return request;
  }

  tool(name) {
    const { description, parameters } = this.book.tools[name];
    return { type: 'function', function: { name, description, parameters } };
  }

  async whole(ask, signal) {
    const seen = {};
    const client = this.client(signal, seen);
    try {
      if (ask.op) return await other(client, this.endpoint, ask);
      return { ...this.read([await client.chat(this.request(ask))]), headers: seen.headers };
    } catch (error) {
      return ollamaFailure(error);
    }
  }

  async stream(ask, signal) {
    const seen = {};
    const records = [];
    try {
      for await (const record of await this.client(signal, seen).chat({ ...this.request(ask), stream: true })) records.push(record);
      return { ...this.read(records), headers: seen.headers };
    } catch (error) {
      return { ...this.read(records), ...ollamaFailure(error), headers: seen.headers };
    }
  }

  // read puts records together, and remembers the message for the next turn; a whole answer is one record.
  read(records) {
    if (records.length === 0) return {};
    const message = { role: 'assistant', content: '' };
    const choice = { parts: [], calls: [] };
    const part = (kind) => { if (kind === 'call' || choice.parts.at(-1) !== kind) choice.parts.push(kind); };
    let last = {};
    for (const record of records) {
      if (typeof record !== 'object' || !record.message) return { symptom: 'wrong type' };
      const { thinking, content, tool_calls: calls } = record.message;
      if (thinking) { message.thinking = (message.thinking ?? '') + thinking; part('reasoning'); }
      if (content) { message.content += content; part('text'); }
      for (const call of calls ?? []) {
        (message.tool_calls ??= []).push(call);
        choice.calls.push({ id: call.id, name: call.function.name, arguments: call.function.arguments });
        part('call');
      }
      if (record.logprobs) choice.logprobs = record.logprobs.length;
      last = record;
    }
    this.messages.push(message);
    this.calls = choice.calls;
    Object.assign(choice, { text: message.content, reasoning: message.thinking, finish: last.done_reason });
    const usage = last.done && { input: last.prompt_eval_count, output: last.eval_count, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    return { id: '', model: last.model, choices: [choice], usage: usage || undefined };
  }
}

// other does what is no answer of a model: models, and embeddings.
async function other(client, endpoint, ask) {
  switch (ask.op) {
    case 'list_models':
      return { models: (await client.list()).models.map((m) => m.name), pages: 1 };
    case 'get_model':
      await client.show({ model: ask.model });
      return { models: [ask.model] };
    case 'embed': {
      const { embeddings } = await client.embed({ model: endpoint.embeddingModel, input: ask.inputs ?? ask.user, dimensions: ask.dimensions });
      return { vectors: embeddings };
    }
    default:
      return { symptom: `the driver knows no operation ${ask.op}` };
  }
}

// ollamaFailure reads an error. One inside a stream is an Error with the server's words, and nothing else.
function ollamaFailure(error) {
  if (error.name === 'ResponseError') return { error, failure: { status: error.status_code, message: error.error, inStream: false } };
  const symptom = symptomOf(error);
  if (error.constructor === Error && symptom.startsWith('other')) return { error, failure: { message: error.message, inStream: true } };
  return { error, symptom };
}
