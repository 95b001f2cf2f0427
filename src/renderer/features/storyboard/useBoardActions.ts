import { useEffect, useState } from 'react';
import { MAX_SHOTS, type Shot, shotTitle } from '../../../shared/board/board.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, focusBlankPrompt, isTyping, useActiveProfile } from '../../app/index.ts';
import { isPageCovered } from '../../ui/index.ts';
import {
  emptyShot,
  insertAfter,
  insertAt,
  moveShot,
  removeShot,
  removeTake,
  returnTake,
  shotLike,
} from './model/shots.ts';
import type { UndoDirection } from './model/sync.ts';
import type { ShotView, TakeView } from './model/view.ts';
import type { ClipPlayer } from './player/clipPlayer.ts';
import { type BoardHandle, selectShot } from './useBoard.ts';

/** The last action, and its undo. */
export interface LastAction {
  text: string;
  back?: { label: string; onBack: () => void };
}

export interface BoardActions {
  /** The model of a shot that copies no other. */
  model: string;
  add: (after: ShotView | undefined) => void;
  insert: (shot: Shot, after: string) => void;
  /** Moves a shot to a place, counted from 1, and announces it. */
  move: (view: ShotView, place: number) => void;
  remove: (view: ShotView) => void;
  removeTake: (view: ShotView, take: TakeView) => void;
  step: (way: UndoDirection) => Promise<void>;
  done: LastAction | undefined;
}

/** How long the notice shows it; the bin and the shortcuts offer undo for longer. */
const SHOWN_MS = 15_000;

const alreadyThere = (number: number): string =>
  number === 1 ? t`Shot ${number} is already first` : t`Shot ${number} is already last`;

/** Changes of the row of shots, each with its undo. */
export function useBoardActions(board: BoardHandle): BoardActions {
  const model = modelsFor(KINDS.video, useActiveProfile()?.models)[0]?.id ?? '';
  const [done, setDone] = useState<LastAction>();
  useEffect(() => {
    const timer = done && setTimeout(() => setDone(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  /** Reports a full board; nothing is added then. */
  const isFull = () => {
    const full = whyFull(board.shots.length);
    if (full === undefined) return false;
    setDone({ text: full });
    announce(full);
    return true;
  };
  const insert = (shot: Shot, after: string | undefined) => {
    if (isFull()) return;
    board.sync.edit(insertAfter(shot, after));
    selectShot(shot.id);
    setDone(undefined);
  };
  const step = useStep(board, setDone);
  return {
    model,
    insert,
    step,
    done,
    add: (after) => {
      const id = crypto.randomUUID();
      insert(after ? shotLike(id, after.shot) : emptyShot(id, model), after?.shot.id);
      focusBlankPrompt();
    },
    move: ({ shot, number }, place) => {
      const to = Math.max(1, Math.min(board.shots.length, place));
      if (to === number) return announce(alreadyThere(number));
      board.sync.edit(moveShot(shot.id, to - 1));
      announce(t`Shot ${number} moved to position ${to} of ${board.shots.length}`);
    },
    remove: (view) => {
      const { shot } = view;
      const neighbour = board.shots[view.number] ?? board.shots[view.number - 2];
      board.sync.edit(removeShot(shot.id));
      if (neighbour) selectShot(neighbour.shot.id);
      const onBack = () => {
        if (isFull()) return;
        board.sync.edit(insertAt(shot, view.number - 1));
        selectShot(shot.id);
        setDone(undefined);
      };
      setDone({ text: t`“${shotTitle(shot)}” was removed.`, back: { label: t`Restore`, onBack } });
    },
    removeTake: ({ shot, number }, take) => {
      board.sync.edit(removeTake(shot.id, take.jobId));
      const onBack = () => {
        board.sync.edit(returnTake(shot.id, take.jobId));
        setDone(undefined);
      };
      const text = t`Take ${take.number} was removed from shot ${number}. It stays in the library.`;
      setDone({ text, back: { label: t`Restore`, onBack } });
    },
  };
}

/** One step of undo or redo: says what it did and offers the opposite. */
function useStep(board: BoardHandle, setDone: (done: LastAction) => void): BoardActions['step'] {
  const step = async (way: UndoDirection) => {
    const answer = await board.sync.step(way);
    const shown = answer.ok ? wordsOfStep(way, answer.data) : { text: answer.error.message };
    setDone(shown.isDone ? { text: shown.text, back: backOf(way) } : { text: shown.text });
  };
  const backOf = (way: UndoDirection) =>
    way === 'undo'
      ? { label: t`Redo`, onBack: () => void step('redo') }
      : { label: t`Undo`, onBack: () => void step('undo') };
  return step;
}

/** Why no shot can be added; undefined if there is room. */
export const whyFull = (count: number): string | undefined =>
  count < MAX_SHOTS ? undefined : t`A film has at most ${MAX_SHOTS} shots.`;

function wordsOfStep(
  way: UndoDirection,
  step: { undone?: string; redone?: string },
): { text: string; isDone?: boolean } {
  const words = way === 'undo' ? step.undone : step.redone;
  if (words === undefined) return { text: way === 'undo' ? t`Nothing to undo` : t`Nothing to redo` };
  return { text: way === 'undo' ? t`Undone: ${words}` : t`Redone: ${words}`, isDone: true };
}

/** Elements that show the playing shot. */
const FOLLOWS = '[data-follows-film]';

/** Elements that open a list or menu of the shot. */
const OPENER = '[aria-haspopup]';

/**
 * Pauses the film where the next cut would replace an edited field or list by another shot's: typed text would become shortcuts. A layer
 * over the page pauses it too, since the page's shortcuts do not work there.
 */
export function usePausedByEdits(player: ClipPlayer | undefined, isFollowed: boolean): void {
  useEffect(() => {
    if (!player || !isFollowed) return;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const isEdited = target.closest(FOLLOWS) !== null && (isTyping(target) || target.closest(OPENER) !== null);
      if (isEdited || isPageCovered()) player.pause();
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [player, isFollowed]);
}
