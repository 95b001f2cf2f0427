import type { Asset } from '../../../shared/asset.ts';
import { type Shot, takesOf } from '../../../shared/board.ts';
import { type FilmShot, filmOf } from '../../../shared/film.ts';
import { type Job, resultsOf } from '../../../shared/job.ts';
import type { MediaRef } from '../../../shared/mediaRef.ts';
import type { JobQueries } from '../jobs/index.ts';
import { assetById } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';

/** The shots of a board with their takes and what plays, and the assets that they are judged by. */
export function readFilm(
  db: ReadDb,
  queries: Pick<JobQueries, 'get'>,
  shots: readonly Shot[],
): { film: FilmShot[]; assets: Map<string, Asset> } {
  const jobs = new Map<string, Job>();
  const assets = new Map<string, Asset>();
  const addAsset = (id: string | undefined) => {
    const asset = id === undefined ? undefined : assetById(db, id);
    if (asset) assets.set(asset.id, asset);
  };
  for (const shot of shots) {
    for (const id of takesOf(shot)) {
      const job = queries.get(id);
      if (!job.ok) continue;
      jobs.set(id, job.data);
      for (const clip of resultsOf(job.data)) {
        assets.set(clip.id, clip);
        addAsset(clip.lastFrameId);
      }
    }
    for (const ref of slotsOf(shot)) if ('assetId' in ref) addAsset(ref.assetId);
  }
  return { film: filmOf(shots, { jobs, assets }), assets };
}

const slotsOf = ({ image, lastFrame, video, referenceImages }: Shot): MediaRef[] =>
  [image, lastFrame, video, ...referenceImages].filter((ref) => ref !== undefined);
