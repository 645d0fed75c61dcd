// Speaks the Gemini API, of AI Studio and of Vertex, with @google/genai. The SDK's chats keep the conversation.

import { ApiError } from '@google/genai';
import { modelFor } from '../book.js';
import { symptomOf } from './symptom.js';

export class GeminiDriver {
  constructor(book, endpoint, client) {
    Object.assign(this, { book, endpoint, client });
  }

  // message is what a turn says: the results of the last calls, and then the user's text.
  message(ask) {
    const results = (ask.results ?? []).map((result, i) => {
      const { id, name } = this.calls[i];
      return { functionResponse: { id, name, response: { output: result } } };
    });
    return ask.user ? [...results, { text: ask.user }] : results;
  }

  config(ask, signal) {
    const config = { abortSignal: signal };
    if (ask.system) config.systemInstruction = ask.system;
    if (ask.maxTokens) config.maxOutputTokens = ask.maxTokens;
    if (ask.stop) config.stopSequences = ask.stop;
    if (ask.choices) config.candidateCount = ask.choices;
    if (ask.logprobs) Object.assign(config, { responseLogprobs: true, logprobs: ask.logprobs });
    if (ask.reasoning) config.thinkingConfig = { includeThoughts: true, thinkingLevel: ask.reasoning.toUpperCase() };
    if (ask.schema) Object.assign(config, { responseMimeType: 'application/json', responseJsonSchema: this.book.schemas[ask.schema] });
    if (ask.tools) config.tools = [{ functionDeclarations: ask.tools.map((name) => this.tool(name)) }];
    return config;
  }

  tool(name) {
    const { description, parameters } = this.book.tools[name];
    return { name, description, parametersJsonSchema: parameters };
  }

  request(ask, signal) {
    this.chat ??= this.client.chats.create({ model: modelFor(this.endpoint, ask) });
    return { message: this.message(ask), config: this.config(ask, signal) };
  }

  async whole(ask, signal) {
    try {
      if (ask.op) return await this.other(ask, signal);
      const request = this.request(ask, signal);
      return this.read([await this.chat.sendMessage(request)]);
    } catch (error) {
      return geminiFailure(error);
    }
  }

  // stream gives what the chunks say together; the SDK itself puts nothing together.
  async stream(ask, signal) {
    const chunks = [];
    try {
      const request = this.request(ask, signal);
      for await (const chunk of await this.chat.sendMessageStream(request)) chunks.push(chunk);
      return this.read(chunks);
    } catch (error) {
      return { ...this.read(chunks), ...geminiFailure(error) };
    }
  }

  // other does what is no answer of a model: counting tokens, models, and embeddings.
  async other(ask, abortSignal) {
    const { models } = this.client;
    switch (ask.op) {
      case 'count_tokens':
        return { tokens: (await models.countTokens({ model: modelFor(this.endpoint, ask), contents: ask.user, config: { abortSignal } })).totalTokens };
      case 'get_model':
        return { models: [plain((await models.get({ model: ask.model, config: { abortSignal } })).name)] };
      case 'list_models': {
        const pager = await models.list({ config: { pageSize: ask.limit, abortSignal } });
        const got = { models: pager.page.map((m) => plain(m.name)), pages: 1 };
        while (pager.hasNextPage()) {
          got.models.push(...(await pager.nextPage()).map((m) => plain(m.name)));
          got.pages++;
        }
        return got;
      }
      case 'embed': {
        const config = { outputDimensionality: ask.dimensions, abortSignal };
        const { embeddings } = await models.embedContent({ model: this.endpoint.embeddingModel, contents: ask.inputs ?? ask.user, config });
        return { vectors: embeddings.map((e) => e.values) };
      }
      default:
        return { symptom: `the driver knows no operation ${ask.op}` };
    }
  }

  // read puts chunks together; a whole answer is one.
  read(chunks) {
    const choices = [];
    const got = { choices };
    for (const chunk of chunks) {
      got.id ??= chunk.responseId;
      got.model ??= chunk.modelVersion;
      got.status ??= chunk.promptFeedback?.blockReason;
      got.headers ??= new Headers(chunk.sdkHttpResponse?.headers);
      if (chunk.usageMetadata) got.usage = usageOf(chunk.usageMetadata);
      for (const candidate of chunk.candidates ?? []) add(choices[candidate.index ?? 0] ??= { text: '', parts: [], calls: [] }, candidate);
    }
    this.calls = choices[0]?.calls;
    return got;
  }
}

// add takes one candidate of a chunk.
function add(choice, candidate) {
  if (candidate.finishReason) choice.finish = candidate.finishReason;
  if (candidate.logprobsResult) choice.logprobs = candidate.logprobsResult.chosenCandidates.length;
  for (const part of candidate.content?.parts ?? []) {
    if (part.thought) choice.reasoning = (choice.reasoning ?? '') + part.text;
    else if (part.functionCall) choice.calls.push({ id: part.functionCall.id, name: part.functionCall.name, arguments: part.functionCall.args ?? {} });
    else if (part.text !== undefined) choice.text += part.text;
    if (part.thoughtSignature) Object.assign(choice, { signature: true, redacted: !choice.reasoning });
    const kind = part.thought ? 'reasoning' : part.functionCall ? 'call' : part.text ? 'text' : undefined;
    if (kind && (kind === 'call' || choice.parts.at(-1) !== kind)) choice.parts.push(kind);
  }
}

function usageOf(u) {
  return {
    input: u.promptTokenCount ?? 0,
    output: (u.candidatesTokenCount ?? 0) + (u.thoughtsTokenCount ?? 0),
    reasoning: u.thoughtsTokenCount ?? 0,
    cacheRead: u.cachedContentTokenCount ?? 0,
    cacheWrite: 0,
  };
}

function plain(name) {
  return name.replace(/^.*\//, '');
}

// geminiFailure reads an error. The SDK keeps what the provider said as the text of its message; where that came inside a
// stream, behind words of its own.
function geminiFailure(error) {
  if (!(error instanceof ApiError)) return { error, symptom: symptomOf(error) };
  const [, inside, text] = /^(got status: \S+ )?(.*)$/s.exec(error.message);
  const { status, message, details } = JSON.parse(text).error;
  const type = details?.find((detail) => detail.reason)?.reason;
  return { error, failure: { status: error.status, type, code: status, message, inStream: Boolean(inside) } };
}
