import { useEffect, useMemo, useState } from 'react';
import type { JobPage } from '../../../shared/jobs/lists.ts';
import type { NightReport } from '../../../shared/jobs/night.ts';
import { kindsWhere, makesFiles } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { cacheJobs, hashOf, useCall, useEntities, useProjectId, useRoute } from '../../app/index.ts';
import type { StudioError } from '../../client/index.ts';
import { useKnownMedia } from '../../media/useMedia.ts';
import { type BoardHandle, useBoardView } from '../storyboard/useBoard.ts';
import { chosenGroups, newGroups, type ReviewGroup, shotGroups } from './items.ts';
import { setReviewView, useReviewView } from './view.ts';

export const SOURCES = ['shot', 'night', 'unrated', 'chosen'] as const;
export type SourceId = (typeof SOURCES)[number];

export interface Source {
  id: SourceId;
  groups: readonly ReviewGroup[];
  /** The report of an overnight run. */
  report: NightReport | undefined;
  /** The number of unrated takes that are not listed. */
  more: number;
  loading: boolean;
  error: StudioError | undefined;
  reload: () => void;
  /** Lists the unrated takes again. */
  again: () => void;
  /** How often they were listed again. */
  turn: number;
  /** The job or shot to start with. */
  first: string | undefined;
}

/** The source in the address: `#/review?shot=ID`, `?run=ID`, `?assets=ID,ID`; without parameters, unrated takes. */
function sourceOf(params: URLSearchParams): SourceId {
  if (params.has('shot')) return 'shot';
  if (params.has('run')) return 'night';
  return params.has('assets') ? 'chosen' : 'unrated';
}

const NONE: never[] = [];
/** The most unrated results per reading. */
const MOST_UNRATED = 200;

const UNRATED = { kinds: kindsWhere(makesFiles), states: ['succeeded' as const], verdict: 'none' as const };

/** The number of unrated results of the project. */
export function useUnratedCount(): number | undefined {
  const projectId = useProjectId();
  const of = projectId === undefined ? {} : { projectId };
  return useCall('jobs.list', { ...UNRATED, ...of, limit: 1 }, { on: ['job.changed'] }).data?.total;
}

/** The results under review. The list of unrated jobs changes with each rating, so the jobs of the first reading are kept. */
export function useSource(board: BoardHandle | undefined): Source {
  const { params } = useRoute();
  const id = sourceOf(params);
  const [turn, setTurn] = useState(0);
  const asked = params.get('assets') ?? '';
  useChosen(asked, params.get('from'));
  const { report, read, ...state } = useJobs(id, params.get('run') ?? '');
  const first = useFirstReading(`${id} ${params.get('run')} ${turn}`, read);
  const ids = first?.ids ?? NONE;
  const assetIds = useMemo(() => (asked === '' ? NONE : asked.split(',')), [asked]);
  const { assets } = useKnownMedia(
    useMemo(() => [...ids.map((jobId) => ({ jobId })), ...assetIds.map((assetId) => ({ assetId }))], [ids, assetIds]),
  );
  const jobs = useEntities((cache) => cache.jobs);
  const shots = board?.shots ?? NONE;
  const groups = useMemo(() => {
    if (id === 'shot') return shotGroups(shots);
    if (id !== 'chosen') return newGroups(ids, shots, jobs);
    const chosen = assetIds.flatMap((assetId) => assets.get(assetId) ?? []);
    // Shown once all are known, so that letters never change.
    return chosen.length < assetIds.length ? [] : chosenGroups(chosen, jobs);
  }, [id, ids, shots, jobs, assetIds, assets]);
  return {
    ...state,
    id,
    groups,
    report,
    more: first?.more ?? 0,
    loading:
      state.loading || (id === 'chosen' ? groups.length === 0 : ids.length > 0 && !ids.some((one) => jobs.has(one))),
    again: () => setTurn(turn + 1),
    turn,
    first: params.get('shot') ?? params.get('first') ?? undefined,
  };
}

/** Remembers the selection of another page. */
function useChosen(asked: string, from: string | null): void {
  useEffect(() => {
    if (asked === '') return;
    setReviewView({ chosen: { ids: asked.split(','), from: from === 'images' ? 'images' : 'library' } });
  }, [asked, from]);
}

/** The jobs of an overnight run, or the unrated jobs. */
function useJobs(id: SourceId, runId: string) {
  const projectId = useProjectId();
  const night = useCall('night.report', id === 'night' ? (runId === '' ? {} : { runId }) : null, {
    on: ['night.changed', 'job.changed'],
  });
  const ofProject = projectId === undefined ? {} : { projectId };
  const unrated = useCall('jobs.list', id === 'unrated' ? { ...UNRATED, ...ofProject, limit: MOST_UNRATED } : null, {
    on: ['job.changed'],
  });
  useEffect(() => cacheJobs(unrated.data?.jobs ?? []), [unrated.data]);
  const { data, error, reload } = id === 'night' ? night : unrated;
  const isCalled = id === 'night' || id === 'unrated';
  return {
    report: id === 'night' ? night.data : undefined,
    read: readingOf(id, night.data, unrated.data),
    loading: isCalled && !data && !error,
    error: isCalled && !data ? error : undefined,
    reload,
  };
}

function readingOf(id: SourceId, report: NightReport | undefined, list: JobPage | undefined): Reading | undefined {
  if (id === 'night') return report && { ids: madeIn(report), more: moreUnrated(report) };
  if (id !== 'unrated' || !list) return undefined;
  return { ids: list.jobs.map((job) => job.id), more: list.total - list.jobs.length };
}

interface Reading {
  ids: readonly string[];
  more: number;
}

function useFirstReading(key: string, read: Reading | undefined): Reading | undefined {
  const [first, setFirst] = useState<{ key: string; read: Reading }>();
  if (read && first?.key !== key) setFirst({ key, read });
  return first?.key === key ? first.read : read;
}

/** The jobs of a run with a result, in the order sent. */
const madeIn = ({ sent }: NightReport): string[] =>
  sent.filter(({ state }) => state === 'succeeded').map(({ jobId }) => jobId);

/** The number of unrated takes that are not listed yet. */
const moreUnrated = ({ made, judged, sent }: NightReport): number =>
  made - judged - sent.filter(({ state, verdict }) => state === 'succeeded' && verdict === undefined).length;

/** The page that it returns to, with its name. */
export function useBack(id: SourceId): { href: string; label: string } {
  const { params } = useRoute();
  const from = useReviewView(({ chosen }) => chosen.from);
  const run = params.get('run') ?? '';
  switch (id) {
    case 'shot':
      return { href: hashOf('storyboard'), label: t`Back to board` };
    case 'night':
      return { href: hashOf('queue', run === '' ? {} : { run }, 'night'), label: t`Back to report` };
    case 'unrated':
      return { href: hashOf('queue'), label: t`Back to queue` };
    case 'chosen':
      return from === 'images'
        ? { href: hashOf('images'), label: t`Back to images` }
        : { href: hashOf('library'), label: t`Back to library` };
  }
}

/** The address of each source that has takes. */
export function useSourceLinks(board: BoardHandle | undefined): Record<SourceId, string | undefined> {
  const { params } = useRoute();
  const last = useCall('night.report', {}, { on: ['night.changed'] }).data;
  const { ids, from } = useReviewView(({ chosen }) => chosen);
  const shotId = useBoardView((view) => view.shotId);
  const groups = shotGroups(board?.shots ?? NONE);
  const shot = params.get('shot') ?? (groups.find(({ key }) => key === shotId) ?? groups[0])?.key;
  const run = params.get('run') ?? (last && last.made > 0 ? last.run.id : undefined);
  return {
    shot: shot === undefined ? undefined : hashOf('review', { shot }),
    night: run === undefined ? undefined : hashOf('review', { run }),
    unrated: hashOf('review'),
    chosen: ids.length === 0 ? undefined : hashOf('review', { assets: ids.join(','), from }),
  };
}
