import { contentOfTakes } from '../../../../shared/board/assignReferences.ts';
import { linkChain } from '../../../../shared/board/chain.ts';
import { acceptedStaleMark } from '../../../../shared/board/shotLinks.ts';
import { KINDS } from '../../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../../shared/kinds/pricedQuantity.ts';
import type { LookUpMedia } from '../../../../shared/library/mediaRef.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useModelLimits } from '../../../app/index.ts';
import { type PriceNow, usePrice } from '../../../spending/index.ts';
import { reasonText } from '../../../words/index.ts';
import { ordering } from '../inspector/SendBar.tsx';
import { quantityOfShot, reasonsOfShot } from '../model/draft.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { TakeOrder } from '../model/sync.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { shotsText, whyTooMany } from './chains.ts';

export interface Chain {
  /** The shots in making order. */
  shots: ShotView[];
  seconds: number;
  now: PriceNow;
  /** Why the chain cannot be made; it is enqueued whole or not at all. */
  off: string | undefined;
  /** Enqueues it now or, named like this, for the scheduled run. */
  order: (what: string) => ReturnType<typeof ordering>;
}

const NEXT = 'next take of ';

/** A take of each of these shots, each from the one before, with the total price. */
export function useChain(board: BoardHandle, shots: readonly ShotView[]): Chain {
  const limitsOf = useModelLimits();
  const { lookUp, assets } = board.media;
  const cast = board.board?.cast;
  const ids = new Set(shots.map(({ shot }) => shot.id));
  const links = linkChain(board.shots, ids, assets, { newId: (id) => `${NEXT}${id}`, isWhole: true });
  const models = new Map(links.map(({ jobId, shot }) => [jobId, shot.model]));
  const withComing: LookUpMedia = (ref) => {
    const model = 'jobId' in ref ? models.get(ref.jobId) : undefined;
    if (model === undefined) return lookUp(ref);
    return { status: 'pending', type: 'frame' in ref ? 'image' : KINDS.video.makes, model };
  };
  const quantities = links.map(({ shot }) => quantityOfShot(shot)).filter((each): each is PricedQuantity => !!each);
  const tooMany = whyTooMany(links.length);
  const now = usePrice(!tooMany && quantities.length === links.length ? quantities : []);
  const reasons = links.flatMap(({ index, shot }) =>
    reasonsOfShot(shot, cast, withComing, limitsOf(shot.model)).map(
      (reason) => t`Shot ${index + 1}: ${reasonText(reason)}`,
    ),
  );
  const off = tooMany ?? reasons[0] ?? now.off;
  const linked = links.map(({ shot }) => shot);
  const linkedIds = linked.map(({ id }) => id);
  // With links resolved: takes of this same request that arrive meanwhile change nothing.
  const ask = (at: TakeOrder) => board.sync.makeTakes(linkedIds, at, contentOfTakes(linked, cast));
  return {
    shots: links.flatMap(({ index }) => board.shots[index] ?? []),
    seconds: links.reduce((sum, { shot }) => sum + plannedSeconds(shot), 0),
    now,
    off,
    order: (what) => ordering(shotsText(shots), now, ask, what),
  };
}

/** Keeps outdated shots as they are, in one step, until another take is selected in what they were made from. */
export function keepAsTheyAre(board: BoardHandle, stale: readonly ShotView[]): void {
  const marks = new Map(
    stale.flatMap(({ shot, number }): [string, string[]][] => {
      const mark = acceptedStaleMark(board.shots, number - 1, { assets: board.media.assets, cast: board.board?.cast });
      return mark ? [[shot.id, mark]] : [];
    }),
  );
  board.sync.edit((shots) =>
    shots.map((shot) => {
      const kept = marks.get(shot.id);
      return kept ? { ...shot, kept } : shot;
    }),
  );
}
