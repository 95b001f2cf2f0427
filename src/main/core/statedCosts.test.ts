import { expect, test } from 'vitest';
import type { TestStudio } from '../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import {
  activateService,
  chatAnswer,
  jobAfter,
  serviceKeys,
  servicesOfThisFile,
} from '../../../test/helpers/wireServices.ts';
import type { CallName } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/contract/result.ts';

/** A stated cost, from the wire to the user's decision, through the contract. */

const aQuestion = { role: 'user' as const, content: 'Say hello.' };
const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

const aChat = { kind: 'chat' as const, model: 'language', messages: [aQuestion], stream: false };

/** Sends a chat, and waits until its event has the wanted state or reason. */
const chat = async (program: TestStudio, wanted: string): Promise<string> =>
  (
    await jobAfter(
      program,
      () => program.enqueue(aChat),
      ({ state, reason }) => [state, reason].includes(wanted as never),
    )
  ).id;

/** A studio whose gateway states half a dollar for every chat: the first is made and blocks its price; the second waits. */
async function start() {
  const { baseUrl, received } = await startService(() => chatAnswer('Hello.', { cost: 0.5 }));
  const program = await openStudio({ ports: { keys: serviceKeys() } });
  await activateService(program, baseUrl);
  const first = await chat(program, 'succeeded');
  const second = await chat(program, 'price');
  const gone = () => expect.poll(async () => (await program.ask('jobs.get', { id: second })).state).toBe('succeeded');
  const refused = (name: CallName, input: object) => program.studio.call(name, input) as Promise<Result<unknown>>;
  const mismatches = async () => (await program.ask('prices.mismatches', {})).mismatches;
  return { ...program, first, second, gone, refused, mismatches, asked: () => received.length };
}

test('a stated cost is charged, stops its price, and is adopted: the book changes, the entries stay, what waits goes on', async () => {
  const { ask, first, second, gone, refused, mismatches, asked } = await start();
  const money = { chargedNano: 500_000_000, statedNano: 500_000_000, statedBy: 'usage.cost' };
  expect(await ask('jobs.get', { id: first })).toMatchObject({ money });
  const [mismatch, ...others] = await mismatches();
  expect([mismatch, others]).toMatchObject([{ jobId: first, statedNano: 500_000_000, state: 'open' }, []]);
  const id = mismatch?.id ?? '';
  expect(asked()).toBe(1);
  const evidence = await ask('prices.mismatch', { id });
  const then = evidence.mismatch.waiting.thenNano;
  expect(evidence).toMatchObject({
    mismatch: { jobId: first, waiting: { count: 1 } },
    made: [{ jobId: first, nano: 500_000_000, isStated: true }],
    waiting: [{ job: { id: second }, thenNano: then }],
  });
  const journal = await ask('evidence.journal', { jobId: first });
  expect(journal.faults).toEqual([]);
  const told = journal.records.map(({ what }) => what);
  expect(told).toEqual(expect.arrayContaining(['ordered', 'sent', 'answered', 'stated', 'charged']));
  expect(journal.records.find(({ what }) => what === 'stated')?.facts).toMatchObject({ nano: 500_000_000 });
  const before = (await ask('ledger.entries', { jobId: first })).entries;
  const book = await ask('prices.list', {});
  const resolve = (as: string, estimateNano: number) =>
    refused('prices.resolveMismatch', { id, as, shown: { estimateNano, lowNano: then } });
  const conflict = { ok: false, error: { code: 'conflict', data: { estimateNano: then } } };
  for (const as of ['adopt', 'once']) expect(await resolve(as, then - 1)).toMatchObject(conflict);
  expect(await ask('prices.list', {})).toEqual(book);
  expect(asked()).toBe(1);
  expect(await resolve('adopt', then)).toMatchObject({ data: { state: 'adopted' } });
  await gone();
  expect(await mismatches()).toEqual([]);
  expect((await ask('ledger.entries', { jobId: first })).entries).toEqual(before);
  const { prices } = await ask('prices.list', {});
  const adopted = prices.find(({ kind, model }) => kind === 'chat' && model === 'language');
  expect(adopted?.source).toMatch(/^stated by usage\.cost on /);
  // By the adopted price the same answer costs what it stated.
  expect((await ask('jobs.get', { id: second })).money).toMatchObject({ chargedNano: 500_000_000 });
  expect(await refused('prices.resolveMismatch', { id, as: 'once' })).toMatchObject({ error: { code: 'wrong_state' } });
});
