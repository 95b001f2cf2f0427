import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { isOfOtherUser } from './peerUser.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (from: string, to: string, uid: number) =>
  `   3: ${from} ${to} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 35129 1 0000000000000000 20 4 30 10 -1\n`;
const ends = { remoteAddress: '127.0.0.1', remotePort: 0xd431, localAddress: '127.0.0.1', localPort: 0x1f90 };
const [CLIENT, SERVER] = ['0100007F:D431', '0100007F:1F90'];
const MAPPED = '0000000000000000FFFF0000';
/** The list has both ends of each connection, and others. */
const listed = (uid: number, before = '') =>
  HEAD +
  line('0100007F:D432', SERVER, 5) +
  line(SERVER, `${before}${CLIENT}`, 1_000) +
  line(`${before}${CLIENT}`, `${before}${SERVER}`, uid);

test.each([
  ['the same user', listed(1_000), '', false],
  ['another user', listed(1_001), '', true],
  ['another user, by an IPv6 socket', HEAD, listed(1_001, MAPPED), true],
  ['root', listed(0), '', false],
  ['nobody that is listed', HEAD, '', false],
  ['a list that cannot be read', '', '', false],
])('%s', (_who, four, six, isOther) => {
  const read = (path: string) => (path.endsWith('6') ? six : four);
  expect(isOfOtherUser(ends, 1_000, read)).toBe(isOther);
});

test('addresses that are not of IPv4, and a system without user ids, say nothing', () => {
  expect(isOfOtherUser({ ...ends, remoteAddress: '::1' }, 1_000, () => listed(1_001))).toBe(false);
  expect(isOfOtherUser({ ...ends, remoteAddress: undefined }, 1_000, () => listed(1_001))).toBe(false);
});

test.skipIf(process.platform !== 'linux')('a connection of this process is of its user, and of no other', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const client = connect(port, '127.0.0.1');
  const [socket] = await once(server, 'connection');
  expect(isOfOtherUser(socket)).toBe(false);
  if (process.getuid?.() !== 0) expect(isOfOtherUser(socket, 123_456)).toBe(true);
  client.destroy();
  socket.destroy();
  server.close();
});
