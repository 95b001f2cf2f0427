import { promptOf } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/texts.ts';
import { DifferingWords, differingWords } from '../../ui/differingWords.tsx';
import { Section } from '../../ui/index.ts';
import styles from './about.module.css';
import { differingRows, PROMPT } from './differing.ts';
import type { ReviewItem } from './items.ts';
import { letterOf } from './view.ts';

interface DifferencesProps {
  items: readonly ReviewItem[];
  /** They stand side by side, with letters. */
  areShown: boolean;
  /** The first is used in the film. */
  isInFilm: boolean;
}

/** In what results differ: their words and settings, and nothing that is the same. */
export function Differences({ items, areShown, isInFilm }: DifferencesProps) {
  const [first, second] = items;
  if (!first) return null;
  if (!second)
    return (
      <Section title={t`Prompt`}>
        <p className={styles.prompt}>{first.job ? promptOf(first.job.request) : t`Imported: it has no prompt.`}</p>
      </Section>
    );
  const rows = differingRows(items.flatMap(({ asset, job }) => (asset ? [{ asset, job }] : [])));
  const name = first.name.charAt(0).toLowerCase() + first.name.slice(1);
  const title = areShown ? t`Different` : isInFilm ? t`Different from ${name}, selected` : t`Different from ${name}`;
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <p className="t2">{t`Same prompt and settings.`}</p>
      ) : (
        <table className={styles.diff} aria-label={title}>
          <thead className={areShown ? undefined : 'vh'}>
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

/** The second prompt, with marks on what the first has not, and has besides. */
function Prompts({ before, text }: { before: string | undefined; text: string | undefined }) {
  const parts = before === undefined || text === undefined ? undefined : differingWords(before, text);
  return parts ? <DifferingWords parts={parts} /> : (text ?? '–');
}
