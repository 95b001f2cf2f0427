import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A service whose tasks never end. Prints its port; asked by a message of its parent, it reports the number of requests since the last
 * time, the maximum in any second, and the maximum number of open sockets.
 */
let times: number[] = [];
let sockets = 0;
let maxSockets = 0;

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
  maxSockets = Math.max(maxSockets, sockets);
  socket.once('close', () => {
    sockets -= 1;
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

process.on('message', () => {
  process.send?.({ requests: times.length, maxPerSecond: maxPerSecond(), maxSockets });
  times = [];
});
process.once('disconnect', () => process.exit());

function maxPerSecond(): number {
  let most = 0;
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while ((times[to] ?? 0) - (times[from] ?? 0) >= 1_000) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
