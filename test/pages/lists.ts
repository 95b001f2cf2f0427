import type { FacetCount, LibraryFacets } from '../../src/shared/asset.ts';
import type { Job } from '../../src/shared/job.ts';
import { promptOf } from '../../src/shared/kinds/index.ts';

/** `jobs.list`, `library.list` and `library.facets` over made-up jobs. */

interface JobFilter {
  states?: string[];
  waitsFor?: string;
  text?: string;
  kinds?: string[];
  limit?: number;
  offset?: number;
  order?: 'newest' | 'queue';
  from?: number;
  costInDoubt?: true;
}

interface AssetFilter {
  text?: string;
  types?: string[];
  roles?: string[];
  states?: string[];
  models?: string[];
  verdict?: string;
  offset?: number;
  limit?: number;
}

export function listJobs(all: readonly Job[], input: JobFilter) {
  const found = all.filter(
    (job) =>
      (!input.costInDoubt || job.money.uncertainNano > 0) &&
      (!input.waitsFor || (job.dependsOn.includes(input.waitsFor) && job.finishedAt === undefined)) &&
      (!input.states || input.states.includes(job.state)) &&
      (!input.kinds || input.kinds.includes(job.kind)) &&
      (!input.text || promptOf(job.request).toLowerCase().includes(input.text.toLowerCase())) &&
      (input.from === undefined || job.createdAt >= input.from),
  );
  const { offset = 0, limit = 100 } = input;
  if (input.order !== 'queue') return { jobs: found.slice(offset, offset + limit), total: found.length };
  const waits = ({ state }: Job) => state === 'queued' || state === 'blocked';
  const line = all.filter(waits).sort((a, b) => a.position - b.position);
  const page = found
    .toSorted((a, b) => Number(waits(a)) - Number(waits(b)) || a.position - b.position)
    .slice(offset, offset + limit)
    .map((job) => (waits(job) ? { ...job, place: line.indexOf(job) + 1 } : job));
  const reservedNano = line.reduce((sum, job) => sum + job.money.reservedNano, 0);
  const waiting = { count: line.length, reservedNano, unpriced: 0, elsewhere: { reservedNano: 0, unpriced: 0 } };
  return { jobs: page, total: found.length, waiting };
}

/** `jobs.ended`. */
export function countEnded(all: readonly Job[], { since }: { since: number }) {
  const ended = all.filter(({ kind, finishedAt = 0 }) => kind !== 'chat' && finishedAt >= since);
  const times = ended.flatMap(({ finishedAt }) => finishedAt ?? []);
  const made = ended.filter(({ state }) => state === 'succeeded');
  const failed = ended.filter(({ state }) => state === 'failed');
  const refused = failed.filter(({ error }) => error?.kind === 'moderation').length;
  return {
    made: made.length,
    kept: made.filter(({ verdict }) => verdict === 'keep').length,
    failed: failed.length - refused,
    refused,
    inDoubt: all.filter(({ state, sentAt = 0 }) => state === 'uncertain' && sentAt >= since).length,
    ...(times.length > 0 ? { firstAt: Math.min(...times), lastAt: Math.max(...times) } : {}),
  };
}

export function listAssets(all: readonly Job[], input: AssetFilter) {
  const assets = all
    .filter((job) => !input.verdict || (job.verdict ?? 'none') === input.verdict)
    .flatMap((job) =>
      job.outputs.map((asset) => ({
        ...asset,
        jobId: job.id,
        model: job.model,
        name: promptOf(job.request),
        ...(job.verdict ? { verdict: job.verdict } : {}),
      })),
    )
    .filter(
      (asset) =>
        (!input.text || asset.name.toLowerCase().includes(input.text.toLowerCase())) &&
        (!input.roles || input.roles.includes(asset.role)) &&
        (!input.types || input.types.some((type) => asset.mime.startsWith(type))) &&
        (!input.models || input.models.includes(asset.model ?? '')) &&
        (!input.states || input.states.includes(asset.state)),
    )
    .sort((a, b) => b.createdAt - a.createdAt);
  const days = [...Map.groupBy(assets, ({ createdAt }) => new Date(createdAt).setHours(0, 0, 0, 0))];
  const { offset = 0, limit = 100 } = input;
  return {
    assets: assets.slice(offset, offset + limit),
    total: assets.length,
    days: days.map(([day, own]) => ({ day, count: own.length })),
  };
}

/** `library.facets`. */
export function countFacets(all: readonly Job[], filter: AssetFilter): LibraryFacets {
  type Listed = ReturnType<typeof listAssets>['assets'][number];
  const counts = (without: object, pick: (asset: Listed) => string | undefined): FacetCount[] => {
    const { assets } = listAssets(all, { ...filter, ...without, limit: Number.MAX_SAFE_INTEGER });
    const groups = [...Map.groupBy(assets, pick)];
    return groups.flatMap(([value, own]) => (value === undefined ? [] : [{ value, count: own.length }]));
  };
  return {
    type: counts({ types: undefined }, ({ mime }) => mime.split('/')[0]),
    state: counts({ states: undefined }, ({ state }) => state),
    verdict: counts({ verdict: undefined }, ({ verdict }) => verdict ?? 'none'),
    model: counts({ models: undefined }, ({ model }) => model),
    project: [],
    tag: [],
    starred: [],
  };
}
