import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openProfiles } from '../../../../test/helpers/profilesHarness.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Gateway, Secrets } from '../gateway/index.ts';

/** A profile that changes while a client of it is being made: what is used afterwards is what the profile says now. */

interface Made {
  baseUrl: string;
  key: string | undefined;
  state: 'open' | 'retired' | 'closed';
}

/** A key store whose answers come when the test lets them. */
function scene() {
  const values = new Map<string, string>();
  const held: (() => void)[] = [];
  let holding = false;
  const made: Made[] = [];
  const openGateway = (profile: Profile, { apiKey }: Secrets): Gateway => {
    const one: Made = { baseUrl: profile.baseUrl, key: apiKey, state: 'open' };
    made.push(one);
    const retire = async () => {
      one.state = 'retired';
    };
    const close = async () => {
      one.state = 'closed';
    };
    return { one, retire, close } as unknown as Gateway;
  };
  const profiles = openProfiles({
    keys: {
      place: async () => 'memory',
      async get(name) {
        const value = values.get(name);
        if (holding) await new Promise<void>((resolve) => held.push(resolve));
        return value === undefined ? null : { value, place: 'memory' };
      },
      async set(name, value) {
        values.set(name, value);
        return 'memory';
      },
      forget: async (name) => void values.delete(name),
    },
    openGateway,
  });
  return {
    profiles,
    made,
    values,
    hold() {
      holding = true;
    },
    async letGo() {
      holding = false;
      for (const go of held.splice(0)) go();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const usedBy = (opened: unknown): Made | undefined => (opened as { client?: { one?: Made } }).client?.one;

async function ready() {
  const here = scene();
  await here.profiles.save({ id: 'p', baseUrl: 'http://old.example' });
  await here.profiles.setKey('p', 'sk-old-0123456789');
  return here;
}

it('a key that is forgotten, and a profile that is removed, while a client is being made leave none', async () => {
  const first = await ready();
  first.hold();
  const asked = first.profiles.openClient('p');
  const forgotten = first.profiles.forgetKey('p');
  await first.letGo();
  await forgotten;
  expect(await asked).toEqual({ status: 'no key' });
  const second = await ready();
  second.hold();
  const other = second.profiles.openClient('p');
  const removed = second.profiles.remove('p');
  await second.letGo();
  await removed;
  expect([await other, await second.profiles.openClient('p')]).toEqual([{ status: 'gone' }, { status: 'gone' }]);
  expect([...first.made, ...second.made].filter(({ state }) => state === 'open')).toEqual([]);
});

it('a client that is in use is retired, not cut off, and all are closed at the end; without a key there is one, not many', async () => {
  const { profiles, made } = await ready();
  await profiles.openClient('p');
  await profiles.save({ id: 'p', name: 'Another name' });
  expect(made.map(({ state }) => state)).toEqual(['retired']);
  await profiles.forgetKey('p');
  const [one, two] = await Promise.all([
    profiles.openClient('p', { allowNoKey: true }),
    profiles.openClient('p', { allowNoKey: true }),
  ]);
  expect(usedBy(one)).toBe(usedBy(two));
  expect(made).toHaveLength(2);
  await profiles.setKey('p', 'sk-newer-0123456789');
  expect(made[1]?.state).toBe('retired');
  await profiles.openClient('p');
  await profiles.close();
  expect(made[2]?.state).toBe('closed');
});

it('in any sequence of requests and changes, the client is that of the last save, and no other is open', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('ask' as const) }),
    fc.record({ do: fc.constant('ask anyway' as const) }),
    fc.record({ do: fc.constant('address' as const), n: fc.nat(9) }),
    fc.record({ do: fc.constant('key' as const), n: fc.nat(9) }),
    fc.record({ do: fc.constant('forget' as const) }),
    fc.record({ do: fc.constant('let go' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { profiles, hold, letGo, made, values } = await ready();
      const pending: Promise<unknown>[] = [];
      for (const now of steps) {
        hold();
        if (now.do === 'ask') pending.push(profiles.openClient('p'));
        if (now.do === 'ask anyway') pending.push(profiles.openClient('p', { allowNoKey: true }));
        if (now.do === 'address') pending.push(profiles.save({ id: 'p', baseUrl: `http://h${now.n}.example` }));
        if (now.do === 'key') pending.push(profiles.setKey('p', `sk-${now.n}-0123456789`));
        if (now.do === 'forget') pending.push(profiles.forgetKey('p'));
        if (now.do === 'let go') await letGo();
      }
      const all = Promise.all(pending);
      let over = false;
      void all.then(() => {
        over = true;
      });
      while (!over) await letGo();
      const opened = await profiles.openClient('p');
      const { baseUrl } = profiles.get('p') ?? {};
      if (values.has('p')) expect(usedBy(opened)).toMatchObject({ baseUrl, key: values.get('p'), state: 'open' });
      else expect(opened).toEqual({ status: 'no key' });
      for (const one of made.filter(({ state }) => state === 'open')) expect(one.baseUrl).toBe(baseUrl);
      expect(made.filter(({ state, key }) => state === 'open' && key !== undefined).length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
});
