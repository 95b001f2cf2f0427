import type { Asset } from './asset.ts';
import { wordsOfDifferences } from './difference.ts';
import type { Job } from './job.ts';
import { displayedAs, extensionOf } from './mediaFormats.ts';
import { t } from './texts.ts';

type Kept = Pick<Asset, 'mime' | 'state'>;

/** The format of a file on this disk that is kept without a preview, such as `HEIC`; undefined of any other. */
export const undisplayedFormat = ({ mime, state }: Kept): string | undefined =>
  state === 'local' && displayedAs(mime) === undefined ? extensionOf(mime).toUpperCase() : undefined;

/** Of such a file: why, and what can be done. */
export function undisplayedNote(asset: Kept): string | undefined {
  const format = undisplayedFormat(asset);
  if (format === undefined) return undefined;
  return t`Dailies cannot display ${format} files. The file is stored here; save a copy to open it elsewhere.`;
}

/** How the results of a job differ from its request, and which of them cannot be displayed; empty where all is as usual. */
export function resultWords({ differs, outputs }: Pick<Job, 'differs' | 'outputs'>): string {
  const notes = outputs.flatMap((output) => undisplayedNote(output) ?? []);
  return [wordsOfDifferences(differs), ...new Set(notes)].filter((words) => words !== '').join(' ');
}
