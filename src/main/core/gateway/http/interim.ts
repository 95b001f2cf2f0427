import type { Socket } from 'node:net';

/**
 * Takes "100 Continue" from the front of what a connection brings. Some proxies send it though nobody waits for it, and the HTTP
 * client would end the connection over it, which would put a paid order in doubt.
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
const LONGEST_HEAD = 8_192;

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= FIRST_WORDS.length && rest.subarray(0, FIRST_WORDS.length).equals(FIRST_WORDS)) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) break;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** What is here so far may still turn out to be one. */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > LONGEST_HEAD) return false;
  const length = Math.min(bytes.length, FIRST_WORDS.length);
  return bytes.subarray(0, length).equals(FIRST_WORDS.subarray(0, length));
}
