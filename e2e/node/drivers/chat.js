// Speaks Chat Completions with openai.

import { zodResponseFormat } from 'openai/helpers/zod';
import { fromJSONSchema } from 'zod';
import { modelFor } from '../book.js';
import { models, openAIFailure } from './openai.js';

export class ChatDriver {
  constructor(book, endpoint, client) {
    Object.assign(this, { book, endpoint, client, messages: [] });
  }

  // params adds what a turn says to the conversation, and gives the whole request.
  params(ask) {
    if (ask.system) this.messages.push({ role: 'system', content: ask.system });
    (ask.results ?? []).forEach((content, i) => {
      if (ask.legacy) this.messages.push({ role: 'function', name: this.last.function_call.name, content });
      else this.messages.push({ role: 'tool', tool_call_id: this.last.tool_calls[i].id, content });
    });
    if (ask.user) this.messages.push({ role: 'user', content: ask.user });
    this.typed = Boolean(ask.schema);
    const params = { model: modelFor(this.endpoint, ask), messages: this.messages };
    if (ask.maxTokens) params.max_completion_tokens = ask.maxTokens;
    if (ask.choices) params.n = ask.choices;
    if (ask.logprobs) Object.assign(params, { logprobs: true, top_logprobs: ask.logprobs });
    if (ask.reasoning) params.reasoning_effort = ask.reasoning;
    if (ask.stop) params.stop = ask.stop;
    if (ask.schema) params.response_format = zodResponseFormat(fromJSONSchema(this.book.schemas[ask.schema]), ask.schema);
    for (const name of ask.tools ?? []) {
      const { description, parameters, custom } = this.book.tools[name];
      if (ask.legacy) (params.functions ??= []).push({ name, description, parameters });
      else if (custom) (params.tools ??= []).push({ type: 'custom', custom: { name, description } });
      else (params.tools ??= []).push({ type: 'function', function: { name, description, parameters } });
    }
    return params;
  }

  // whole asks for an answer in one piece; with a schema, by the SDK's typed parser.
  async whole(ask, signal) {
    const done = await models(this.client, ask, signal);
    if (done) return done;
    if (ask.op === 'embed') return this.embed(ask, signal);
    const { chat } = this.client;
    try {
      const { data, response } = await (ask.schema
        ? chat.completions.parse(this.params(ask), { signal }).withResponse()
        : chat.completions.create(this.params(ask), { signal }).withResponse());
      return { ...this.read(data), headers: response.headers };
    } catch (error) {
      return openAIFailure(error);
    }
  }

  // stream asks for a stream, and gives what the SDK's accumulator makes of it.
  async stream(ask, signal) {
    const stream = this.client.chat.completions.stream({ ...this.params(ask), stream_options: { include_usage: true } }, { signal });
    let snapshot = {};
    stream.on('chunk', (chunk, made) => { snapshot = made; });
    try {
      return this.read(await stream.finalChatCompletion());
    } catch (error) {
      return { ...this.read(snapshot), ...openAIFailure(error) };
    }
  }

  // read takes a completion apart, and remembers its message for the next turn.
  read(completion) {
    if (typeof completion !== 'object') return { symptom: 'wrong type' };
    const choices = (completion.choices ?? []).map(({ message, finish_reason, logprobs }) => ({
      text: message.content,
      parsed: this.typed ? message.parsed : undefined,
      refusal: message.refusal,
      reasoning: message.reasoning_content ?? message.reasoning,
      finish: finish_reason,
      logprobs: logprobs?.content?.length,
      calls: callsOf(message),
    }));
    const first = completion.choices?.[0]?.message;
    if (first) {
      this.last = first;
      this.messages.push(first);
    }
    return { id: completion.id, model: completion.model, choices, usage: usageOf(completion.usage) };
  }

  async embed(ask, signal) {
    try {
      const { data } = await this.client.embeddings.create({ model: this.endpoint.embeddingModel ?? ask.model, input: ask.inputs ?? ask.user, dimensions: ask.dimensions }, { signal });
      return { vectors: data.map((d) => d.embedding) };
    } catch (error) {
      return openAIFailure(error);
    }
  }
}

function callsOf(message) {
  const calls = (message.tool_calls ?? []).map((t) => (t.type === 'custom'
    ? { id: t.id, name: t.custom.name, arguments: t.custom.input, custom: true }
    : { id: t.id, name: t.function.name, arguments: t.function.arguments }));
  if (message.function_call) calls.push({ name: message.function_call.name, arguments: message.function_call.arguments });
  return calls;
}

function usageOf(u) {
  return u && {
    input: u.prompt_tokens,
    output: u.completion_tokens,
    reasoning: u.completion_tokens_details?.reasoning_tokens ?? 0,
    cacheRead: u.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWrite: u.prompt_tokens_details?.cache_write_tokens ?? 0,
  };
}
