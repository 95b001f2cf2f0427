import fc from 'fast-check';
import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import {
  ASSET_STATES,
  FACETS,
  type FacetName,
  libraryFilterSchema,
  libraryListSchema,
} from '../../../shared/library/asset.ts';
import { sql } from '../store/index.ts';
import { insertAsset } from './assetColumns.ts';
import { countFacets, listAssets } from './assetList.ts';

const start = engineHarnesses();

const HOUR = 3_600_000;

/** A harness with assets made at these times, in this order. */
function withAssets(times: readonly number[]) {
  const harness = start();
  harness.store.transaction((db) => {
    for (const [index, createdAt] of times.entries()) {
      const role = index % 5 === 4 ? ('source' as const) : ('output' as const);
      insertAsset(db, { id: `a${index}`, state: 'local', role, name: `${index}`, createdAt });
      const thumbnail = { state: 'local', role: 'thumbnail', name: '', createdAt } as const;
      insertAsset(db, { ...thumbnail, id: `t${index}`, parentId: `a${index}` });
    }
  });
  return harness;
}

test('the days add up to the list, also to that of a filter', () => {
  const times = Array.from({ length: 50 }, (_, n) => Date.UTC(2026, 9, 20) + n * HOUR);
  const { library } = withAssets(times);
  const daysOf = (input: { roles?: ['source'] }) =>
    library.list({ limit: 3, ...input, days: true }).days?.flatMap(({ day, count }) => Array(count).fill(day));
  const days = times.map((time) => new Date(time).setHours(0, 0, 0, 0)).reverse();
  expect(daysOf({})).toEqual(days);
  expect(daysOf({ roles: ['source'] })).toEqual(days.filter((_, at) => at % 5 === 0));
});

/** How each statement of a list and its counts is read, by the name of the statement. */
function plansFor(given: CallInput<'library.facets'>, page: object) {
  const db = withPlans(withAssets([1, 2, 3]).store.read);
  const filter = libraryFilterSchema.parse(given);
  listAssets(db, { ...filter, limit: 5, ...page });
  listAssets(db, { ...filter, limit: 5, days: true });
  countFacets(db, filter);
  const plans = (...names: string[]) => db.plans.flatMap(({ name, plan }) => (names.includes(name) ? [plan] : []));
  expect(plans('assets.list')).toHaveLength(2);
  for (const list of plans('assets.list')) expect(list).not.toContain('TEMP B-TREE');
  return plans;
}

const IN_ITS_INDEX = 'SCAN a USING COVERING INDEX assets_listed';
const MANY = { types: ['image'], roles: ['output'], states: ['local'], models: ['m'], projectId: 'p', verdict: 'keep' };

test.each<[object]>([
  [{}],
  [{ roles: ['output', 'source'] }],
  [{ roles: ['output'], types: ['image'] }],
  [{ roles: ['output'], models: ['m', 'n'] }],
  [{ roles: ['output'], verdict: ['none'] }],
  [{ roles: ['output'], projectId: 'p' }],
  [{ roles: ['output'], starred: true }],
  [MANY],
  [{ from: 1 }],
])('neither the way to a place nor any count reads the rows that are not shown: %j', (given) => {
  const plans = plansFor(given, { offset: 2 });
  for (const list of plans('assets.list')) expect(list).toContain(IN_ITS_INDEX);
  expect(plans('assets.days')).toEqual([expect.stringContaining(IN_ITS_INDEX)]);
  if ('from' in given) return;
  const [sum = '', ...others] = plans('assets.sum');
  expect([sum, others]).toEqual([expect.stringMatching(/^(SCAN|SEARCH) a( USING INDEX asset_counts_key|;|$)/), []]);
  const [together] = plans('assets.facets')[0]?.split('; SCAN together') ?? [];
  expect(together).toMatch(/(SCAN|SEARCH) a( USING INDEX asset_counts_key|;|$)/);
  expect(together).not.toContain('TEMP B-TREE');
});

const HITS = 'SCAN hit VIRTUAL TABLE';
const OF_HIT = 'SEARCH a USING COVERING INDEX assets_listed (seq=?)';

test.each<[CallInput<'library.facets'>, string]>([
  [{ text: 'a' }, OF_HIT],
  [{ text: 'a', types: ['image'], models: ['m'], projectId: 'p', from: 1, to: 2, starred: true }, OF_HIT],
  [{ text: 'a', binned: true }, 'SEARCH a USING COVERING INDEX assets_binned (seq=?)'],
])('what is found is read as its index finds it, and no more of it than the page shows: %j', (filter, ofHit) => {
  const plans = plansFor(filter, { cursor: '7' });
  const counts = ['assets.count', 'assets.days', 'assets.facets'];
  for (const name of counts) expect(plans(name), name).toHaveLength(1);
  for (const plan of plans('assets.list', ...counts)) {
    expect(plan).toContain(HITS);
    expect(plan).toContain(ofHit);
    expect(plan).not.toContain('SCAN assets_fts');
  }
  // Those behind the cursor are skipped in the index of the words, and it has their order.
  expect(plans('assets.list')[0]).toMatch(/SCAN hit VIRTUAL TABLE INDEX \d+:M\d+</);
});

test('no more is counted than is asked for, newest first, and said where there are more', () => {
  const HOURS = 30;
  const { library } = withAssets(Array.from({ length: HOURS }, (_, n) => Date.UTC(2026, 9, 20) + n * HOUR));
  for (const text of [undefined, '2', 'none of them'])
    for (const upTo of [1, 7, 13, HOURS, 100]) {
      const filter = text === undefined ? {} : { text };
      const { total, days = [] } = library.list({ limit: 1, ...filter, days: true });
      const all = days.flatMap(({ day, count }) => Array.from({ length: count }, () => day));
      for (const asked of [{}, { days: true as const }]) {
        const page = library.list({ limit: 2, ...filter, ...asked, upTo });
        expect(page.total).toBe(Math.min(total, upTo));
        expect(page.isMore).toBe(total > upTo ? true : undefined);
        if (!asked.days) continue;
        expect(page.days?.flatMap(({ day, count }) => Array.from({ length: count }, () => day))).toEqual(
          all.slice(0, upTo),
        );
      }
      const facets = library.facets({ ...filter, upTo });
      // What is summed is no work to count.
      const isCut = text !== undefined && total > upTo;
      expect(facets.isMore).toBe(isCut ? true : undefined);
      expect(facets.state).toEqual(total === 0 ? [] : [{ value: 'local', count: isCut ? upTo : total }]);
    }
});

test('what is counted no further than asked is read no further', () => {
  const { store } = withAssets([1, 2, 3]);
  const db = withPlans(store.read);
  const asked = libraryFilterSchema.parse({ text: 'a', roles: ['output'] });
  listAssets(db, { ...asked, limit: 5, upTo: 1 });
  listAssets(db, { ...asked, limit: 5, upTo: 1, days: true });
  for (const { name, plan } of db.plans.filter(({ name }) => ['assets.count', 'assets.days'].includes(name))) {
    // The rows that are counted are a query of their own, in the order in which they are found.
    const [, rows = ''] = plan.split('CO-ROUTINE');
    expect(rows, name).toContain(HITS);
    expect(rows.split('SCAN (subquery')[0]?.split('SCAN a')[0], name).not.toContain('TEMP B-TREE');
  }
});

test('what is found is shown in another order without being sorted', () => {
  const { store } = withAssets([1, 2, 3]);
  for (const by of ['cost', 'bytes', 'seconds', 'name'] as const) {
    const db = withPlans(store.read);
    listAssets(db, { ...libraryFilterSchema.parse({ text: 'a' }), sort: { by, order: 'desc' }, limit: 5 });
    const plan = db.plans.find(({ name }) => name === 'assets.list')?.plan;
    expect(plan, by).toContain(`SCAN a USING INDEX assets_by_${by}`);
    // The page itself, which is read by its numbers, is.
    expect(plan?.match(/TEMP B-TREE/g), by).toHaveLength(1);
  }
});

test('facets of what is found often are grouped in the order of their index, those of few are looked up', () => {
  const { store } = start();
  store.transaction((db) => {
    for (let n = 0; n < 31; n++) {
      const made = { state: 'local', role: 'output', createdAt: n, ...(n % 2 ? { model: 'm' } : {}) } as const;
      insertAsset(db, { ...made, id: `a${n}`, name: n < 10 ? 'harbour quay' : 'quay' });
    }
  });
  const facets = (text: string) => {
    const db = withPlans(store.read);
    const { model, state } = countFacets(db, libraryFilterSchema.parse({ text }), 20);
    return { model, state, scans: db.plans.some(({ plan }) => plan.includes('assets_counted')) };
  };
  const counted = (models: number, all: number) => ({
    ...{ model: [{ value: 'm', count: models }], state: [{ value: 'local', count: all }] },
  });
  expect(facets('quay')).toEqual({ ...counted(15, 31), scans: true });
  expect(facets('harbour')).toEqual({ ...counted(5, 10), scans: false });
});

const insertJob = sql(
  'test.job',
  `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
     position, created_at) VALUES ($id, 'imagine', 'succeeded', '{}', 'p', 'image', $id, 'h', 'null', 0, 0, 0, 0)`,
);
const judge = sql('test.judge', 'UPDATE jobs SET verdict = $verdict WHERE id = $id');

const TYPES = { image: 'image/png', video: 'video/mp4', other: '' } as const;
const anAsset = fc.record({
  type: fc.constantFrom('image', 'video', 'other'),
  state: fc.constantFrom(...ASSET_STATES),
  role: fc.constantFrom('output', 'source', 'frame'),
  verdict: fc.constantFrom('keep', 'no', 'none'),
  /** Whether it came after its job was judged, as a frame does that is taken later. */
  isLate: fc.boolean(),
  model: fc.constantFrom('m', 'n', undefined),
  project: fc.constantFrom('p', 'q', undefined),
  name: fc.constantFrom('Harbour', 'Quay at 100%'),
});
type Made = typeof anAsset extends fc.Arbitrary<infer T> ? T : never;

const someOf = <const T>(...values: T[]) => fc.option(fc.uniqueArray(fc.constantFrom(...values)), { nil: undefined });
const oneOf = <const T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const aFilter = fc.record({
  types: someOf('image', 'video', 'audio'),
  states: someOf(...ASSET_STATES),
  roles: someOf('output', 'source', 'frame'),
  models: someOf('m', 'n', 'o'),
  verdict: oneOf('keep', 'no', 'maybe', 'none'),
  projectId: oneOf('p', 'q'),
  text: oneOf('100%', ' quay ', ''),
});
type Filter = typeof aFilter extends fc.Arbitrary<infer T> ? T : never;

/** What a filter says, by the facet that it narrows; a text and roles narrow all. */
const MATCHES: Record<FacetName | 'hidden', (asset: Made, filter: Filter) => boolean> = {
  type: ({ type }, { types }) => !types?.length || (types as string[]).includes(type),
  state: ({ state }, { states }) => !states?.length || states.includes(state),
  verdict: (asset, { verdict }) => verdict === undefined || verdict === asset.verdict,
  model: ({ model }, { models }) => !models?.length || (models as unknown[]).includes(model),
  project: ({ project }, { projectId }) => projectId === undefined || projectId === project,
  // Marks have a test of their own (assetMarks.test.ts).
  tag: () => true,
  starred: () => true,
  hidden: ({ name, role }, { text = '', roles }) =>
    name.toLowerCase().includes(text.trim()) && (!roles?.length || roles.includes(role)),
};
const matches = (asset: Made, filter: Filter, except?: FacetName): boolean =>
  ([...FACETS, 'hidden'] as const).every((name) => name === except || MATCHES[name](asset, filter));

/** The filter that asks for this value of this facet instead. */
const CHOICE: Record<FacetName, (value: string) => object> = {
  type: (value) => ({ types: [value] }),
  state: (value) => ({ states: [value] }),
  verdict: (value) => ({ verdict: value }),
  model: (value) => ({ models: [value] }),
  project: (value) => ({ projectId: value }),
  tag: (value) => ({ tags: [value] }),
  starred: (value) => ({ starred: value === 'true' }),
};

function withMade(made: readonly Made[]) {
  const harness = start();
  harness.store.transaction((db) => {
    for (const [index, { type, state, role, verdict, isLate, model, project, name }] of made.entries()) {
      const jobId = `j${index}`;
      const fields = { mime: TYPES[type], state, role, name, createdAt: index, id: `a${index}`, jobId };
      const asset = { ...fields, ...(model ? { model } : {}), ...(project ? { projectId: project } : {}) };
      db.run(insertJob, { id: jobId });
      if (!isLate) insertAsset(db, asset);
      db.run(judge, { id: jobId, verdict: 'maybe' });
      db.run(judge, { id: jobId, verdict: verdict === 'none' ? null : verdict });
      if (isLate) insertAsset(db, asset);
    }
  });
  return harness.library;
}

test('every facet counts what its values would list, under all other filters', () => {
  fc.assert(
    fc.property(fc.array(anAsset, { maxLength: 40 }), aFilter, (made, given) => {
      const library = withMade(made);
      const filter = JSON.parse(JSON.stringify(given)) as Filter;
      const facets = library.facets(filter);
      expect(Object.keys(facets)).toEqual([...FACETS]);
      for (const name of FACETS) {
        const naive = new Map<string, number>();
        for (const asset of made.filter((one) => matches(one, filter, name))) {
          const value = name === 'starred' ? 'false' : name === 'tag' ? undefined : asset[name];
          if (value === undefined || value === 'other') continue;
          naive.set(value, (naive.get(value) ?? 0) + 1);
        }
        expect(new Map(facets[name].map(({ value, count }) => [value, count]))).toEqual(naive);
        for (const { value, count } of facets[name]) {
          const chosen = libraryListSchema.parse({ ...filter, ...CHOICE[name](value), limit: 1 });
          expect(library.list(chosen).total).toBe(count);
          // All are of one day.
          expect(library.list({ ...chosen, days: true }).days).toEqual([
            { day: new Date(0).setHours(0, 0, 0, 0), count },
          ]);
        }
      }
      const listed = library
        .list({ ...filter, limit: 100 })
        .assets.map(({ id, verdict = 'none', projectId }) => ({ id, verdict, projectId }));
      const kept = made.flatMap((asset, index) =>
        matches(asset, filter) ? [{ id: `a${index}`, verdict: asset.verdict, projectId: asset.project }] : [],
      );
      expect(listed).toEqual(kept.reverse());
    }),
    { numRuns: 30 },
  );
});
