import { expect, onTestFinished, test, vi } from 'vitest';
import { recordingLog, settle } from '../../../../test/helpers/testPorts.ts';
import { createShutdown, endedAll, SHUTDOWN_SIGNALS } from './shutdown.ts';

test('what fails at the end is logged and neither ends the end nor the waiting for the others', async () => {
  const log = recordingLog();
  const other = Promise.withResolvers<void>();
  let isOver = false;
  const ended = endedAll([Promise.reject(new Error('no space left')), undefined, other.promise], log).then(() => {
    isOver = true;
  });
  await settle();
  expect(isOver).toBe(false);
  other.resolve();
  await ended;
  expect(log.lines).toEqual(['a part of the end was not in order']);
});

const EVENTS = [...SHUTDOWN_SIGNALS, 'uncaughtException', 'unhandledRejection'];

/** The exits of a process that goes on, until the test ends. */
function watchExit() {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const before = new Map(EVENTS.map((event) => [event, process.listeners(event as 'SIGTERM')]));
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    for (const [event, kept] of before)
      for (const listener of process.listeners(event as 'SIGTERM'))
        if (!kept.includes(listener)) process.off(event, listener);
  });
  return exit;
}

test.each([
  ['a quit', (start: () => void) => start()],
  ['a signal', () => process.emit('SIGTERM')],
])('%s stops the sending in its first moment, and the rest ends after it', async (_, begin) => {
  const exit = watchExit();
  const done: string[] = [];
  const left = Promise.withResolvers<void>();
  const end = async () => {
    done.push('end');
    await left.promise;
  };
  const shutdown = createShutdown({ stopSending: () => void done.push('stop') }, end, recordingLog());
  begin(() => shutdown.start(0));
  expect(done).toEqual(['stop', 'end']);
  left.resolve();
  await expect.poll(() => exit.mock.calls).toEqual([[0]]);
});

test('a fault that ends the program says what goes on and what is unconfirmed', async () => {
  const exit = watchExit();
  const others = process.listeners('uncaughtException');
  const told: string[] = [];
  const studio = { stopSending: () => {} };
  createShutdown(
    studio,
    async () => {},
    recordingLog(),
    (message) => void told.push(message),
  );
  const ours = process.listeners('uncaughtException').find((listener) => !others.includes(listener));
  ours?.(new Error('a bug'), 'uncaughtException');
  await expect.poll(() => exit.mock.calls).toEqual([[1]]);
  expect(told).toEqual([
    'Dailies had to stop: a bug. Start it again. Jobs that the gateway accepted are fetched; jobs without a reply are unconfirmed.',
  ]);
});
