import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Board, Shot } from '../../../shared/board.ts';
import { filmOf } from '../../../shared/film.ts';
import type { Job } from '../../../shared/job.ts';
import { t } from '../../../shared/texts.ts';
import { jobTitle, useCall, useJob, useProjectId } from '../../app/index.ts';
import { useCacheOf, useKnownMedia } from '../../media/useMedia.ts';

/** A shot's takes, by id, oldest first. */
export interface ShotTakes {
  /** Its own title, else its number: `Shot 3`. */
  title: string;
  takes: readonly string[];
  /** The take that plays for it. */
  plays?: string;
}

interface ProjectTakes {
  names: ReadonlyMap<string, string>;
  /** `3 T6`, where there is room for no more. */
  short: ReadonlyMap<string, string>;
  shots: readonly Shot[];
}

const NONE: ProjectTakes = { names: new Map(), short: new Map(), shots: [] };
const TakesContext = createContext(NONE);

const titleAt = ({ title }: Board['shots'][number], at: number): string => title.trim() || t`Shot ${at + 1}`;

/** `Shot 3, take 6`, or the shot's own title with the take, by job id. */
export function takeNamesOf({ shots }: Board): ReadonlyMap<string, string> {
  return new Map(
    shots.flatMap((shot, at) =>
      shot.takes.map((id, take): [string, string] => [id, t`${titleAt(shot, at)}, take ${take + 1}`]),
    ),
  );
}

const takesOf = (board: Board): ProjectTakes => ({
  names: takeNamesOf(board),
  short: new Map(
    board.shots.flatMap(({ takes }, at) => takes.map((id, take): [string, string] => [id, `${at + 1} T${take + 1}`])),
  ),
  shots: board.shots,
});

/** Reads the open project's board once, so that its takes go by the names they have there. */
export function TakeNamesOfProject({ children }: { children: ReactNode }) {
  const projectId = useProjectId();
  const { data, stale } = useCall('storyboard.get', projectId === undefined ? null : { projectId }, {
    on: ['board.changed'],
  });
  const takes = useMemo(() => (data && !stale ? takesOf(data) : NONE), [data, stale]);
  return <TakesContext value={takes}>{children}</TakesContext>;
}

/** A take's name on its board; other jobs go by the first words of their prompt. */
export function useTitleOf(): (job: Job, longest?: number) => string {
  const { names } = useContext(TakesContext);
  return useMemo(() => (job, longest) => names.get(job.id) ?? jobTitle(job, longest), [names]);
}

export const useIsTake = (id: string): boolean => useContext(TakesContext).names.has(id);

/** The shots of the open project with their takes; which one plays is looked up for those that have one of these. */
export function useShotTakes(ids: readonly string[]): readonly ShotTakes[] {
  const { shots } = useContext(TakesContext);
  const wanted = useMemo(() => {
    const all = new Set(ids);
    return shots.filter(({ activeTake, takes }) => activeTake !== undefined && takes.some((id) => all.has(id)));
  }, [shots, ids]);
  const chosen = useMemo(() => wanted.flatMap(chosenTakes), [wanted]);
  const { jobs: chosenJobs } = useCacheOf(chosen);
  // The others are read only where the chosen ones were not made.
  const others = useMemo(
    () =>
      wanted
        .filter((shot) =>
          chosenTakes(shot).every(({ jobId }) => (chosenJobs.get(jobId)?.state ?? 'succeeded') !== 'succeeded'),
        )
        .flatMap(({ takes }) => takes.map((jobId) => ({ jobId }))),
    [wanted, chosenJobs],
  );
  const { jobs, assets } = useKnownMedia(useMemo(() => [...chosen, ...others], [chosen, others]));
  return useMemo(() => {
    const plays = new Map(filmOf(wanted, { jobs, assets }).map(({ shot, active }) => [shot.id, active?.jobId]));
    return shots.map((shot, at) => {
      const active = plays.get(shot.id);
      return { title: titleAt(shot, at), takes: shot.takes, ...(active === undefined ? {} : { plays: active }) };
    });
  }, [shots, wanted, jobs, assets]);
}

const chosenTakes = ({ activeTake, meanwhile }: Shot): { jobId: string }[] =>
  [activeTake, meanwhile?.take].flatMap((jobId) => (jobId === undefined ? [] : [{ jobId }]));

/** `3 T6` and `Shot 3, take 6`; undefined for what is no take of the open project. */
export function useTakeLabels(): (id: string) => { short: string; long: string } | undefined {
  const { names, short } = useContext(TakesContext);
  return (id) => {
    const label = short.get(id);
    return label === undefined ? undefined : { short: label, long: names.get(id) ?? label };
  };
}

/** A job by its name, which is read where no list has brought the job; meanwhile it has none. */
export function JobName({ id }: { id: string }) {
  const job = useJob(id);
  const titleOf = useTitleOf();
  return job ? titleOf(job) : '…';
}
