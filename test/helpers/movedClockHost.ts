import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a program before its own code (`--import`): its wall clock is ahead of the machine's, and further ahead by what it is told
 * over a socket. Its timers count as before, as they do on a machine that was asleep meanwhile. Only tests load it.
 */

const MachineDate = Date;
const machineNow = MachineDate.now.bind(MachineDate);
let aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);

MachineDate.now = () => machineNow() + aheadMs;
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, as),
});

// Programs that it starts have the machine's clock, which nothing tells them to leave.
delete process.env.NODE_OPTIONS;

// Its threads load it too, and do nothing at a time that matters.
if (isMainThread)
  createServer((socket) => {
    socket.setEncoding('utf8').on('data', (line) => {
      aheadMs += Number(line);
      socket.end('moved\n');
    });
  })
    .listen(process.env.TEST_CLOCK_SOCKET)
    .unref();
