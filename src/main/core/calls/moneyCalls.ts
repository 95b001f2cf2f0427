import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { sumNano } from '../../../shared/money/money.ts';
import { en } from '../../../shared/text/texts.ts';
import {
  costPerKept,
  entries,
  estimate,
  estimateQuantity,
  exportLedger,
  isExact,
  listBudgets,
  noSuchProfile,
  reviewOf,
  setBudget,
  totals,
} from '../ledger/index.ts';
import type { Modules } from '../modules.ts';
import { unknownProject } from '../storyboard/index.ts';

type MoneyCall = Extract<keyof Handlers, `ledger.${string}` | `budgets.${string}` | 'spend.kept'>;

const sumTooLarge = fail('too_large', en`The sum is more than can be counted exactly.`);

/** Names of projects and gateways for a file; a missing name is replaced by the id. */
function namesIn({ storyboard, profiles }: Pick<Modules, 'storyboard' | 'profiles'>) {
  const { projects, removed } = storyboard.projects();
  const projectNames = new Map([...projects, ...removed].map(({ id, name }) => [id, name]));
  const gatewayNames = new Map(profiles.all().map(({ id, name }) => [id, name]));
  return {
    project: (id: string) => projectNames.get(id) ?? id,
    gateway: (id: string) => gatewayNames.get(id) ?? id,
  };
}

/** The calls of the ledger: estimates, charges, kept results, budgets. */
export function moneyHandlers(modules: Modules): Pick<Handlers, MoneyCall> {
  const { store, ports, profiles, engine, storyboard, night, bus, events, exports } = modules;
  const isPlay = () => isPlayMoney(profiles.active().id);
  const budgets = ({ play = isPlay(), profileIds }: { play?: boolean; profileIds?: readonly string[] } = {}) =>
    listBudgets(store.read, ports.clock.now(), { play, profileIds, runId: night.currentId() });
  const sideOfJob = (jobId: string | undefined): boolean | undefined => {
    const job = jobId === undefined ? undefined : engine.queries.get(jobId);
    return job?.ok ? isPlayMoney(job.data.profileId) : undefined;
  };
  const profileOf = (id: string | undefined) => (id === undefined ? profiles.active() : profiles.get(id));
  return {
    'ledger.estimate': ({ jobId, ...asked }) => {
      const job = jobId === undefined ? undefined : engine.queries.get(jobId);
      if (job && !job.ok) return job;
      const { requests = [], profileId } = job
        ? { requests: [job.data.request], profileId: job.data.profileId }
        : asked;
      const profile = profileOf(profileId);
      if (!profile) return noSuchProfile;
      const priced = [
        ...requests.map((request) => estimate(profile, request)),
        ...(asked.quantities ?? []).map((quantity) => estimateQuantity(profile, quantity)),
      ];
      const items = priced.map(({ price: _price, ...item }) => item);
      const estimateNano = sumNano(items.map((item) => item.nano));
      const lowNano = sumNano(items.map((item) => item.lowNano));
      if (estimateNano === undefined || lowNano === undefined) return sumTooLarge;
      const unpriced = items.filter((item) => item.unpriced).length;
      return ok({ items, estimateNano, lowNano, settled: items.every((item) => item.settled), unpriced });
    },
    'ledger.totals': ({ groupBy, play = isPlay(), ...period }) => {
      const found = totals(store.read, groupBy, { ...period, play });
      return isExact([found.sum, ...found.rows]) ? ok({ ...found, play }) : sumTooLarge;
    },
    'spend.kept': async ({ groupBy, play = isPlay(), ...period }) => {
      const rows = await store.readInThread((db) => costPerKept(db, groupBy, { ...period, play }));
      return rows.every(({ spentNano }) => Number.isSafeInteger(spentNano)) ? ok({ rows, play }) : sumTooLarge;
    },
    'ledger.review': async ({ play = isPlay(), ...period }) => {
      const review = await store.readInThread((db) => reviewOf(db, { ...period, play }));
      return review ? ok(review) : sumTooLarge;
    },
    'ledger.export': ({ play = isPlay(), ...input }) =>
      exportLedger({ store, exports, names: namesIn(modules) }, { ...input, play }),
    'ledger.entries': (page) =>
      ok(entries(store.read, { ...page, play: page.play ?? sideOfJob(page.jobId) ?? isPlay() })),
    'budgets.list': (side) => ok({ budgets: budgets(side) }),
    'budgets.set': (given) => {
      const { projects, removed } = storyboard.projects();
      const unknown = unknownProject([...projects, ...removed], given);
      if (unknown) return unknown;
      const input = { ...given, play: given.play ?? isPlay() };
      const set = store.transaction((db) => (input.scope === 'run' ? night.setCap(db, input) : setBudget(db, input)));
      if (set && !set.ok) return set;
      events.emit('budgets.changed');
      night.capChanged();
      bus.emit({ type: 'ledger.changed' });
      return ok({ budgets: budgets({ play: input.play }) });
    },
  };
}
