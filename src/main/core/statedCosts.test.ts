import { expect, test } from 'vitest';
import { openTestStore } from '../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../test/helpers/testPorts.ts';
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
import { sql } from './store/index.ts';

/** A cost that an answer states, from the wire to the user's decision, through the contract. */

const aQuestion = { role: 'user' as const, content: 'Say hello.' };
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
  const order = () =>
    ask('jobs.enqueue', { requests: [{ kind: 'chat', model: 'language', messages: [aQuestion], stream: false }] });
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
  const evidence = await harness.ask('prices.mismatch', { id: mismatches[0]?.id ?? '' });
  expect(evidence).toMatchObject({
    mismatch: { jobId: first, waiting: { count: 1 } },
    made: [{ jobId: first, nano: 500_000_000, isStated: true }],
    waiting: [{ job: { id: second } }],
  });
  expect(evidence.waiting.map(({ thenNano }) => thenNano)).toEqual([evidence.mismatch.waiting.thenNano]);
  const journal = await harness.ask('evidence.journal', { jobId: first });
  expect(journal.faults).toEqual([]);
  expect(journal.records.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['ordered', 'sent', 'answered', 'stated', 'charged']),
  );
  expect(journal.records.find(({ what }) => what === 'stated')?.facts).toMatchObject({ nano: 500_000_000 });
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

test('a price set by hand above what was stated waits to be confirmed', async () => {
  const harness = await start(() => 0.5);
  await chat(harness, 'succeeded');
  const second = await chat(harness, 'price');
  const readings = [{ unit: 'token' as const, inputNano: 0, outputNano: 0, requestNano: 5e14 }];
  await harness.ask('prices.set', { price: { kind: 'chat', model: 'language', readings, settledReading: 0 } });
  expect(await harness.ask('prices.mismatches', {})).toEqual({ mismatches: [] });
  expect((await harness.ask('jobs.get', { id: second })).reason).toBe('priceRose');
  expect(harness.asked()).toBe(1);
});

test('a price that was stopped before caches were counted is kept where what was stated is adopted', async () => {
  const { baseUrl } = await startService(() =>
    chatAnswer('Hello.', { cost: 0.07, prompt_tokens_details: { cached_tokens: 0 } }),
  );
  const options = { dataDir: tempDir('before'), ports: { keys: serviceKeys() } };
  const before = await openStudio(options);
  await activateService(before, baseUrl);
  const readings = [{ unit: 'token' as const, inputNano: 50_000_000, outputNano: 0 }];
  await before.ask('prices.set', { price: { kind: 'chat', model: 'language', readings, settledReading: 0 } });
  const order = { requests: [{ kind: 'chat' as const, model: 'language', messages: [aQuestion], stream: false }] };
  const { id: first } = await jobAfter(
    before,
    () => before.ask('jobs.enqueue', order),
    ({ state }) => state === 'succeeded',
  );
  const { id: second } = await jobAfter(
    before,
    () => before.ask('jobs.enqueue', order),
    ({ reason }) => reason === 'price',
  );
  await before.close();
  const store = openTestStore({ dataDir: options.dataDir, clock: new TestClock() });
  const quantity = JSON.stringify({ inputTokens: 4, outputTokens: 2 });
  store.transaction((db) =>
    db.run(sql('test.forget', 'UPDATE jobs SET quantity = $quantity WHERE id = $id'), { id: first, quantity }),
  );
  store.close();

  const { ask } = await openStudio(options);
  const book = await ask('prices.list', {});
  const [mismatch] = (await ask('prices.mismatches', {})).mismatches;
  const { nowNano, thenNano } = mismatch?.waiting ?? {};
  expect([mismatch?.keeps, mismatch?.adopts, thenNano]).toEqual([true, undefined, nowNano]);
  const shown = { estimateNano: thenNano ?? 0, lowNano: thenNano ?? 0 };
  await ask('prices.resolveMismatch', { id: mismatch?.id ?? '', as: 'adopt', shown });
  expect((await ask('jobs.get', { id: second })).reason).not.toBe('price');
  expect(await ask('prices.list', {})).toEqual(book);
});
