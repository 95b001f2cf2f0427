import { createGateway } from '../../../src/main/core/gateway/index.ts';
import type { DialectMemory, Gateway, GatewayDeps, Secrets } from '../../../src/main/core/gateway/types.ts';
import type { Network } from '../../../src/main/core/ports.ts';
import { profileSchema } from '../../../src/shared/gateway/profile.ts';

/** A clock that the test controls: timers run when it says so. */
export interface OwnClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
  /** Advances the time. */
  advance(ms: number): void;
  /** The delays of the current timers, in milliseconds from now. */
  delays(): number[];
}

export function ownClock(): OwnClock {
  let now = 1_750_000_000_000;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at <= now && timers.delete(timer)) timer.run();
      }
    },
    delays: () => [...timers].map((timer) => timer.at - now),
  };
}

export const KEY = 'sk-test-0123456789abcdef';

export interface TestClient {
  gateway: Gateway;
  clock: OwnClock;
  memory: DialectMemory;
}

/** A client of the gateway at `baseUrl`, with changed profile fields. */
export function clientOf(
  baseUrl: string,
  profile: Record<string, unknown> = {},
  secrets: Secrets = { apiKey: KEY },
  memory: DialectMemory = {},
  ports: Pick<GatewayDeps, 'network' | 'dispatcher'> = {},
): TestClient {
  const clock = ownClock();
  const client = { clock, memory } as TestClient;
  const open = createGateway({
    now: clock.now,
    after: clock.after,
    ...ports,
    recall: () => client.memory,
    remember: (_id, found) => {
      client.memory = found;
    },
  });
  const parsed = profileSchema.parse({ baseUrl, ...profile });
  client.gateway = open({ ...parsed, id: 'test', name: 'Test' }, secrets);
  return client;
}

/** A network where all traffic to other machines goes through this proxy. */
export const behindProxy = (proxy: string): Network => ({
  proxyFor: async () => proxy,
  authorities: () => [],
  onChange: () => () => undefined,
});

export const SEND = { idempotencyKey: 'order-1' };
