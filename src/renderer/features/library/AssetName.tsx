import { useEffect } from 'react';
import { create } from 'zustand';
import type { Asset } from '../../../shared/asset.ts';
import { t } from '../../../shared/texts.ts';
import { useEvent, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';

interface Place {
  shot: number;
  take: number;
}

/** Where jobs are takes, by project and job, of those that were asked for; kept while the window lives. */
const useBoards = create<{ boards: ReadonlyMap<string, ReadonlyMap<string, Place>> }>()(() => ({ boards: new Map() }));

const isAsked = (projectId: string): boolean => useBoards.getState().boards.has(projectId);

const setPlaces = (projectId: string, places: readonly [string, Place][]): void =>
  useBoards.setState(({ boards }) => ({ boards: new Map(boards).set(projectId, new Map(places)) }));

async function readBoard(projectId: string): Promise<void> {
  const answer = await call('storyboard.get', { projectId });
  if (!answer.ok) return;
  const places = answer.data.shots.flatMap(({ takes }, shot) =>
    takes.map((jobId, take): [string, Place] => [jobId, { shot: shot + 1, take: take + 1 }]),
  );
  setPlaces(projectId, places);
}

/** Keeps the names of takes as their films are edited: boards are read again as the page opens, and after the studio was away. */
export function useFreshNames(): void {
  const connection = useStudio((state) => state.connection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each connection reads again on purpose.
  useEffect(() => {
    for (const projectId of useBoards.getState().boards.keys()) void readBoard(projectId);
  }, [connection]);
  useEvent('board.changed', ({ projectId }) => {
    if (isAsked(projectId)) void readBoard(projectId);
  });
}

/** What an asset is called: a take by its place in its film, anything else by its file. */
export function useAssetName({ projectId, jobId, role, name, outputIndex = 0 }: Asset): string {
  const isTake = projectId !== undefined && jobId !== undefined && role === 'output';
  const place = useBoards(({ boards }) => (isTake ? boards.get(projectId)?.get(jobId) : undefined));
  useEffect(() => {
    if (!isTake || isAsked(projectId)) return;
    setPlaces(projectId, []);
    void readBoard(projectId);
  }, [isTake, projectId]);
  if (!place) return name;
  const { shot, take } = place;
  return outputIndex > 0 ? t`Shot ${shot} · take ${take} · clip ${outputIndex + 1}` : t`Shot ${shot} · take ${take}`;
}

/** In an element of its own: there, characters that would turn a name around are shown. */
export const AssetName = ({ asset }: { asset: Asset }) => <span>{useAssetName(asset)}</span>;
