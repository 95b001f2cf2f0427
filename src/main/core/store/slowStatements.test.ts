import { afterEach, expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { openStore, type Store } from './index.ts';

let store: Store | undefined;
afterEach(() => store?.close());

test('a slow statement is logged by name, and warns nobody', () => {
  let looks = 0;
  // Between two looks at the clock more time passes than a statement may take.
  const now = () => {
    looks += 1;
    return looks * 100;
  };
  const slow = Object.assign(new TestClock(), { now });
  const infos: unknown[] = [];
  const warnings: string[] = [];
  const log = {
    ...silentLog,
    info: (fields: Record<string, unknown>, message: string) => void infos.push({ message, ...fields }),
    warn: (_: Record<string, unknown>, message: string) => void warnings.push(message),
  };
  const opened = openStore({ dataDir: tempDir(), clock: slow, log });
  if (!opened.ok) throw new Error(opened.error.message);
  store = opened.data;
  store.read.one({ name: 'test.one', text: 'SELECT 1' } as never);
  expect(infos).toContainEqual({ message: 'slow statement', statement: 'test.one', ms: 100 });
  expect(warnings).not.toContain('slow statement');
});
