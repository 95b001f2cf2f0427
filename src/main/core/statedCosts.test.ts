import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { memoryKeys } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { CallName } from '../../shared/contract.ts';
import type { StudioEvent } from '../../shared/events.ts';
import type { Result } from '../../shared/result.ts';

/** A cost that an answer states, from the wire to the user's decision, through the contract. */

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});
const openStudio = studiosOfThisFile();

/** A studio with a service that answers every chat and states this cost. */
async function start(dollars: () => number) {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    const answer = {
      id: 'chatcmpl-1',
      choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cost: dollars() },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { studio, ask } = await openStudio({ ports: { keys: memoryKeys({ p: 'sk-0123456789abcdef' }) } });
  const refused = (name: CallName, input: object) => studio.call(name, input) as Promise<Result<unknown>>;
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await ask('profiles.save', { id: 'p', name: 'P', baseUrl });
  await ask('profiles.activate', { id: 'p' });
  return { ask, refused, studio, asked: () => asked };
}

/** Sends a chat, and waits until its event has the wanted state. */
async function chat({ ask, studio }: Awaited<ReturnType<typeof start>>, wanted: string): Promise<string> {
  const came = new Promise<StudioEvent & { type: 'job.changed' }>((resolve) => {
    const stop = studio.subscribe((event) => {
      const is = event.type === 'job.changed' && (event.job.state === wanted || event.job.reason === wanted);
      if (is) {
        stop();
        resolve(event);
      }
    });
  });
  const messages = [{ role: 'user' as const, content: 'Say hello.' }];
  await ask('jobs.enqueue', { requests: [{ kind: 'chat', model: 'language', messages, stream: false }] });
  return (await came).job.id;
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
