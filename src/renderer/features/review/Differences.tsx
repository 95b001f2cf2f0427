import type { Job } from '../../../shared/jobs/job.ts';
import { kindOf, mediaRefsOf, promptOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { DifferingWords, differingWords } from '../../ui/differingWords.tsx';
import { Section } from '../../ui/index.ts';
import styles from './about.module.css';
import type { ReviewItem } from './items.ts';
import { letterOf } from './view.ts';

interface DifferencesProps {
  items: readonly ReviewItem[];
  /** Whether they are shown side by side, with letters. */
  areShown: boolean;
}

/** The prompts and settings in which results differ; equal ones are left out. */
export function Differences({ items, areShown }: DifferencesProps) {
  const [first, second] = items;
  if (!first) return null;
  if (!second)
    return (
      <Section title={t`Prompt`}>
        <p className={styles.prompt}>{first.job ? promptOf(first.job.request) : t`Imported`}</p>
      </Section>
    );
  const rows = differingRows(items.flatMap(({ asset, job }) => (asset ? [{ asset, job }] : [])));
  return (
    <Section title={t`Different`}>
      {rows.length === 0 ? (
        <p className="t2">{t`Same prompt and settings.`}</p>
      ) : (
        <table className={styles.diff} aria-label={t`Different`}>
          <thead>
            <tr>
              <td />
              {items.map(({ key, name: own }, index) => (
                <th key={key} scope="col" title={own}>
                  {areShown ? letterOf(index) : own}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name: row, values }) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {row === PROMPT && items.length === 2 ? (
                  <td colSpan={2} className={styles.prompt}>
                    <Prompts before={values[0]} text={values[1]} />
                  </td>
                ) : (
                  values.map((value, index) => (
                    <td key={items[index]?.key} className={row === PROMPT ? styles.prompt : undefined}>
                      {value ?? '–'}
                    </td>
                  ))
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** The second prompt, with its differences from the first marked. */
function Prompts({ before, text }: { before: string | undefined; text: string | undefined }) {
  const parts = before === undefined || text === undefined ? undefined : differingWords(before, text);
  return parts ? <DifferingWords parts={parts} /> : (text ?? '–');
}

interface Compared {
  asset: Asset;
  /** The job that made it; undefined for imports. */
  job: Job | undefined;
}

interface DifferingRow {
  name: string;
  /** One value per picture, in order; undefined if it has none. */
  values: (string | undefined)[];
}

/** `config.aspectRatio` → `Aspect ratio`. */
function nameOf(path: string): string {
  const words = (path.split('.').at(-1) ?? path).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The settings of a request, without prompt, media and kind. */
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

/** The row of the prompts. */
const PROMPT = t`Prompt`;

function factsOf({ asset, job }: Compared): Map<string, string | undefined> {
  const inputs = job?.inputs?.map(({ field, assetId, jobId, uri }) => `${field} ${assetId ?? jobId ?? uri ?? ''}`);
  return new Map<string, string | undefined>([
    [PROMPT, job && promptOf(job.request)],
    [t`Kind`, job ? kindOf(job).words.title : t`Imported`],
    [t`Model`, asset.model],
    ...(job ? settingsOf(job) : []),
    [t`Media`, inputs?.join('\n')],
    [t`Size`, asset.width > 0 ? `${asset.width} × ${asset.height}` : undefined],
  ]);
}

/** The settings in which pictures differ, in the order of the forms; equal ones are left out. */
export function differingRows(compared: readonly Compared[]): DifferingRow[] {
  const facts = compared.map(factsOf);
  const names = [...new Set(facts.flatMap((each) => [...each.keys()]))];
  return names
    .map((name) => ({ name, values: facts.map((each) => each.get(name)) }))
    .filter(({ values }) => new Set(values).size > 1);
}
