import type { FilmShot } from '../film/film.ts';
import type { Job } from '../jobs/job.ts';
import { isRequestOf, KINDS } from '../kinds/index.ts';
import type { Asset } from '../library/asset.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import type { CastMember, CastUse } from './cast.ts';

/** Whether takes were sent with images that their cast members still have. Pages and core use the same functions. */

/** The cast that a request was sent with; undefined if it was made without one, or by an older version. */
export const castOf = (job: Job | undefined): CastUse[] | undefined =>
  job && isRequestOf(KINDS.video, job.request) ? job.request.cast : undefined;

/** The hash of the image that was sent in this slot. */
export const hashSent = (job: Job | undefined, slot: number | undefined): string | undefined =>
  slot === undefined ? undefined : job?.inputs?.find(({ field }) => field === `referenceImages.${slot - 1}`)?.sha256;

type Assets = ReadonlyMap<string, Asset>;

/** The members that were sent with an image that they no longer have. Members that left the cast are ignored. */
export const outOfUse = (job: Job | undefined, cast: readonly CastMember[], assets: Assets): CastUse[] =>
  (castOf(job) ?? []).filter((use) => {
    const member = cast.find(({ id }) => id === use.memberId);
    return member !== undefined && isOutOfUse(job, use, member, assets);
  });

/** The same bytes in another file are the same picture. */
function isOutOfUse(job: Job | undefined, use: CastUse, { sheets }: CastMember, assets: Assets): boolean {
  const { assetId, slot } = use;
  if (assetId === undefined) return false;
  const hash = hashSent(job, slot) ?? assets.get(assetId)?.sha256;
  return !sheets.some(
    (reference) =>
      reference.assetId === assetId || (hash !== undefined && assets.get(reference.assetId)?.sha256 === hash),
  );
}

/** The images needed to judge takes: those of the cast, and those that the active takes were sent with. */
export function castReferencesToCompare(film: readonly FilmShot[], cast: readonly CastMember[]): MediaRef[] {
  const sent = film.flatMap(({ active }) => (castOf(active?.job) ?? []).flatMap(({ assetId }) => assetId ?? []));
  const sheets = cast.flatMap((member) => member.sheets.map(({ assetId }) => assetId));
  return [...new Set([...sheets, ...sent])].map((assetId) => ({ assetId }));
}
