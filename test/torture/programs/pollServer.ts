import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A service whose tasks are always under way. Prints its port; asked by a message of its parent, it tells how many requests there were
 * since the last time, the most in any one second, and the most sockets that were open at once.
 */
let times: number[] = [];
let sockets = 0;
let mostSockets = 0;

const server = createServer((request, response) => {
  times.push(performance.now());
  request.resume();
  const id = request.url?.split('/').find((part) => part.startsWith('task-')) ?? '';
  const body = JSON.stringify({
    id,
    status: 'in_progress',
    progress: '45%',
    created_at: 1_760_000_000,
    model: 'video-standard',
  });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
server.on('connection', (socket) => {
  sockets += 1;
  mostSockets = Math.max(mostSockets, sockets);
  socket.once('close', () => {
    sockets -= 1;
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

process.on('message', () => {
  process.send?.({ requests: times.length, mostASecond: mostASecond(), mostSockets });
  times = [];
});
process.once('disconnect', () => process.exit());

function mostASecond(): number {
  let most = 0;
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while ((times[to] ?? 0) - (times[from] ?? 0) >= 1_000) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
