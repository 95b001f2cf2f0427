import type { KeyboardEvent } from 'react';
import { create } from 'zustand';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, useActiveProfile, useShortcut } from '../../../app/index.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type JointChoices, jointChoices } from './jointChoices.ts';

/** What is open of the joints; not part of the board. */
interface JointView {
  /** The shot whose joint to the one before is being chosen. */
  jointOf: string | undefined;
  /** The shot whose chain is offered with its price. */
  chainOf: string | undefined;
}

export const useJointView = create<JointView>()(() => ({ jointOf: undefined, chainOf: undefined }));

/** The joints that a shot can have to the one before it. */
export function useJointChoices(board: BoardHandle, view: ShotView): JointChoices | undefined {
  const profile = useActiveProfile();
  return jointChoices(board.shots, view.number - 1, {
    lookUp: board.media.lookUp,
    profileId: profile?.id,
    models: modelsFor(KINDS.video, profile?.models).map(({ id }) => id),
  });
}

export const openJoint = (shotId: string | undefined): void => useJointView.setState({ jointOf: shotId });

export const jointId = (shotId: string): string => `joint-${shotId}`;

/** Opens the choice of the link from the selected shot to the next one. */
export function useJointKey({ shots }: BoardHandle, { number }: ShotView): void {
  useShortcut('board.joint', () => {
    const next = shots.slice(number).find(({ shot }) => !shot.skipped);
    if (next?.joint) openJoint(next.shot.id);
    else announce(t`No shot follows shot ${number}.`);
  });
}

/** Moves the focus among the buttons of a part. */
export function goByArrows(event: KeyboardEvent<HTMLElement>, back: string, forward: string): void {
  const step = { [back]: -1, [forward]: 1 }[event.key];
  if (step === undefined || event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button.matches(':focus'));
  buttons[at + step]?.focus();
}
