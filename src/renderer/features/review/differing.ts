import type { Asset } from '../../../shared/asset.ts';
import type { Job } from '../../../shared/job.ts';
import { kindOf, mediaRefsOf, promptOf } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/texts.ts';

export interface Compared {
  asset: Asset;
  /** That made it; undefined for what was brought in. */
  job: Job | undefined;
}

export interface DifferingRow {
  name: string;
  /** Of each picture, in their order; undefined where it has none. */
  values: (string | undefined)[];
}

/** `config.aspectRatio` → `Aspect ratio`. */
function nameOf(path: string): string {
  const words = (path.split('.').at(-1) ?? path).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The settings of a request one by one, without its words, its media and what names its kind. */
function settingsOf(job: Job): Map<string, string> {
  const found = new Map<string, string>();
  const media = new Set(mediaRefsOf(job.request).map(({ field }) => field.split('.')[0] ?? ''));
  const read = (value: unknown, path: string): void => {
    if (media.has(path) || NOT_SETTINGS.includes(path)) return;
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) read(inner, path === '' ? key : `${path}.${key}`);
    else if (value !== undefined) found.set(nameOf(path), String(value));
  };
  read(job.request, '');
  return found;
}

const NOT_SETTINGS = ['kind', 'prompt', 'messages', 'model'];

/** The row of the words. */
export const PROMPT = t`Prompt`;

function factsOf({ asset, job }: Compared): Map<string, string | undefined> {
  const inputs = job?.inputs?.map(({ field, assetId, jobId, uri }) => `${field} ${assetId ?? jobId ?? uri ?? ''}`);
  return new Map<string, string | undefined>([
    [PROMPT, job && promptOf(job.request)],
    [t`Kind`, job ? kindOf(job).words.title : t`Brought in`],
    [t`Model`, asset.model],
    ...(job ? settingsOf(job) : []),
    [t`Media`, inputs?.join('\n')],
    [t`Size`, asset.width > 0 ? `${asset.width} × ${asset.height}` : undefined],
  ]);
}

/** In what pictures differ, in the order in which it is asked for; what is the same in all is left out. */
export function differingRows(compared: readonly Compared[]): DifferingRow[] {
  const facts = compared.map(factsOf);
  const names = [...new Set(facts.flatMap((each) => [...each.keys()]))];
  return names
    .map((name) => ({ name, values: facts.map((each) => each.get(name)) }))
    .filter(({ values }) => new Set(values).size > 1);
}
