import type { CallInput } from '../../src/shared/contract/contract.ts';
import { TestClock, tempDir } from './testPorts.ts';
import type { TestStudio } from './testStudio.ts';
import { studiosOfThisFile } from './testStudios.ts';

/** Opens paused studios for the tests of one file, and closes after each test what it opened. */
export function batchesOfThisFile(): (dataDir?: string) => Promise<TestStudio & { clock: TestClock }> {
  const openStudio = studiosOfThisFile();
  return async (dataDir = tempDir('batch')) => {
    const clock = new TestClock();
    const opened = await openStudio({ ports: { clock }, dataDir });
    await opened.ask('queue.pause');
    return { ...opened, clock };
  };
}

export const readTable = (from: TestStudio, text: string, rest: Partial<CallInput<'batch.read'>> = {}) =>
  from.ask('batch.read', { text, format: 'csv', ...rest });

/** Each wrong cell as `line field message`. */
export const wrongIn = ({
  rows,
}: {
  rows: { line: number; errors: { field: string; message: string }[] }[];
}): string[] => rows.flatMap(({ line, errors }) => errors.map(({ field, message }) => `${line} ${field}: ${message}`));
