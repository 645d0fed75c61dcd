// Reads what the openai SDK gives for a response: the whole object, or the events of a stream that ended early.

// choiceOf takes a response apart. Where it was asked for with a schema, the SDK has parsed it.
export function choiceOf(response, typed) {
  const finish = response.status === 'in_progress' ? '' : response.status; // a stream that ended early has none yet
  const choice = { finish, parsed: typed ? response.output_parsed : undefined, parts: [], calls: [] };
  if (response.incomplete_details?.reason) choice.finish += ` ${response.incomplete_details.reason}`;
  for (const item of response.output ?? []) add(choice, item);
  return choice;
}

function add(choice, item) {
  switch (item.type) {
    case 'message':
      for (const part of item.content ?? []) {
        if (part.type === 'refusal') {
          choice.refusal = (choice.refusal ?? '') + part.refusal;
          choice.parts.push('refusal');
        } else {
          choice.text = (choice.text ?? '') + part.text;
          choice.logprobs ||= part.logprobs?.length;
          choice.parts.push('text');
        }
      }
      break;
    case 'reasoning': {
      const text = (item.summary ?? []).map((s) => s.text).join('');
      choice.reasoning = (choice.reasoning ?? '') + text;
      choice.signature ||= Boolean(item.encrypted_content);
      choice.redacted ||= Boolean(item.encrypted_content) && !text;
      choice.parts.push('reasoning');
      break;
    }
    case 'function_call':
      choice.calls.push({ id: item.call_id, name: item.name, arguments: item.arguments });
      choice.parts.push('call');
      break;
    case 'custom_tool_call':
      choice.calls.push({ id: item.call_id, name: item.name, arguments: item.input, custom: true });
      choice.parts.push('call');
      break;
    default:
      choice.parts.push(item.type);
  }
}

// Partial keeps what the events of a stream tell, for the case that the last of them never comes.
export class Partial {
  constructor() {
    this.text = '';
  }

  add(event) {
    if (event.type === 'response.created') this.id = event.response.id;
    if (event.type === 'response.output_text.delta') this.text += event.delta;
  }

  outcome() {
    return { id: this.id, choices: [{ text: this.text }] };
  }
}
