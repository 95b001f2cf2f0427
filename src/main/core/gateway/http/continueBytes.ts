import type { Socket } from 'node:net';

/**
 * Removes "100 Continue" from the beginning of the received bytes. Some proxies send it unasked, and the HTTP client would close the
 * connection, which would leave a paid request in doubt.
 */
export function withoutContinue<Connection extends Socket>(socket: Connection): Connection {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket);
  let held: Buffer = Buffer.alloc(0);
  let begun = false;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const bytes = read(size);
      if (begun || bytes === null) return bytes;
      held = afterContinue(Buffer.concat([held, bytes]));
      if (held.length === 0 || mayBeContinue(held)) continue;
      begun = true;
      return held;
    }
  };
  return socket;
}

const FIRST_WORDS = Buffer.from('HTTP/1.1 100');
const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 8_192;

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= FIRST_WORDS.length && rest.subarray(0, FIRST_WORDS.length).equals(FIRST_WORDS)) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) break;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** Whether the bytes so far may still become a "100 Continue". */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD_BYTES) return false;
  const length = Math.min(bytes.length, FIRST_WORDS.length);
  return bytes.subarray(0, length).equals(FIRST_WORDS.subarray(0, length));
}
