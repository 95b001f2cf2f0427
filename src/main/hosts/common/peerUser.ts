import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The ends of a connection, as a server sees it. */
type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ROOT = 0;
/** Established, and half-closed by the server: the states in which an end of which the list says root is root's (include/net/tcp_states.h). */
const HELD_STATES = new Set(['01', '08']);

/**
 * Whether the other end of a loopback connection belongs to another user of this machine, by Linux's list of connections (proc(5)). Where
 * there is no such list, or the connection is not in it, such as one that comes from outside of a virtual machine, nobody can say: false.
 * Root may read everything anyway, and relays connections into some virtual machines; an end that was closed already is listed as root's
 * too, whosever it was, and is taken for another user's.
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

/** `127.0.0.1`, also as IPv6 maps it, and a port as `0100007F:1F90`: the bytes of the address are in the order of the machine. */
function endOf(address = '', port = 0): string | undefined {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  if (bytes.length !== 4 || bytes.some(Number.isNaN)) return undefined;
  const hex = bytes.reverse().map((byte) => byte.toString(16).padStart(2, '0'));
  return `${hex.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
