import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Board } from '../../../shared/board.ts';
import type { Job } from '../../../shared/job.ts';
import { t } from '../../../shared/texts.ts';
import { jobTitle, useCall, useJob, useProjectId } from '../../app/index.ts';

interface ProjectTakes {
  names: ReadonlyMap<string, string>;
  /** `3 T6`, where there is room for no more. */
  short: ReadonlyMap<string, string>;
}

const NONE: ProjectTakes = { names: new Map(), short: new Map() };
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
