// The neutral words for what a client sees of a breakage.

// What the SDKs themselves say of an answer that makes no sense to them.
const OWN_WORDS = [
  [/missing finish_reason|without sending any (chunks|events)|without producing a Message|Did not receive done/, 'unfinished'],
  [/Incomplete JSON segment/, 'bad json'],
  [/Failed to parse structured output/, 'unparsable'],
  [/Truncated event message/, 'truncated'],
  [/Cannot use 'in' operator/, 'wrong type'],
];

// symptomOf looks for what Node's sockets and parsers say, in an error and what caused it.
export function symptomOf(error) {
  const own = OWN_WORDS.find(([words]) => words.test(error.message));
  if (own) return own[1];
  for (let e = error; e; e = e.cause) {
    if (e.code === 'ECONNRESET' && e.message === 'socket hang up') return 'no answer';
    if (e.code === 'ECONNRESET' && e.message.startsWith('aborted')) return 'truncated';
    if (e.code === 'ERR_HTTP2_STREAM_ERROR') return 'reset';
    if (e.name === 'AbortError' || e.name === 'TimeoutError') return 'timeout';
    if (e.code === 'ECONNRESET') return 'reset';
    if (e.name === 'SyntaxError') return 'bad json';
    if (e.code === 'UND_ERR_SOCKET' && e.message === 'other side closed') return error.message === 'terminated' ? 'truncated' : 'no answer';
  }
  return `other: ${describe(error)}`;
}

// describe tells of an error with all that caused it.
export function describe(error) {
  const causes = [];
  for (let e = error; e && causes.length < 5; e = e.cause) causes.push(`${e.name}: ${e.message}${e.code ? ` (${e.code})` : ''}`);
  return causes.join(', because of ');
}
