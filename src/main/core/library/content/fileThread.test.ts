import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { FileThread } from './fileThread.ts';

afterEach(() => void vi.useRealTimers());

test('what is asked while an idle thread ends is answered by the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const file = join(tempDir('thread'), 'a');
  writeFileSync(file, 'a take');
  const thread = new FileThread();
  const first = await thread.hash(file);
  vi.advanceTimersByTime(60_000);
  expect(await thread.hash(file)).toEqual(first);
  await thread.close();
});

test('what is under way when it is closed is given up', async () => {
  const file = join(tempDir('thread'), 'a');
  writeFileSync(file, Buffer.alloc(64 * 1024 * 1024));
  const thread = new FileThread();
  const asked = thread.hash(file);
  asked.catch(() => undefined);
  await thread.close();
  await expect(asked).rejects.toThrow('has ended');
});
