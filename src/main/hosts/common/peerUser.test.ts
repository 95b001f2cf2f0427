import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { isOfOtherUser } from './peerUser.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (from: string, to: string, uid: number, state = '01') =>
  `   3: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 35129 1 0000000000000000 20 4 30 10 -1\n`;
const ends = { remoteAddress: '127.0.0.1', remotePort: 0xd431, localAddress: '127.0.0.1', localPort: 0x1f90 };
const [CLIENT, SERVER] = ['0100007F:D431', '0100007F:1F90'];
const MAPPED = '0000000000000000FFFF0000';
/** The list has both ends of each connection, and others. */
const listed = (uid: number, before = '', state = '01') =>
  HEAD +
  line('0100007F:D432', SERVER, 5) +
  line(SERVER, `${before}${CLIENT}`, 1_000) +
  line(`${before}${CLIENT}`, `${before}${SERVER}`, uid, state);

test.each([
  ['the same user', listed(1_000), '', false],
  ['another user', listed(1_001), '', true],
  ['another user, by an IPv6 socket', HEAD, listed(1_001, MAPPED), true],
  ['root', listed(0), '', false],
  ['root, half-closed by the server', listed(0, '', '08'), '', false],
  ['the same user, who has sent all', listed(1_000, '', '05'), '', false],
  ['one who closed at once', listed(0, '', '04'), '', true],
  ['one who closed at once, seen later', listed(0, '', '05'), '', true],
  ['one who closed at once, seen at the end', listed(0, '', '06'), '', true],
  ['nobody that is listed', HEAD, '', false],
  ['a list that cannot be read', '', '', false],
])('%s', (_who, four, six, isOther) => {
  const read = (path: string) => (path.endsWith('6') ? six : four);
  expect(isOfOtherUser(ends, 1_000, read)).toBe(isOther);
});

test('to a server of root, who closed at once is another user too', () => {
  expect(isOfOtherUser(ends, 0, () => listed(0))).toBe(false);
  expect(isOfOtherUser(ends, 0, () => listed(0, '', '05'))).toBe(true);
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
  client.end();
  client.destroy();
  socket.resume();
  await once(socket, 'end');
  expect(isOfOtherUser(socket)).toBe(true);
  socket.destroy();
  server.close();
});
