import { MEDIA_NAME_PATTERN } from '../../../shared/film/filmExport.ts';
import { sentSeedOf } from '../../../shared/jobs/resultWords.ts';
import { uniqueName } from '../../../shared/library/fileNames.ts';
import { extensionOf } from '../../../shared/library/mediaFormats.ts';
import { mediaNameOf } from '../../../shared/library/mediaName.ts';
import type { PlannedShot } from './plan.ts';

/** The folder of the takes, beside the timeline that names them. */
export const MEDIA_FOLDER = 'media';

/**
 * The file of each shot that has one, by shot id: ASCII, unique whatever a system thinks of upper and lower case. The pattern's words are
 * those of `MEDIA_NAME_PATTERN`; a word that is not known stays as it is written.
 */
export function mediaNames(
  shots: readonly PlannedShot[],
  project: string,
  pattern: string = MEDIA_NAME_PATTERN,
): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    shots.flatMap((one): [string, string][] => {
      const file = one.segment.kind === 'clip' ? one.of.file : one.still?.file;
      if (!file) return [];
      const name = filled(pattern, one, project);
      return [[one.segment.shotId, uniqueName(name, extensionOf(file.mime), taken)]];
    }),
  );
}

function filled(pattern: string, { segment, of }: PlannedShot, project: string): string {
  const job = of.active?.job;
  return mediaNameOf(pattern, {
    project,
    title: segment.title,
    model: job?.model ?? of.shot.model,
    seed: job && sentSeedOf(job),
    shot: segment.number,
    take: of.active?.number ?? 0,
  });
}
