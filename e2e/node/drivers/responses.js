// Speaks Responses with openai.

import { zodTextFormat } from 'openai/helpers/zod';
import { fromJSONSchema } from 'zod';
import { modelFor } from '../book.js';
import { sleep, milliseconds } from '../clock.js';
import { allPages, models, openAIFailure } from './openai.js';
import { choiceOf, Partial } from './responses_read.js';

export class ResponsesDriver {
  constructor(book, endpoint, client) {
    Object.assign(this, { book, endpoint, client, input: [] });
  }

  // params adds what a turn says to the conversation, and gives the whole request. A turn that continues a stored response
  // sends what is new only.
  params(ask) {
    const calls = (this.last?.output ?? []).filter((item) => item.type === 'function_call' || item.type === 'custom_tool_call');
    const items = (ask.results ?? []).map((output, i) => ({ type: `${calls[i].type}_output`, call_id: calls[i].call_id, output }));
    if (ask.user) items.push({ role: 'user', content: ask.user });
    this.input.push(...items);
    const params = { model: modelFor(this.endpoint, ask), input: this.input };
    if (ask.continue) Object.assign(params, { previous_response_id: ask.id ?? this.last.id, input: items });
    if (ask.system) params.instructions = ask.system;
    if (ask.maxTokens) params.max_output_tokens = ask.maxTokens;
    if (ask.background) params.background = true;
    if (ask.logprobs) Object.assign(params, { top_logprobs: ask.logprobs, include: ['message.output_text.logprobs'] });
    if (ask.reasoning) {
      params.reasoning = { effort: ask.reasoning, summary: 'auto' };
      params.include = ['reasoning.encrypted_content'];
    }
    this.typed = Boolean(ask.schema);
    if (ask.schema) params.text = { format: zodTextFormat(fromJSONSchema(this.book.schemas[ask.schema]), ask.schema) };
    if (ask.tools) params.tools = ask.tools.map((name) => this.tool(name));
    return params;
  }

  tool(name) {
    const { description, parameters, custom } = this.book.tools[name];
    if (custom) return { type: 'custom', name, description };
    return { type: 'function', name, description, parameters, strict: false };
  }

  async whole(ask, signal) {
    const done = await models(this.client, ask, signal);
    if (done) return done;
    try {
      if (ask.op) return await this.stored(ask, signal);
      const { data, response } = await (ask.schema
        ? this.client.responses.parse(this.params(ask), { signal }).withResponse()
        : this.client.responses.create(this.params(ask), { signal }).withResponse());
      return { ...this.read(data), headers: response.headers };
    } catch (error) {
      return openAIFailure(error);
    }
  }

  // stored does what can be done with a response that was answered before.
  async stored(ask, signal) {
    const { responses } = this.client;
    const id = ask.id ?? this.last?.id;
    switch (ask.op) {
      case 'retrieve':
        if (ask.wait) await sleep(milliseconds(ask.wait));
        return this.read(await responses.retrieve(id, {}, { signal }));
      case 'delete':
        await responses.delete(id, { signal });
        return {};
      case 'cancel':
        return this.read(await responses.cancel(id, { signal }));
      case 'input_items':
        return allPages(responses.inputItems.list(id, { order: 'asc', limit: ask.limit }, { signal }), 'items', (item) => item.type);
      case 'count_tokens': {
        const count = { model: modelFor(this.endpoint, ask), instructions: ask.system, input: ask.user, tools: ask.tools?.map((name) => this.tool(name)) };
        return { tokens: (await responses.inputTokens.count(count, { signal })).input_tokens };
      }
      default:
        return { symptom: `the driver knows no operation ${ask.op}` };
    }
  }

  // stream gives the response that the SDK's accumulator makes of the events. Where the stream ended early, it is what the
  // events had told.
  async stream(ask, signal) {
    const partial = new Partial();
    try {
      const { responses } = this.client;
      const stream = ask.op === 'retrieve_stream'
        ? responses.stream({ response_id: ask.id ?? this.last.id, starting_after: ask.startingAfter }, { signal })
        : responses.stream(this.params(ask), { signal });
      stream.on('event', (event) => partial.add(event));
      return this.read(await stream.finalResponse());
    } catch (error) {
      return { ...partial.outcome(), ...openAIFailure(error) };
    }
  }

  // read takes a response apart, and remembers its items for the next turn.
  read(response) {
    if (typeof response !== 'object') return { symptom: 'wrong type' };
    this.last = response;
    this.input.push(...(response.output ?? []));
    const u = response.usage;
    return {
      id: response.id,
      model: response.model,
      status: response.status,
      choices: [choiceOf(response, this.typed)],
      usage: u && {
        input: u.input_tokens,
        output: u.output_tokens,
        reasoning: u.output_tokens_details?.reasoning_tokens ?? 0,
        cacheRead: u.input_tokens_details?.cached_tokens ?? 0,
        cacheWrite: u.input_tokens_details?.cache_write_tokens ?? 0,
      },
      failure: response.status === 'failed' ? { code: response.error.code, message: response.error.message, inStream: true } : undefined,
    };
  }
}
