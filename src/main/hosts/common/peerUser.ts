import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Both ends of a connection, as a server sees it. */
type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ROOT = 0;
/** Established, and half-closed by the server: only in these states is an end listed under root really root's (include/net/tcp_states.h). */
const HELD_STATES = new Set(['01', '08']);

/**
 * Whether the peer of a loopback connection is another user of this machine, by Linux's connection list (proc(5)). False if there is no such
 * list or the connection is not in it, as from outside a virtual machine. Root counts as the own user: it may read everything anyway, and
 * relays connections of some virtual machines. Closed ends are listed under root too, and count as another user's.
 */
export function isOfOtherUser(ends: Ends, own = process.getuid?.(), read = tableText): boolean {
  if (own === undefined) return false;
  const [local, remote] = [endOf(ends.remoteAddress, ends.remotePort), endOf(ends.localAddress, ends.localPort)];
  if (local === undefined || remote === undefined) return false;
  for (const table of TABLES) {
    for (const line of read(table).split('\n')) {
      const [, from = '', to = '', state = '', , , , uid] = line.trim().split(/\s+/);
      if (!from.endsWith(local) || !to.endsWith(remote)) continue;
      return Number(uid) === ROOT ? !HELD_STATES.has(state) : Number(uid) !== own;
    }
  }
  return false;
}

function tableText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** `127.0.0.1` (also IPv4-mapped) and a port as `0100007F:1F90`, the address in the machine's byte order. */
function endOf(address = '', port = 0): string | undefined {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  if (bytes.length !== 4 || bytes.some(Number.isNaN)) return undefined;
  const hex = bytes.reverse().map((byte) => byte.toString(16).padStart(2, '0'));
  return `${hex.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
