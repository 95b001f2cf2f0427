import { kindOf } from '../kinds/index.ts';
import type { Asset } from '../library/asset.ts';
import { displayedAs, extensionOf } from '../library/mediaFormats.ts';
import { t } from '../text/texts.ts';
import { wordsOfDifferences } from './difference.ts';
import type { Job } from './job.ts';

type Kept = Pick<Asset, 'mime' | 'state'>;

/** The format of a file that is stored without a preview, such as `HEIC`; else undefined. */
export const undisplayedFormat = ({ mime, state }: Kept): string | undefined =>
  state === 'local' && displayedAs(mime) === undefined ? extensionOf(mime).toUpperCase() : undefined;

/** Why such a file has no preview, and what can be done. */
export function undisplayedNote(asset: Kept): string | undefined {
  const format = undisplayedFormat(asset);
  if (format === undefined) return undefined;
  return t`Dailies cannot display ${format} files. The file is stored here; save a copy to open it elsewhere.`;
}

/** Differences between results and request, and results that cannot be displayed; empty without any. */
export function resultWords({ differs, outputs }: Pick<Job, 'differs' | 'outputs'>): string {
  const notes = outputs.flatMap((output) => undisplayedNote(output) ?? []);
  return [wordsOfDifferences(differs), ...new Set(notes)].filter((words) => words !== '').join(' ');
}

type Seeded = Pick<Job, 'request' | 'omitted'>;

/** Whether its seed was not sent because the gateway takes none. */
export const isSeedUnsent = ({ omitted }: Pick<Job, 'omitted'>): boolean => omitted?.includes('seed') ?? false;

/** The seed that was or will be sent; it makes the same result again. */
export const sentSeedOf = (job: Seeded): number | undefined =>
  isSeedUnsent(job) ? undefined : kindOf(job.request).seed(job.request);

export const UNSENT_SEED = t`Not sent: this gateway takes no seed`;
