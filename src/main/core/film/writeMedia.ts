import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { type Provenance, provenanceOf } from '../../../shared/library/provenance.ts';
import { type ExportSink, markedCopy } from '../exports/index.ts';
import type { MediaFile } from '../ports.ts';
import { MEDIA_FOLDER, type PlannedShot } from './plan.ts';

/** The file of a shot: its clip, or the picture that stands for it. */
export const fileOf = ({ segment, of, still }: PlannedShot): MediaFile | undefined =>
  segment.kind === 'clip' ? of.file : still?.file;

/** How the clip or picture of a shot was made. */
export function provenanceOfShot(
  { segment, of, still }: PlannedShot,
  getJob: (id: string) => Result<Job>,
): Provenance | undefined {
  const asset = segment.kind === 'clip' ? of.active?.clip : still?.asset;
  if (!asset) return undefined;
  const job = asset.jobId === undefined ? undefined : getJob(asset.jobId);
  return provenanceOf(asset, job?.ok ? job.data : undefined);
}

/** Fills the media folder, in the order of the film. Returns how many copies could not say how they were made. */
export async function writeMedia(
  sink: ExportSink,
  shots: readonly PlannedShot[],
  {
    names,
    asked: { media, provenance },
    getJob,
  }: {
    names: ReadonlyMap<string, string>;
    asked: Pick<CallParsed<'film.export'>, 'media' | 'provenance'>;
    getJob(id: string): Result<Job>;
  },
): Promise<number> {
  let unmarked = 0;
  for (const [index, one] of shots.entries()) {
    const file = fileOf(one);
    const name = names.get(one.segment.shotId);
    if (!file || name === undefined) continue;
    const mark = provenance === false ? undefined : provenanceOfShot(one, getJob);
    if (media === 'links') await sink.link(`${MEDIA_FOLDER}/${name}`, file);
    else {
      const marked = await markedCopy(file, mark);
      if (mark && !marked) unmarked += 1;
      await sink.copy(`${MEDIA_FOLDER}/${name}`, file, marked);
    }
    sink.progress((index + 1) / shots.length);
  }
  return unmarked;
}

/** The file of the track, as it came: it is the user's. */
export async function writeSound(
  sink: ExportSink,
  name: string,
  file: MediaFile,
  { media }: Pick<CallParsed<'film.export'>, 'media'>,
): Promise<void> {
  if (media === 'links') await sink.link(`${MEDIA_FOLDER}/${name}`, file);
  else await sink.copy(`${MEDIA_FOLDER}/${name}`, file);
}
