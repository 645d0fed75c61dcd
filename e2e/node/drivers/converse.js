// Speaks Bedrock's Converse with @aws-sdk/client-bedrock-runtime. The SDK puts no stream together; the driver does.

import { ConverseCommand, ConverseStreamCommand, CountTokensCommand, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import { modelFor } from '../book.js';
import { add, awsFailure, begin, choiceOf, usageOf } from './converse_read.js';

export class ConverseDriver {
  constructor(book, endpoint, client) {
    Object.assign(this, { book, endpoint, client, messages: [] });
  }

  // input adds what a turn says to the conversation, and gives the whole request.
  input(ask) {
    this.say(ask);
    const input = { modelId: modelFor(this.endpoint, ask), messages: this.messages, inferenceConfig: {} };
    if (ask.system) input.system = [{ text: ask.system }];
    if (ask.maxTokens) input.inferenceConfig.maxTokens = ask.maxTokens;
    if (ask.stop) {
      input.inferenceConfig.stopSequences = ask.stop;
      input.additionalModelResponseFieldPaths = ['/stop_sequence'];
    }
    if (ask.reasoning) input.additionalModelRequestFields = { thinking: { type: 'enabled', budget_tokens: 1024 } };
    if (ask.schema) {
      const jsonSchema = { name: ask.schema, schema: JSON.stringify(this.book.schemas[ask.schema]) };
      input.outputConfig = { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
    }
    if (ask.tools) input.toolConfig = { tools: ask.tools.map((name) => this.tool(name)) };
    return input;
  }

  // say puts the results of the last calls and what the user says into one message, the results first.
  say(ask) {
    const content = (ask.results ?? []).map((text, i) => ({ toolResult: { toolUseId: this.calls[i].id, content: [{ text }] } }));
    if (ask.user) content.push({ text: ask.user });
    this.messages.push({ role: 'user', content });
  }

  tool(name) {
    const { description, parameters } = this.book.tools[name];
    return { toolSpec: { name, description, inputSchema: { json: parameters } } };
  }

  async whole(ask, abortSignal) {
    try {
      if (ask.op) return await this.other(ask, abortSignal);
      const input = this.input(ask);
      const { output, $metadata, ...told } = await this.client.send(new ConverseCommand(input), { abortSignal });
      return this.keep(input, $metadata, { message: output.message, ...told });
    } catch (error) {
      return awsFailure(error);
    }
  }

  async stream(ask, abortSignal) {
    const made = begin();
    let input;
    let metadata;
    try {
      input = this.input(ask);
      const { stream, $metadata } = await this.client.send(new ConverseStreamCommand(input), { abortSignal });
      metadata = $metadata;
      for await (const event of stream) add(made, event);
      return this.keep(input, metadata, made);
    } catch (error) {
      return { ...(metadata && this.keep(input, metadata, made)), ...awsFailure(error, Boolean(metadata)) };
    }
  }

  // keep tells of a message, and remembers it for the next turn. What Converse does not say of the model, the request did.
  keep(input, metadata, { message, stopReason, usage, additionalModelResponseFields }) {
    if (message?.content.length) this.messages.push(message);
    const choice = choiceOf(message, stopReason);
    choice.sequence = additionalModelResponseFields?.stop_sequence;
    this.calls = choice.calls;
    return { id: metadata.requestId, model: input.modelId, headers: this.client.headers, choices: [choice], usage: usageOf(usage) };
  }

  // other does what is no answer of a model: counting tokens, and embeddings.
  async other(ask, abortSignal) {
    switch (ask.op) {
      case 'count_tokens': {
        this.say(ask);
        const converse = { messages: this.messages, system: ask.system && [{ text: ask.system }] };
        const command = new CountTokensCommand({ modelId: modelFor(this.endpoint, ask), input: { converse } });
        return { tokens: (await this.client.send(command, { abortSignal })).inputTokens };
      }
      case 'embed': {
        const body = JSON.stringify({ inputText: ask.user, dimensions: ask.dimensions });
        const command = new InvokeModelCommand({ modelId: this.endpoint.embeddingModel, contentType: 'application/json', body });
        const answer = await this.client.send(command, { abortSignal });
        return { vectors: [JSON.parse(answer.body.transformToString()).embedding] };
      }
      default:
        return { symptom: `the driver knows no operation ${ask.op}` };
    }
  }
}
