import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultRule, Faults, parseFaults } from './faults.ts';
import { openSandboxHarness, type SandboxHarness } from './testHarness.ts';

describe('a fault script', () => {
  it.each([
    [{}, 'faults: must be a list of rules'],
    [[{ match: {} }], 'faults[0].action: must have a kind'],
    [[{ action: { kind: 'explode' } }], 'faults[0].action'],
    [[{ action: { kind: 'drop', when: 'never' } }], 'faults[0].action.when: must be before, during or after'],
    [[{ action: { kind: 'status', status: 99 } }], 'faults[0].action.status: must be 200 to 599'],
    [
      [{ match: { endpoint: 'door' }, action: { kind: 'malformed' } }],
      'faults[0].match.endpoint: must be one of chat, video',
    ],
    [[{ match: { nth: 0 }, action: { kind: 'malformed' } }], 'faults[0].match.nth: must be 1 or more'],
    [[{ when: 1, action: { kind: 'malformed' } }], 'faults[0]'],
  ])('%j is refused, naming field and rule', (script, message) => {
    const read = parseFaults(script);
    expect(read.ok ? 'accepted' : read.message).toContain(message);
  });

  it('is read as a list or under `rules`', () => {
    const rules = [{ action: { kind: 'malformed' as const } }];
    expect(parseFaults(rules)).toEqual(parseFaults({ rules }));
  });

  it('acts on the nth, on every nth, by prompt words, and a limited number of times', () => {
    const acts = (match: FaultRule['match'], prompts: string[]) => {
      const faults = new Faults([{ match, action: { kind: 'malformed' } }]);
      return prompts.map((prompt) => faults.take('chat', prompt) !== null);
    };
    expect(acts({ nth: 2 }, ['a', 'a', 'a'])).toEqual([false, true, false]);
    expect(acts({ every: 2 }, ['a', 'a', 'a', 'a'])).toEqual([false, true, false, true]);
    expect(acts({ times: 1 }, ['a', 'a'])).toEqual([true, false]);
    expect(acts({ promptIncludes: 'STORM', nth: 1 }, ['calm', 'a storm', 'storm'])).toEqual([false, true, false]);
    expect(acts({ endpoint: 'video' }, ['a'])).toEqual([false]);
  });
});

describe('a fault, seen by a client', () => {
  let harness: SandboxHarness;
  beforeAll(async () => {
    harness = await openSandboxHarness();
  });
  afterAll(() => harness.sandbox.close());
  const body = { model: 'language', messages: [{ role: 'user', content: 'Say what the tide does.' }] };
  const script = (action: FaultRule['action']) =>
    harness.send('PUT', '/__sandbox/faults', [{ match: { endpoint: 'chat', times: 1 }, action }]);
  const post = (more: object = {}) => harness.send('POST', '/v1/chat/completions', { ...body, ...more });
  const billed = () => harness.sandbox.bill().entries.length;

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('drops the connection %s the answer; billed: %i', async (when, entries) => {
    await script({ kind: 'drop', when });
    const before = billed();
    await expect(post()).rejects.toThrow();
    expect(billed() - before).toBe(entries);
    expect(harness.sandbox.requests().at(-1)).toMatchObject({ path: '/v1/chat/completions', status: 0 });
  });

  it('drops the connection during the answer, after half of it', async () => {
    await script({ kind: 'drop', when: 'during' });
    const before = billed();
    const answer = await post();
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect(billed() - before).toBe(1);
  });

  it('refuses with status, header and body of the rule, and bills only if the rule accepts the work', async () => {
    const before = billed();
    await script({ kind: 'status', status: 429, retryAfter: 7, as: 'empty' });
    const empty = await post();
    expect([empty.status, empty.headers.get('retry-after'), await empty.text()]).toEqual([429, '7', '']);
    await script({ kind: 'status', status: 502, as: 'html' });
    const page = await post();
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
    await script({ kind: 'status', status: 400, body: { detail: [{ msg: 'no' }] } });
    expect(await (await post()).json()).toEqual({ detail: [{ msg: 'no' }] });
    expect(billed()).toBe(before);
    await script({ kind: 'status', status: 504, accept: true });
    expect((await post()).status).toBe(504);
    expect(billed()).toBe(before + 1);
  });

  it('answers with invalid JSON, and with a stream that ends too soon', async () => {
    await script({ kind: 'malformed' });
    const broken = await (await post()).text();
    expect(() => JSON.parse(broken)).toThrow();
    await script({ kind: 'truncate', events: 3 });
    const stream = await (await post({ stream: true })).text();
    expect(stream.split('\n\n').filter(Boolean).length).toBe(3);
    expect(stream).not.toContain('[DONE]');
  });

  it('answers late', async () => {
    const waited: number[] = [];
    const late = await openSandboxHarness({
      faults: [{ match: { endpoint: 'models' }, action: { kind: 'delay', ms: 90_000 } }],
      delay: async (ms) => void waited.push(ms),
    });
    expect((await late.send('GET', '/v1/models')).status).toBe(200);
    expect(waited).toEqual([90_000]);
    await late.sandbox.close();
  });

  it('stalls, then disconnects when the sandbox closes', async () => {
    await script({ kind: 'stall', ms: 1 });
    const before = billed();
    await expect(post()).rejects.toThrow();
    expect(billed() - before).toBe(1);
  });

  it('does not hide a refusal of the gateway itself', async () => {
    await script({ kind: 'drop', when: 'after' });
    expect((await post({ temperature: 9 })).status).toBe(400);
  });

  it('with an invalid script is refused at run time with the broken rule', async () => {
    const answer = await harness.send('PUT', '/__sandbox/faults', [{ action: { kind: 'drop' } }]);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('faults[0].action.when');
  });
});
