import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { StudioLink } from '../../link/index.ts';
import type { Given } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { batch } from './batch.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const READING = { readId: 'r', rows: [], sums: [], good: 1, bad: 0, estimateNano: 1, lowNano: 1, unpriced: 0 };
const LOST = fail('unreachable', 'Dailies did not answer: socket hang up.', { lost: true });
const AWAY = fail('unreachable', 'No Dailies answers.');
const NOT_KNOWN = fail('wrong_state', 'The token is missing or wrong.', { field: 'token' });

/** The studio over several runs: a link to an earlier run is refused. `away`: how long nobody answers. */
function studio({ away, lost = LOST }: { away: number; lost?: typeof LOST }) {
  const keys: string[] = [];
  let run = 1;
  let left = 0;
  const call = (of: number) => async (name: string, input: { requestKey: string }) => {
    if (name === 'batch.read') return ok(READING);
    if (name === 'batch.made') return ok({ made: null });
    if (of !== run) return NOT_KNOWN;
    keys.push(input.requestKey);
    if (run > 1) return ok({ count: 1, jobIds: ['j'] });
    run = 2;
    left = away;
    return lost;
  };
  const link = async (): Promise<Result<StudioLink>> => {
    if (left > 0) {
      left -= 1;
      return AWAY;
    }
    return ok({ dataDir: '', call: call(run) as never });
  };
  const file = join(tempDir('batch'), 'a.txt');
  writeFileSync(file, 'A quay\n');
  const terminal = { isInteractive: false, say: () => undefined, ask: async () => '' };
  const given: Given = { args: [file], flags: { yes: true }, terminal, link };
  return { keys, given };
}

test('a studio that is started anew meanwhile is found again, and asked under the same key', async () => {
  const { keys, given } = studio({ away: 2 });
  expect(await batch.run(given)).toMatchObject({ code: EXIT.ok, result: { ok: true, data: { count: 1 } } });
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

test.each([
  ['whose answer is lost', LOST],
  ['that failed, maybe behind the order', fail('internal', 'Dailies could not answer this.')],
])('one %s and that stays away leaves it open, with the key to repeat it', async (_, lost) => {
  const { keys, given } = studio({ away: 100, lost });
  const { code, result } = await batch.run(given);
  expect(code).toBe(EXIT.unknown);
  expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining(`--request-key ${keys[0]}`) } });
});

test('the name of a column writes no line of its own', async () => {
  const said: string[] = [];
  const { given } = studio({ away: 0 });
  const errors = [{ field: 'x\n1 job, $0.00\nqueued', message: 'is no column.' }];
  const call = async () => ok({ ...READING, good: 0, bad: 1, rows: [{ line: 1, errors }] });
  const link = async (): Promise<Result<StudioLink>> => ok({ dataDir: '', call: call as never });
  const terminal = { ...given.terminal, say: (line: string) => void said.push(line) };
  await batch.run({ ...given, link, terminal });
  expect(said[0]).toBe('Line 1: x 1 job, $0.00 queued is no column.');
  expect(said.join('\n')).not.toContain('\n1 job');
});
