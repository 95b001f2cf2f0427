import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import {
  activateService,
  chatAnswer,
  jobAfter,
  serviceKeys,
  servicesOfThisFile,
} from '../../../test/helpers/wireServices.ts';
import type { CallName } from '../../shared/contract.ts';
import type { Result } from '../../shared/result.ts';

/** A cost that an answer states, from the wire to the user's decision, through the contract. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

/** A studio with a service that answers every chat and states this cost. */
async function start(dollars: () => number) {
  const { baseUrl, received } = await startService(() => chatAnswer('Hello.', { cost: dollars() }));
  const { studio, ask } = await openStudio({ ports: { keys: serviceKeys() } });
  const refused = (name: CallName, input: object) => studio.call(name, input) as Promise<Result<unknown>>;
  await activateService({ ask }, baseUrl);
  return { ask, refused, studio, asked: () => received.length };
}

/** Sends a chat, and waits until its event has the wanted state. */
async function chat({ ask, studio }: Awaited<ReturnType<typeof start>>, wanted: string): Promise<string> {
  const messages = [{ role: 'user' as const, content: 'Say hello.' }];
  const order = () => ask('jobs.enqueue', { requests: [{ kind: 'chat', model: 'language', messages, stream: false }] });
  return (await jobAfter({ studio }, order, ({ state, reason }) => state === wanted || reason === wanted)).id;
}

test('a stated cost is charged, stops its price, and is adopted: the book changes, the entries stay, what waits goes on', async () => {
  const harness = await start(() => 0.5);
  const first = await chat(harness, 'succeeded');
  expect(await harness.ask('jobs.get', { id: first })).toMatchObject({
    money: { chargedNano: 500_000_000, statedNano: 500_000_000, statedBy: 'usage.cost' },
  });
  const { mismatches } = await harness.ask('prices.mismatches', {});
  expect(mismatches).toMatchObject([{ jobId: first, statedNano: 500_000_000, state: 'open' }]);
  const second = await chat(harness, 'price');
  expect(harness.asked()).toBe(1);
  const before = (await harness.ask('ledger.entries', { jobId: first })).entries;

  const gone = new Promise<void>((resolve) =>
    harness.studio.subscribe((event) => {
      if (event.type === 'job.changed' && event.job.id === second && event.job.state === 'succeeded') resolve();
    }),
  );
  const id = mismatches[0]?.id ?? '';
  const book = await harness.ask('prices.list', {});
  const then = (await harness.ask('prices.mismatches', {})).mismatches[0]?.waiting.thenNano ?? 0;
  const shown = { estimateNano: then, lowNano: then };
  for (const as of ['adopt', 'once'])
    expect(
      await harness.refused('prices.resolveMismatch', { id, as, shown: { ...shown, estimateNano: then - 1 } }),
    ).toMatchObject({ ok: false, error: { code: 'conflict', data: { estimateNano: then } } });
  expect(await harness.ask('prices.list', {})).toEqual(book);
  expect(harness.asked()).toBe(1);
  expect(await harness.ask('prices.resolveMismatch', { id, as: 'adopt', shown })).toMatchObject({ state: 'adopted' });
  await gone;
  expect(await harness.ask('prices.mismatches', {})).toEqual({ mismatches: [] });
  expect((await harness.ask('ledger.entries', { jobId: first })).entries).toEqual(before);
  const { prices } = await harness.ask('prices.list', {});
  expect(prices.find(({ kind, model }) => kind === 'chat' && model === 'language')?.source).toMatch(
    /^stated by usage\.cost on /,
  );
  // By the adopted price the same answer costs what it stated.
  expect((await harness.ask('jobs.get', { id: second })).money).toMatchObject({ chargedNano: 500_000_000 });
  expect(await harness.refused('prices.resolveMismatch', { id, as: 'once' })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state' },
  });
});

test('a mismatch that is not there, and a way that is none, are refused with a sentence', async () => {
  const harness = await start(() => 0);
  expect(await harness.refused('prices.resolveMismatch', { id: 'x', as: 'adopt' })).toMatchObject({
    ok: false,
    error: { code: 'not_found', data: { field: 'id' } },
  });
  expect(await harness.refused('prices.resolveMismatch', { id: 'x', as: 'ignore' })).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', message: "as: must be 'adopt', 'dispute' or 'once'" },
  });
});

test('a price set by hand for what was stopped decides it as well', async () => {
  const harness = await start(() => 0.5);
  await chat(harness, 'succeeded');
  const second = await chat(harness, 'price');
  const gone = new Promise<void>((resolve) =>
    harness.studio.subscribe((event) => {
      if (event.type === 'job.changed' && event.job.id === second && event.job.state === 'succeeded') resolve();
    }),
  );
  const readings = [{ unit: 'token' as const, inputNano: 0, outputNano: 0, requestNano: 500_000_000 }];
  await harness.ask('prices.set', { price: { kind: 'chat', model: 'language', readings, settledReading: 0 } });
  await gone;
  expect(await harness.ask('prices.mismatches', {})).toEqual({ mismatches: [] });
});
