import { useEffect } from 'react';
import { create } from 'zustand';
import { t } from '../../../shared/text/texts.ts';
import { call } from '../../client/index.ts';
import { useStudio } from './studio.ts';
import { useEvent } from './useCall.ts';

/** Where a job is a take, counted from 1. */
export interface TakePlace {
  shot: number;
  take: number;
}

/** What a take is called on every page. */
export const takeName = ({ shot, take }: TakePlace): string => t`Shot ${shot} · take ${take}`;

type Takes = ReadonlyMap<string, TakePlace>;
const NO_TAKES: Takes = new Map();

/** Takes by project and job, of the boards that were asked for; kept while the window lives. */
const useBoards = create<{ boards: ReadonlyMap<string, Takes> }>()(() => ({ boards: new Map() }));

const isAsked = (projectId: string): boolean => useBoards.getState().boards.has(projectId);

const setTakes = (projectId: string, takes: Takes): void =>
  useBoards.setState(({ boards }) => ({ boards: new Map(boards).set(projectId, takes) }));

async function readBoard(projectId: string): Promise<void> {
  const answer = await call('storyboard.get', { projectId });
  if (!answer.ok) return;
  const takes = answer.data.shots.flatMap(({ takes }, shot) =>
    takes.map((jobId, take): [string, TakePlace] => [jobId, { shot: shot + 1, take: take + 1 }]),
  );
  setTakes(projectId, new Map(takes));
}

/** Reads the board once for all who ask. */
function useBoardRead(projectId: string | undefined): void {
  useEffect(() => {
    if (projectId === undefined || isAsked(projectId)) return;
    setTakes(projectId, NO_TAKES);
    void readBoard(projectId);
  }, [projectId]);
}

/** Of one project, by job. */
export function useTakes(projectId: string | undefined): Takes {
  useBoardRead(projectId);
  return useBoards(({ boards }) => boards.get(projectId ?? '')) ?? NO_TAKES;
}

/** Where this job is a take; undefined where it is none, or no project is given. */
export function useTake(projectId: string | undefined, jobId: string | undefined): TakePlace | undefined {
  useBoardRead(jobId === undefined ? undefined : projectId);
  return useBoards(({ boards }) => boards.get(projectId ?? '')?.get(jobId ?? ''));
}

/** For a page that names takes: boards are read again as it opens, as films are edited, and after the studio was away. */
export function useFreshTakes(): void {
  const connection = useStudio((state) => state.connection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each connection reads again on purpose.
  useEffect(() => {
    for (const projectId of useBoards.getState().boards.keys()) void readBoard(projectId);
  }, [connection]);
  useEvent('board.changed', ({ projectId }) => {
    if (isAsked(projectId)) void readBoard(projectId);
  });
}
