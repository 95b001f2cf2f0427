import { useEffect } from 'react';
import { create } from 'zustand';
import { t } from '../../../shared/text/texts.ts';
import { call } from '../../client/index.ts';
import { useStudio } from './studio.ts';
import { useEvent } from './useCall.ts';

/** The shot and take numbers of a job, from 1. */
export interface TakePlace {
  shot: number;
  take: number;
}

/** The name of a take on every page. */
export const takeName = ({ shot, take }: TakePlace): string => t`Shot ${shot} · take ${take}`;

type Takes = ReadonlyMap<string, TakePlace>;
const NO_TAKES: Takes = new Map();

/** Takes by project and job of the boards that were read; kept as long as the window. */
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

/** Reads the board once for all components. */
function useBoardRead(projectId: string | undefined): void {
  useEffect(() => {
    if (projectId === undefined || isAsked(projectId)) return;
    setTakes(projectId, NO_TAKES);
    void readBoard(projectId);
  }, [projectId]);
}

/** The takes of a project by job. */
export function useTakes(projectId: string | undefined): Takes {
  useBoardRead(projectId);
  return useBoards(({ boards }) => boards.get(projectId ?? '')) ?? NO_TAKES;
}

/** The place of a job as a take; undefined if it is none, or without a project. */
export function useTake(projectId: string | undefined, jobId: string | undefined): TakePlace | undefined {
  useBoardRead(jobId === undefined ? undefined : projectId);
  return useBoards(({ boards }) => boards.get(projectId ?? '')?.get(jobId ?? ''));
}

/** For pages that name takes: reads boards again when the page opens, when films are edited, and when the connection is back. */
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
