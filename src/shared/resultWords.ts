import type { Asset } from './asset.ts';
import { wordsOfDifferences } from './difference.ts';
import type { Job } from './job.ts';
import { displayedAs, extensionOf } from './mediaFormats.ts';
import { t } from './texts.ts';

/** The name of a file's format: `HEIC`. */
const formatOf = ({ mime }: Pick<Asset, 'mime'>): string => extensionOf(mime).toUpperCase();

/** Of a file on this disk that is kept without a preview: why, and what can be done; undefined of any other. */
export function undisplayedNote(asset: Pick<Asset, 'mime' | 'state'>): string | undefined {
  if (asset.state !== 'local' || displayedAs(asset.mime) !== undefined) return undefined;
  return t`Dailies cannot display ${formatOf(asset)} files. The file is stored here; save a copy to open it elsewhere.`;
}

/** How the results of a job differ from its request, and which of them cannot be displayed; empty where all is as usual. */
export function resultWords({ differs, outputs }: Pick<Job, 'differs' | 'outputs'>): string {
  const notes = outputs.flatMap((output) => undisplayedNote(output) ?? []);
  return [wordsOfDifferences(differs), ...new Set(notes)].filter((words) => words !== '').join(' ');
}
