import type { Asset } from '../../../../shared/asset.ts';
import type { CastMember, CastUse } from '../../../../shared/cast.ts';
import type { Job } from '../../../../shared/job.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import { castUseOf, type Share, shareSlots } from '../../../../shared/slotSharing.ts';
import type { ShotView } from './view.ts';

/** How a member takes part in a shot: what the take that plays was sent with; of a shot without one, what its next take would be. */
export interface CastCell {
  use: CastUse;
  /** No take was sent with it yet. */
  isPlanned: boolean;
  /** It was sent with a picture that is not among the member's sheets any more. */
  isStale: boolean;
}

export interface CastColumn {
  view: ShotView;
  /** What the next take would be sent with, in the order of the slots. */
  shares: Share[];
  /** By member. */
  cells: Map<string, CastCell>;
}

/** The cast that a request was sent with; undefined if it was made without one, or by an older version. */
export const castOf = (job: Job | undefined): CastUse[] | undefined =>
  job && isRequestOf(KINDS.video, job.request) ? job.request.cast : undefined;

export function columnsOf(
  shots: readonly ShotView[],
  cast: readonly CastMember[],
  assets: ReadonlyMap<string, Asset>,
): CastColumn[] {
  const members = new Map(cast.map((member) => [member.id, member]));
  return shots.map((view) => {
    const { shares } = shareSlots(view.shot, cast);
    const cells = new Map<string, CastCell>();
    for (const use of castOf(view.active?.job) ?? []) {
      const member = members.get(use.memberId);
      if (member) cells.set(use.memberId, { use, isPlanned: false, isStale: isOutOfUse(use, member, assets) });
    }
    for (const share of shares) {
      const use = castUseOf(share, view.shot.source === 'references');
      if (!cells.has(use.memberId)) cells.set(use.memberId, { use, isPlanned: true, isStale: false });
    }
    return { view, shares, cells };
  });
}

/** Whether the picture that was sent is none of the member's sheets now; the same bytes in another file are the same picture. */
function isOutOfUse({ assetId }: CastUse, { sheets }: CastMember, assets: ReadonlyMap<string, Asset>): boolean {
  if (assetId === undefined) return false;
  const hash = assets.get(assetId)?.sha256;
  return !sheets.some(
    (sheet) => sheet.assetId === assetId || (hash !== undefined && assets.get(sheet.assetId)?.sha256 === hash),
  );
}

/** The hash of the picture that a take was sent with in this slot, as it was when it was sent. */
export const hashSent = (job: Job | undefined, slot: number | undefined): string | undefined =>
  slot === undefined ? undefined : job?.inputs?.find(({ field }) => field === `referenceImages.${slot - 1}`)?.sha256;

/** The shots whose takes were made from a take of these, themselves or through others, in the order of the film. */
export function followingOf(columns: readonly CastColumn[], stale: readonly CastColumn[]): CastColumn[] {
  const found = new Set(stale);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    const takes = new Set([...found].flatMap(({ view }) => view.shot.takes));
    for (const column of columns)
      if (column.view.active?.job?.inputs?.some(({ jobId }) => jobId !== undefined && takes.has(jobId)))
        found.add(column);
  }
  return columns.filter((column) => found.has(column) && !stale.includes(column));
}
