import { columnName } from '../../shared/tables/tableText.ts';
import { t } from '../../shared/text/texts.ts';
import { Section, Segmented, Select } from '../ui/index.ts';
import { headerOf, type ImportFormat, withHeader } from './importText.ts';
import styles from './tableImport.module.css';
import type { TableImport } from './tableImport.ts';

interface ColumnMapProps {
  columns: readonly { name: string; value: string | null }[];
  options: readonly { value: string; label: string }[];
  /** Without it, the columns are only shown. */
  onChoice?: ((index: number, value: string) => void) | undefined;
  label: string;
}

/** A text with more columns is not a table, so the rest is not shown. */
const MOST_COLUMNS = 40;

/** The role of each column in the file. */
export function ColumnMap({ columns, options, onChoice, label }: ColumnMapProps) {
  return (
    <table className={`mini ${styles.map}`}>
      <caption className="vh">{label}</caption>
      <tbody>
        {columns.slice(0, MOST_COLUMNS).map(({ name, value }, index) => {
          const shown = name || t`Column ${index + 1}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity than its place.
            <tr key={index}>
              <td className="mono cut">{shown}</td>
              <td className="r">
                {onChoice ? (
                  <Select
                    aria-label={t`Column ${shown}`}
                    options={options}
                    value={value}
                    onValue={(choice) => onChoice(index, choice)}
                  />
                ) : (
                  <span className="t3">{options.find((one) => one.value === value)?.label}</span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const UNUSED = '-';
const FORMAT_WORDS: Readonly<Record<ImportFormat, string>> = {
  csv: t`Table`,
  jsonl: t`JSON lines`,
  lines: t`Text lines`,
};

/** How the text is read, and the role of its columns. Another choice is written into its first line. */
export function Columns({ table, words = {} }: { table: TableImport; words?: Readonly<Record<string, string>> }) {
  const { text, format } = table.useDraft();
  const { columns, formats } = table.options;
  if (text.trim() === '') return null;
  const header = headerOf({ text, format });
  const labelOf = (name: string) => words[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return (
    <Section title={t`Columns`}>
      <Segmented
        full
        aria-label={t`Read as`}
        value={format}
        onValue={table.readAs}
        options={formats.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
      />
      {header.length > 0 && (
        <ColumnMap
          label={t`Columns`}
          columns={header.map((name) => {
            const known = columnName(name);
            return { name, value: columns.includes(known) ? known : null };
          })}
          options={[
            ...columns.map((value) => ({ value, label: labelOf(value) })),
            { value: UNUSED, label: t`Not used` },
          ]}
          onChoice={(index, choice) => table.change(withHeader(text, index, choice === UNUSED ? undefined : choice))}
        />
      )}
    </Section>
  );
}
