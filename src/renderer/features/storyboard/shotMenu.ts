import type { Shot } from '../../../shared/board/board.ts';
import { clipRefOf, extendedFrom, lastFrameOf } from '../../../shared/board/shotLinks.ts';
import { isTerminal, isWithoutResult } from '../../../shared/jobs/job.ts';
import { isSeedUnsent, UNSENT_SEED } from '../../../shared/jobs/resultWords.ts';
import { t } from '../../../shared/text/texts.ts';
import type { MenuItem } from '../../ui/index.ts';
import { STATE_WORDS } from '../../words/index.ts';
import { chainAt, shotsText, whyTooMany } from './link/chains.ts';
import { useLinkView } from './link/linkChoices.ts';
import { continuation, duplicateOf, extension, patchConfig, toggleSkipped } from './model/shots.ts';
import { trimTake, WHOLE } from './model/trimEdits.ts';
import { type ShotView, seedOf, type TakeView } from './model/view.ts';
import { type BoardHandle, useBoardView } from './useBoard.ts';
import { type BoardActions, whyFull } from './useBoardActions.ts';

const whyNoSeed = (take: TakeView | undefined): string | undefined => {
  if (take?.job && isSeedUnsent(take.job)) return UNSENT_SEED;
  return seedOf(take) === undefined ? t`No seed` : undefined;
};

/** The actions on a shot and the take in the viewer. */
export function shotMenu(
  board: BoardHandle,
  view: ShotView,
  take: TakeView | undefined,
  actions: BoardActions,
): MenuItem[] {
  const { shot } = view;
  const full = whyFull(board.shots.length);
  return [
    ...followingItems(shot, take, { actions, full }),
    ...chainItems(board, view),
    { id: 'add', label: t`Add a shot after it`, off: full, separated: true, onSelect: () => actions.add(view) },
    {
      id: 'duplicate',
      label: t`Duplicate`,
      off: full,
      onSelect: () => actions.insert(duplicateOf(shot, crypto.randomUUID()), shot.id),
    },
    {
      id: 'seed',
      label: t`Use the seed of this take`,
      off: whyNoSeed(take),
      onSelect: () => board.sync.edit(patchConfig(shot.id, { seed: seedOf(take) })),
    },
    {
      id: 'promote',
      label: t`Promote take ${take?.number ?? '–'}…`,
      off: take?.job?.state === 'succeeded' ? undefined : t`No take yet`,
      onSelect: () => useBoardView.setState({ promoting: take?.jobId }),
    },
    ...(take?.trim
      ? [{ id: 'clearTrim', label: t`Clear trim`, onSelect: () => board.sync.edit(trimTake(shot.id, take, WHOLE)) }]
      : []),
    {
      id: 'skip',
      label: shot.skipped ? t`Play in the film` : t`Skip in the film`,
      kbd: 'V',
      separated: true,
      onSelect: () => board.sync.edit(toggleSkipped(shot.id)),
    },
    ...moveItems(board, view, actions),
    {
      id: 'removeTake',
      label: t`Remove take ${take?.number ?? '–'}`,
      off: whyKept(take),
      separated: true,
      onSelect: () => take && actions.removeTake(view, take),
    },
    {
      id: 'remove',
      label: t`Remove the shot`,
      danger: true,
      kbd: 'Del',
      onSelect: () => actions.remove(view),
    },
  ];
}

/** The shot with its linked ones, made in order. */
function chainItems({ shots }: BoardHandle, view: ShotView): MenuItem[] {
  const chain = chainAt(shots, view);
  if (chain.length < 2) return [];
  return [
    {
      id: 'chain',
      label: t`Make ${shotsText(chain)} in order…`,
      off: whyTooMany(chain.length),
      separated: true,
      onSelect: () => useLinkView.setState({ chainOf: view.shot.id }),
    },
  ];
}

/** Items for a next shot made from this take. */
function followingItems(
  shot: Shot,
  take: TakeView | undefined,
  { actions, full }: { actions: BoardActions; full: string | undefined },
): MenuItem[] {
  const hasTake = take?.job && !isWithoutResult(take.job);
  const needsTake = hasTake ? full : t`No take yet`;
  const next = (make: (id: string, take: TakeView) => Shot) => () => {
    if (take) actions.insert(make(crypto.randomUUID(), take), shot.id);
  };
  const model = take?.job?.model ?? shot.model;
  return [
    {
      id: 'continue',
      label: t`Use last frame in a new shot`,
      off: needsTake,
      onSelect: next((id, from) => continuation(id, shot, lastFrameOf(from))),
    },
    {
      id: 'extend',
      label: t`Extend the take in a new shot`,
      off: needsTake ?? (take && !extendedFrom(take) ? t`Ends at an out point` : undefined),
      onSelect: next((id, from) => extension(id, shot, clipRefOf(from), model)),
    },
  ];
}

function moveItems({ shots }: BoardHandle, view: ShotView, { move }: BoardActions): MenuItem[] {
  const { number } = view;
  return [
    {
      ...{ id: 'earlier', label: t`Move earlier`, kbd: 'Alt ←', onSelect: () => move(view, number - 1) },
      off: number === 1 ? t`Already first.` : undefined,
    },
    {
      ...{ id: 'later', label: t`Move later`, kbd: 'Alt →', onSelect: () => move(view, number + 1) },
      off: number === shots.length ? t`Already last.` : undefined,
    },
  ];
}

/** A take in progress or unconfirmed costs money, so it is not hidden. */
function whyKept(take: TakeView | undefined): string | undefined {
  if (!take) return t`No take yet`;
  if (take.job?.state === 'uncertain') return STATE_WORDS.uncertain;
  return take.job && !isTerminal(take.job.state) ? t`Cancel it first` : undefined;
}
