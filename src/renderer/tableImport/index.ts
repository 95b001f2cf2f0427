export { ColumnMap, Columns } from './Columns.tsx';
export { ImportBar, ImportStart } from './ImportBar.tsx';
export { ImportPane } from './ImportPane.tsx';
export { type Head, ImportTable } from './ImportTable.tsx';
export { withoutSkipped } from './importText.ts';
export { type ImportRow, isSkipped, valuesFor } from './rows.ts';
export { SkipErrors, whyErrors } from './SkipErrors.tsx';
export { importHandlers, tableImport } from './tableImport.ts';
