import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Board } from '../../../shared/board.ts';
import type { Job } from '../../../shared/job.ts';
import { jobTitle, useCall, useJob, useProjectId } from '../../app/index.ts';

const NONE: ReadonlyMap<string, string> = new Map();
const TakeNames = createContext(NONE);

/** `Shot 3, take 6`, or the shot's own title with the take, by job id. */
export function takeNamesOf({ shots }: Board): ReadonlyMap<string, string> {
  return new Map(
    shots.flatMap(({ title, takes }, at) =>
      takes.map((id, take): [string, string] => [id, `${title.trim() || `Shot ${at + 1}`}, take ${take + 1}`]),
    ),
  );
}

/** Reads the open project's board once, so that its takes go by the names they have there. */
export function TakeNamesOfProject({ children }: { children: ReactNode }) {
  const projectId = useProjectId();
  const { data, stale } = useCall('storyboard.get', projectId === undefined ? null : { projectId }, {
    on: ['board.changed'],
  });
  const names = useMemo(() => (data && !stale ? takeNamesOf(data) : NONE), [data, stale]);
  return <TakeNames value={names}>{children}</TakeNames>;
}

/** A take's name on its board; other jobs go by the first words of their prompt. */
export function useTitleOf(): (job: Job, longest?: number) => string {
  const names = useContext(TakeNames);
  return useMemo(() => (job, longest) => names.get(job.id) ?? jobTitle(job, longest), [names]);
}

export const useIsTake = (id: string): boolean => useContext(TakeNames).has(id);

/** A job by its name, which is read where no list has brought the job; meanwhile it has none. */
export function JobName({ id }: { id: string }) {
  const job = useJob(id);
  const titleOf = useTitleOf();
  return job ? titleOf(job) : '…';
}
