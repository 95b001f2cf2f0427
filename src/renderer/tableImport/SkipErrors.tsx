import { counted, t } from '../../shared/text/texts.ts';
import { Button } from '../ui/index.ts';
import { type ImportRow, isWrong } from './rows.ts';
import type { TableImport } from './tableImport.ts';

const wrongOf = (rows: readonly ImportRow[], skipped: ReadonlySet<string>): readonly ImportRow[] =>
  rows.filter((row) => isWrong(row, skipped));

/** Why rows cannot be imported. */
export function whyErrors(rows: readonly ImportRow[], skipped: ReadonlySet<string>): string | undefined {
  const { length } = wrongOf(rows, skipped);
  return length > 0 ? t`Fix or skip ${counted(length, 'row')} first.` : undefined;
}

interface SkipErrorsProps {
  table: TableImport;
  rows: readonly ImportRow[];
  /** Why changes are off. */
  off: string | undefined;
}

/** Skips all rows with errors. An error in the header cannot be skipped. */
export function SkipErrors({ table, rows, off }: SkipErrorsProps) {
  const { skipped, format } = table.useDraft();
  const keys = wrongOf(rows, skipped).flatMap(({ key, line }) => (format === 'csv' && line === 1 ? [] : key));
  if (keys.length === 0) return null;
  return (
    <Button variant="ghost" off={off} onClick={() => table.skip(keys)}>
      {t`Skip ${counted(keys.length, 'row')}`}
    </Button>
  );
}
