import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a program before its own code (`--import`). Its wall clock runs ahead of the machine's, and further ahead when told so over a
 * socket. Its timers count as usual, as on a machine that was asleep. Only tests load it.
 */

const MachineDate = Date;
const machineNow = MachineDate.now.bind(MachineDate);
let aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);

MachineDate.now = () => machineNow() + aheadMs;
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, as),
});

// Child processes keep the machine's clock.
delete process.env.NODE_OPTIONS;

// Worker threads load this file too, but need no moved clock.
if (isMainThread)
  createServer((socket) => {
    socket.setEncoding('utf8').on('data', (line) => {
      aheadMs += Number(line);
      socket.end('moved\n');
    });
  })
    .listen(process.env.TEST_CLOCK_SOCKET)
    .unref();
