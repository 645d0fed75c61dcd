// Speaks Messages with @anthropic-ai/sdk, and with its clients for Vertex and Bedrock.

import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { fromJSONSchema } from 'zod';
import { modelFor } from '../book.js';
import { symptomOf } from './symptom.js';

export class MessagesDriver {
  constructor(book, endpoint, client) {
    Object.assign(this, { book, endpoint, client, messages: [] });
  }

  // params adds what a turn says to the conversation, and gives the whole request.
  params(ask) {
    this.say(ask);
    const params = { model: modelFor(this.endpoint, ask), max_tokens: ask.maxTokens ?? 4096, messages: this.messages };
    if (ask.system) params.system = ask.system;
    if (ask.stop) params.stop_sequences = ask.stop;
    if (ask.reasoning) params.thinking = { type: 'enabled', budget_tokens: 1024 };
    this.typed = Boolean(ask.schema);
    if (ask.schema) params.output_config = { format: zodOutputFormat(fromJSONSchema(this.book.schemas[ask.schema])) };
    if (ask.tools) params.tools = this.tools(ask);
    return params;
  }

  // say puts the results of the last calls and what the user says into one message, the results first.
  say(ask) {
    const ids = (this.last?.content ?? []).filter((b) => b.type === 'tool_use').map((b) => b.id);
    const content = (ask.results ?? []).map((result, i) => ({ type: 'tool_result', tool_use_id: ids[i], content: result }));
    if (ask.user) content.push({ type: 'text', text: ask.user });
    this.messages.push({ role: 'user', content });
  }

  tools(ask) {
    return ask.tools.map((name) => {
      const { description, parameters } = this.book.tools[name];
      return { name, description, input_schema: parameters };
    });
  }

  async whole(ask, signal) {
    const { messages } = this.client;
    try {
      if (ask.op) return await this.other(ask, signal);
      // parse gives no response: beside withResponse, an answer that it cannot parse would be an unhandled rejection too.
      if (ask.schema) return this.read(await messages.parse(this.params(ask), { signal }));
      const { data, response } = await messages.create(this.params(ask), { signal }).withResponse();
      return { ...this.read(data), headers: response.headers };
    } catch (error) {
      return anthropicFailure(error);
    }
  }

  // other does what is no message: counting tokens, and models.
  async other(ask, signal) {
    switch (ask.op) {
      case 'count_tokens': {
        this.say(ask);
        const count = { model: modelFor(this.endpoint, ask), messages: this.messages, system: ask.system, tools: ask.tools && this.tools(ask) };
        return { tokens: (await this.client.messages.countTokens(count, { signal })).input_tokens };
      }
      case 'get_model':
        return { models: [(await this.client.models.retrieve(ask.model, {}, { signal })).id] };
      case 'list_models': {
        const got = { models: [], pages: 0 };
        for await (const page of (await this.client.models.list({ limit: ask.limit }, { signal })).iterPages()) {
          got.pages++;
          got.models.push(...page.getPaginatedItems().map((m) => m.id));
        }
        return got;
      }
      default:
        return { symptom: `the driver knows no operation ${ask.op}` };
    }
  }

  async stream(ask, signal) {
    const stream = this.client.messages.stream(this.params(ask), { signal });
    let snapshot;
    let failure;
    stream.on('streamEvent', (event, message) => { snapshot = message; });
    try {
      const message = await stream.finalMessage();
      return { ...this.read(message), headers: stream.response?.headers };
    } catch (error) {
      failure = anthropicFailure(error);
    }
    return { ...this.read(snapshot ?? stream.currentMessage ?? {}), ...failure, headers: stream.response?.headers };
  }

  // read takes a message apart, and remembers it for the next turn.
  read(message) {
    if (typeof message !== 'object') return { symptom: 'wrong type' };
    this.last = message;
    if (message.content?.length) this.messages.push({ role: 'assistant', content: message.content });
    const u = message.usage;
    return {
      id: message.id,
      model: message.model,
      choices: [choiceOf(message, this.typed)],
      usage: u && {
        input: u.input_tokens + (u.cache_read_input_tokens ?? 0) + (u.cache_creation_input_tokens ?? 0),
        output: u.output_tokens,
        reasoning: u.output_tokens_details?.thinking_tokens ?? 0,
        cacheRead: u.cache_read_input_tokens ?? 0,
        cacheWrite: u.cache_creation_input_tokens ?? 0,
      },
    };
  }
}

function choiceOf(message, typed) {
  const choice = { finish: message.stop_reason, sequence: message.stop_sequence, parts: [], calls: [] };
  if (typed) choice.parsed = message.parsed_output;
  for (const block of message.content ?? []) {
    switch (block.type) {
      case 'text':
        choice.text = (choice.text ?? '') + block.text;
        choice.parts.push('text');
        break;
      case 'tool_use':
        choice.calls.push({ id: block.id, name: block.name, arguments: block.input });
        choice.parts.push('call');
        break;
      case 'thinking':
        choice.reasoning = (choice.reasoning ?? '') + block.thinking;
        choice.signature ||= Boolean(block.signature);
        choice.parts.push('reasoning');
        break;
      case 'redacted_thinking':
        choice.signature ||= Boolean(block.data);
        choice.redacted = true;
        choice.parts.push('reasoning');
        break;
      default:
        choice.parts.push(block.type);
    }
  }
  return choice;
}

// anthropicFailure reads an error. One inside a stream has no status of its own.
export function anthropicFailure(error) {
  if (error instanceof APIUserAbortError) return { error, symptom: 'timeout' };
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return { error, symptom: symptomOf(error) };
  const { type, message, details } = error.error?.error ?? {};
  return { error, failure: { status: error.status, type, code: details?.error_code, message, inStream: error.status === undefined } };
}
