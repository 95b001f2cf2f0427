import { expect, test } from 'vitest';
import { recordingLog, settle } from '../../../../test/helpers/testPorts.ts';
import { endedAll } from './shutdown.ts';

/** Bug: a window that could not be closed kept the studio from being closed: answers under way were left in doubt. */
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
