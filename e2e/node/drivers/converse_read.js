// Reads what the AWS SDK gives for Converse: a message, the events of a stream, an error.

import { symptomOf } from './symptom.js';

// begin is what a stream has told before its first event.
export function begin() {
  return { message: { role: 'assistant', content: [] } };
}

// add takes one event of a stream.
export function add(made, event) {
  const { content } = made.message;
  const [kind, value] = Object.entries(event)[0];
  switch (kind) {
    case 'contentBlockStart':
      if (value.start.toolUse) content[value.contentBlockIndex] = { toolUse: { ...value.start.toolUse, input: '' } };
      break;
    case 'contentBlockDelta':
      addDelta(content, value.contentBlockIndex, value.delta);
      break;
    case 'contentBlockStop': {
      const { toolUse } = content[value.contentBlockIndex] ?? {};
      if (toolUse) Object.assign(toolUse, parsed(toolUse.input));
      break;
    }
    case 'messageStop':
      Object.assign(made, value);
      break;
    case 'metadata':
      made.usage = value.usage;
      break;
    default:
  }
}

function addDelta(content, index, { text, toolUse, reasoningContent }) {
  if (toolUse) content[index].toolUse.input += toolUse.input;
  if (text !== undefined) content[index] = { text: (content[index]?.text ?? '') + text };
  if (reasoningContent?.redactedContent) content[index] = { reasoningContent };
  else if (reasoningContent) {
    content[index] ??= { reasoningContent: { reasoningText: { text: '' } } };
    const { reasoningText } = content[index].reasoningContent;
    reasoningText.text += reasoningContent.text ?? '';
    if (reasoningContent.signature) reasoningText.signature = reasoningContent.signature;
  }
}

// parsed is the input of a call: an object to be sent back, and the text that travelled.
function parsed(text) {
  try {
    return { input: JSON.parse(text || '{}'), text };
  } catch {
    return { input: {}, text };
  }
}

// choiceOf takes a message apart.
export function choiceOf(message, stopReason) {
  const choice = { finish: stopReason, parts: [], calls: [] };
  for (const block of message?.content ?? []) {
    if (block === undefined) continue; // a block of which no delta came
    if (block.text !== undefined) {
      choice.text = (choice.text ?? '') + block.text;
      choice.parts.push('text');
    }
    if (block.toolUse) {
      const { toolUseId, name, input, text } = block.toolUse;
      delete block.toolUse.text;
      choice.calls.push({ id: toolUseId, name, arguments: text || input });
      choice.parts.push('call');
    }
    if (block.reasoningContent) {
      const { reasoningText, redactedContent } = block.reasoningContent;
      choice.reasoning = (choice.reasoning ?? '') + (reasoningText?.text ?? '');
      choice.signature ||= Boolean(reasoningText?.signature || redactedContent);
      choice.redacted ||= Boolean(redactedContent);
      choice.parts.push('reasoning');
    }
  }
  return choice;
}

export function usageOf(u) {
  return u && {
    input: u.inputTokens + (u.cacheReadInputTokens ?? 0) + (u.cacheWriteInputTokens ?? 0),
    output: u.outputTokens,
    reasoning: 0,
    cacheRead: u.cacheReadInputTokens ?? 0,
    cacheWrite: u.cacheWriteInputTokens ?? 0,
  };
}

// awsFailure reads an error: an exception of the service's model, or the symptom of what broke.
export function awsFailure(error, inStream = false) {
  const status = error.$response?.statusCode ?? error.$metadata?.httpStatusCode;
  if (!error.$fault || (!inStream && status === undefined)) return { error, symptom: symptomOf(error) };
  return { error, failure: { status: inStream ? undefined : status, code: error.name, message: error.message, inStream } };
}
