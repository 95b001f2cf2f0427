import type { Ports, StudioOptions } from '../../src/main/core/ports.ts';
import type { Studio } from '../../src/main/core/studio.ts';
import { type CallName, contract, isCallName } from '../../src/shared/contract.ts';
import type { StudioEvent } from '../../src/shared/events.ts';
import { profileSchema } from '../../src/shared/profile.ts';
import { fail, ok, parseInput, type Result } from '../../src/shared/result.ts';
import { settingsSchema } from '../../src/shared/settings.ts';

/** A studio without rooms, for tests of what hosts do themselves: it parses by the contract and answers empty lists. */
export function createFakeStudio(ports: Ports, options: StudioOptions): Studio {
  const listeners = new Set<(event: StudioEvent) => void>();
  const profile = options.sandbox ?? { ...profileSchema.parse({ baseUrl: 'http://127.0.0.1:9' }), id: 'x', name: 'X' };
  const settings = () => settingsSchema.parse(ports.settings.read('settings') ?? {});
  const queue = { paused: false, offline: false, running: 0, waiting: 0, doubt: { count: 0, nano: 0 } };
  const answers: Partial<Record<CallName, unknown>> = {
    'app.info': {
      version: options.version,
      host: options.host,
      dataDir: options.dataDir,
      profileId: 'sandbox',
      offline: false,
    },
    'profiles.list': { profiles: [{ ...profile, key: null, hasBotToken: false, builtin: true }], activeId: profile.id },
    'jobs.list': { jobs: [], total: 0 },
    'queue.status': queue,
    'chat.list': { conversations: [] },
    'projects.list': { projects: [] },
    'library.list': { assets: [], total: 0 },
    'library.stats': { assets: 0, bytes: 0, freeBytes: 1e12, remote: 0, expired: 0 },
    'ledger.totals': { rows: [], sum: { settledNano: 0, reservedNano: 0, uncertainNano: 0 } },
    'ledger.entries': { entries: [] },
    'budgets.list': { budgets: [] },
    'prices.list': { prices: [] },
    'media.claim': { task: null },
  };
  return {
    async call(name, input): Promise<Result<unknown>> {
      if (!isCallName(name)) return fail('not_found', `${name}: there is no such call.`);
      const parsed = parseInput(contract[name].input, input);
      if (!parsed.ok) return parsed;
      if (name === 'settings.set') ports.settings.write('settings', { ...settings(), ...(parsed.data as object) });
      if (name.startsWith('settings.')) return ok(settings());
      return ok(answers[name] ?? null);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    media: {
      open: () => fail('not_found', 'There is no such asset.'),
      upload: async ({ body }) => {
        body.destroy();
        return fail('unsupported_media', 'This studio takes no media.');
      },
    },
    close: async () => {},
  };
}
