import { create } from 'zustand';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { useActiveProfile, useShortcut } from '../../../app/index.ts';
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

/** The shot whose joint stands behind this one in the film; for the last, its own joint to the one before it. */
export function jointNear(board: BoardHandle, view: ShotView): ShotView | undefined {
  const next = board.shots.slice(view.number).find(({ shot }) => !shot.skipped);
  const near = next ?? view;
  return near.joint && near;
}

export const openJoint = (shotId: string | undefined): void => useJointView.setState({ jointOf: shotId });

export const jointId = (shotId: string): string => `joint-${shotId}`;

/** Opens the choice of the joint behind the selected shot. */
export function useJointKey(board: BoardHandle, view: ShotView): void {
  useShortcut('board.joint', () => openJoint(jointNear(board, view)?.shot.id));
}
