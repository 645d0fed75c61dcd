// The neutral words for what a client sees of a breakage.

// symptomOf looks for what Node's sockets and parsers say, in an error and what caused it.
export function symptomOf(error) {
  for (let e = error; e; e = e.cause) {
    if (e.name === 'AbortError' || e.name === 'TimeoutError') return 'timeout';
    if (e.code === 'ECONNRESET') return 'reset';
    if (e.name === 'SyntaxError') return 'bad json';
    if (e.code === 'UND_ERR_SOCKET' && e.message === 'other side closed') return error.message === 'terminated' ? 'truncated' : 'no answer';
  }
  if (/missing finish_reason|without sending any chunks/.test(error.message)) return 'unfinished';
  const causes = [];
  for (let e = error; e && causes.length < 5; e = e.cause) causes.push(`${e.name}: ${e.message}${e.code ? ` (${e.code})` : ''}`);
  return `other: ${causes.join(' < ')}`;
}
