import { create } from 'zustand';
import { BATCH_COLUMNS, BATCH_FORMATS, MAX_BATCH_TEXT } from '../../../../shared/jobs/batch.ts';
import { type JobKind, kindsWhere, makesFiles } from '../../../../shared/kinds/index.ts';
import { csvCell } from '../../../../shared/tables/csv.ts';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, parseRoute } from '../../../app/index.ts';
import { tableImport } from '../../../tableImport/index.ts';

interface Choice {
  /** The kind of rows that name none. */
  kind: JobKind;
  /** The project of rows that name none; undefined until the user chooses, then the open one. */
  projectId: string | undefined;
  /** How many jobs of this text were scheduled for a run. */
  scheduled: { count: number; text: string; skipped: ReadonlySet<string> } | undefined;
}

export const useJobsChoice = create<Choice>()(() => ({
  kind: kindsWhere(makesFiles)[0] as JobKind,
  projectId: undefined,
  scheduled: undefined,
}));

/** The import has a view of its own on the Queue page. */
export const openImport = (): void => navigate('queue', { import: 'jobs' });

export const jobs = tableImport({
  fileLabel: t`File with jobs`,
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson,text/csv,text/plain,application/jsonl',
  columns: BATCH_COLUMNS,
  formats: BATCH_FORMATS,
  mostCharacters: MAX_BATCH_TEXT,
  onOther: () => useJobsChoice.setState({ projectId: undefined, scheduled: undefined }),
  onGiven: openImport,
});

export function isImportShown(): boolean {
  const { page, part, params } = parseRoute(window.location.hash);
  return page === 'queue' && part === undefined && params.has('import');
}

const EXAMPLES: readonly Partial<Record<(typeof BATCH_COLUMNS)[number], string>>[] = [
  {
    kind: 'video',
    prompt: t`A harbour at night, rain, the boat still lit`,
    seconds: '8',
    resolution: '720p',
    audio: 'true',
  },
  { kind: 'imagine', prompt: t`A ferry quay in {rain|fog}, {sodium|mercury} lamps --ar 16:9`, mode: 'fast' },
  { kind: 'chat', prompt: t`Three names for a ferry` },
];

/** A table with every column, and an example of each kind. */
export const template = (): string =>
  [Object.fromEntries(BATCH_COLUMNS.map((name) => [name, name])), ...EXAMPLES]
    .map((row: Partial<Record<string, string>>) => BATCH_COLUMNS.map((name) => csvCell(row[name] ?? '')).join(','))
    .join('\r\n');
