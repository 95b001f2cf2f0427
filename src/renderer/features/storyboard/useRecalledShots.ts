import { useEffect } from 'react';
import { MAX_SHOTS } from '../../../shared/board.ts';
import { promptsFound } from '../../../shared/provenance.ts';
import { counted, t } from '../../../shared/texts.ts';
import { announce, replaceParams, useCall, useRoute } from '../../app/index.ts';
import { append, emptyShot } from './model/shots.ts';
import { type BoardHandle, selectShot } from './useBoard.ts';

/** Words that were found in a clip and asked for become shots at the end of the board, in one step; nothing is sent. */
export function useRecalledShots({ board, sync }: BoardHandle, model: string): void {
  const { page, params } = useRoute();
  const asked = page === 'storyboard' ? (params.get('recall') ?? undefined) : undefined;
  const { data } = useCall('library.found', asked === undefined ? null : { id: asked });
  const isRead = board !== undefined;
  const count = board?.shots.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for is added once, whatever the board becomes.
  useEffect(() => {
    if (asked === undefined || data === undefined || !isRead) return;
    replaceParams('storyboard', {});
    const prompts = promptsFound(data);
    if (prompts.length === 0) return announce(t`No words were found in it`);
    if (count + prompts.length > MAX_SHOTS)
      return announce(t`A board has at most ${MAX_SHOTS} shots; nothing was added`);
    const shots = prompts.map((prompt) => ({ ...emptyShot(crypto.randomUUID(), model), prompt }));
    sync.edit(append(shots));
    if (shots[0]) selectShot(shots[0].id);
    announce(t`${counted(shots.length, 'shot')} added from what was found`);
  }, [asked, data, isRead]);
}
