import { type Board, type Shot, takesOf } from '../../../shared/board/board.ts';
import { sheetsToJudge } from '../../../shared/board/castSheets.ts';
import { type FilmFacts, type FilmShot, filmOf } from '../../../shared/film/film.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { MediaRef } from '../../../shared/library/mediaRef.ts';

/** Where the jobs and assets of a board are read: inside a transaction, or through their modules. */
export interface FilmSource {
  job(id: string): Job | undefined;
  asset(id: string): Asset | undefined;
}

/**
 * The shots of a board with their takes and what plays, and all that these are judged by: the jobs of all takes and of what shots start
 * from, what they made and were made from, and the pictures of the cast.
 */
export function readFilm(
  { shots, cast = [] }: Pick<Board, 'shots' | 'cast'>,
  source: FilmSource,
): FilmFacts & { film: FilmShot[] } {
  const jobs = new Map<string, Job>();
  const assets = new Map<string, Asset>();
  const add = (id: string | undefined): void => {
    const asset = id === undefined || assets.has(id) ? undefined : source.asset(id);
    if (!asset) return;
    assets.set(asset.id, asset);
    framesOf(asset).forEach(add);
  };
  const refs = shots.flatMap(refsOf);
  const named = refs.flatMap((ref) => ('jobId' in ref ? ref.jobId : []));
  for (const id of new Set([...shots.flatMap(takesOf), ...named])) {
    const job = source.job(id);
    if (!job) continue;
    jobs.set(id, job);
    for (const output of job.outputs) {
      assets.set(output.id, output);
      framesOf(output).forEach(add);
    }
    for (const input of job.inputs ?? []) add(input.assetId);
  }
  for (const ref of refs) if ('assetId' in ref) add(ref.assetId);
  const film = filmOf(shots, { jobs, assets });
  for (const ref of sheetsToJudge(film, cast)) if ('assetId' in ref) add(ref.assetId);
  return { film, jobs, assets };
}

const framesOf = ({ lastFrameId, outFrames = {} }: Asset) => [lastFrameId, ...Object.values(outFrames)];

const refsOf = ({ image, lastFrame, video, referenceImages }: Shot): MediaRef[] =>
  [image, lastFrame, video, ...referenceImages].filter((ref) => ref !== undefined);
