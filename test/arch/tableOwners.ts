import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parseSync } from 'oxc-parser';
import { migrate } from '../../src/main/core/store/migrate.ts';
import { type Node, placeOf, sourceFiles, walk } from './source.ts';
import { root } from './tools.ts';

/**
 * Each table has one owning module of `src/main/core`; another module uses that module's `index.ts` instead of naming the table in SQL. A
 * job's money belongs to the ledger although it is in the jobs table: only the ledger changes it.
 */

export const OWNERS: Readonly<Record<string, string>> = {
  jobs: 'jobs',
  job_counts: 'jobs',
  job_blocks: 'jobs',
  doubt_sums: 'jobs',
  job_inputs: 'jobs',
  job_deps: 'jobs',
  attempts: 'jobs',
  sent_requests: 'jobs',
  batches: 'jobs',
  batch_jobs: 'jobs',
  unfinished_changes: 'jobs',
  assets: 'library',
  asset_tags: 'library',
  asset_counts: 'library',
  asset_blocks: 'library',
  mask_drafts: 'library',
  library_moves: 'library',
  media_tasks: 'library',
  clip_facts: 'library',
  exports: 'exports',
  export_parts: 'exports',
  media_measures: 'library',
  ledger_entries: 'ledger',
  ledger_days: 'ledger',
  ledger_sums: 'ledger',
  ledger_months: 'ledger',
  ledger_revisits: 'ledger',
  spend: 'ledger',
  budgets: 'ledger',
  price_mismatches: 'ledger',
  conversations: 'chat',
  messages: 'chat',
  branches: 'chat',
  drafts: 'director',
  quotes: 'quotes',
  evidence: 'evidence',
  projects: 'storyboard',
  boards: 'storyboard',
  removed_shots: 'storyboard',
  night_runs: 'night',
  night_jobs: 'night',
  night_plans: 'night',
  request_keys: 'requestKeys',
  statements: 'statements',
  statement_lines: 'statements',
  statement_names: 'statements',
  statement_decisions: 'statements',
  shot_texts: 'storyboard',
  jobs_fts: 'store',
  assets_fts: 'store',
  messages_fts: 'store',
  shots_fts: 'store',
  conversations_fts: 'store',
  flags: 'store',
  asset_days: 'store',
};

/** Columns of `jobs` that only the ledger changes; a new job is inserted with its estimate. */
const MONEY_COLUMNS: ReadonlySet<string> = new Set([
  'price',
  'quantity',
  'estimate_nano',
  'estimate_low_nano',
  'reserved_nano',
  'reserved_low_nano',
  'charged_nano',
  'charged_low_nano',
  'uncertain_nano',
  'unpriced',
  'unpriced_doubt',
  'unpriced_allowed',
  'reserved_at',
  'money_run',
  'money_note',
  'stated_nano',
  'stated_by',
  'stated_as',
]);

/** The permitted statements that name another module's table: one row per file and table. */
export const EXCEPTIONS: readonly { file: string; table: string; why: string }[] = [
  {
    file: 'src/main/core/chat/statements.ts',
    table: 'jobs',
    why: 'an answer is a job: a page of messages, and the sums of a page of conversations, are one query',
  },
  {
    file: 'src/main/core/jobs/foundJobs.ts',
    table: 'projects',
    why: 'a job of a bundle came when its project did, and what is found is in the order in which it came',
  },
  {
    file: 'src/main/core/ledger/kept.ts',
    table: 'jobs',
    why: 'a charge counts as kept by the verdict on its job, and a month has thousands of them',
  },
  {
    file: 'src/main/core/library/assetList.ts',
    table: 'asset_days',
    why: 'the connection counts assets by day, since a day depends on the zone of the machine; the library alone shows them',
  },
  {
    file: 'src/main/core/library/assetColumns.ts',
    table: 'jobs',
    why: 'the verdict of its job is shown with each asset of a page',
  },
  {
    file: 'src/main/core/library/foundAssets.ts',
    table: 'jobs',
    why: 'what is found of an asset may stand in the prompt of its job',
  },
  {
    file: 'src/main/core/night/report.ts',
    table: 'jobs',
    why: 'what became of the thousands of jobs of a night is counted where they are',
  },
];

interface Schema {
  tables: string[];
  jobColumns: ReadonlySet<string>;
}

/** The tables of a new database, and the columns of `jobs`. */
export function schemaOfDatabase(): Schema {
  const connection = new Database(':memory:');
  migrate(connection, { beforeFirst: () => undefined });
  const listed = connection
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all() as string[];
  const columns = connection.prepare(`SELECT name FROM pragma_table_info('jobs')`).pluck().all() as string[];
  connection.close();
  return { tables: listed.sort(), jobColumns: new Set(columns) };
}

const { jobColumns } = schemaOfDatabase();

const TABLES = Object.keys(OWNERS).join('|');
const KEYWORDS = /\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|JOIN|INTO|WHERE|INDEXED BY)\b/;
const INTERPOLATED_TABLE = /\b(?:FROM|JOIN|INTO|UPDATE)\s+\$\{/;
const STARTS_WITH_TABLE = new RegExp(`^(?:${TABLES})\\b`);
/** Not a parameter, not a column of another name, and not what a result is called. */
const NAMED_TABLE = new RegExp(`(?<![.$\\w]|\\bAS )(?:${TABLES})\\b(?!\\()`, 'g');
const JOBS_UPDATE = /\bUPDATE jobs SET\b(.*?)(?:\bWHERE\b|$)/gs;

const wordsOf = (statement: string): string[] => [...statement.matchAll(/(?<![$\w])[a-z]\w*/g)].map(([word]) => word);

/** The ledger may read and change the money of a job that it knows by its id. */
const isAboutMoneyOnly = (statement: string): boolean =>
  !/\b(?:INSERT INTO|DELETE FROM) jobs\b/.test(statement) &&
  !/\bSELECT (?:\w+\.)?\*/.test(statement) &&
  wordsOf(statement).every((word) => !jobColumns.has(word) || MONEY_COLUMNS.has(word) || word === 'id');

const changedMoney = (statement: string): string[] =>
  [...statement.matchAll(JOBS_UPDATE)].flatMap(([, assignments = '']) =>
    [...assignments.matchAll(/(\w+)\s*=/g)].flatMap(([, column = '']) => (MONEY_COLUMNS.has(column) ? [column] : [])),
  );

function faultsOf(module: string, statement: string): { table: string; fault: string }[] {
  const tables = [...new Set([...statement.matchAll(NAMED_TABLE)].map(([table]) => table))];
  const foreign = tables
    .filter((table) => OWNERS[table] !== module)
    .filter((table) => !(table === 'jobs' && module === 'ledger' && isAboutMoneyOnly(statement)))
    .map((table) => ({ table, fault: `${table} belongs to ${OWNERS[table]}` }));
  const money = module === 'ledger' ? [] : changedMoney(statement);
  return [...foreign, ...money.map((column) => ({ table: 'jobs', fault: `jobs.${column} is changed by the ledger` }))];
}

export interface ForeignTable {
  file: string;
  table: string;
  /** `src/…ts:12: jobs belongs to jobs: SELECT …` */
  told: string;
}

/** What one file says in SQL about tables that are not its module's. */
export function foreignTablesIn(file: string, text: string): ForeignTable[] {
  // Migrations say what the tables are.
  if (file.startsWith('src/main/core/store/migrations/')) return [];
  const module = /^src\/main\/core\/([^/]+)\//.exec(file)?.[1] ?? '';
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const hasInterpolatedTable = INTERPOLATED_TABLE.test(text);
  const found: ForeignTable[] = [];
  walk(program, (node: Node) => {
    const source = text.slice(node.start, node.end);
    if (node.type !== 'TemplateLiteral' && !(node.type === 'Literal' && /^['"]/.test(source))) return;
    const statement = source.slice(1, -1).replace(/'[^']*'/g, "''");
    if (!KEYWORDS.test(statement) && !(hasInterpolatedTable && STARTS_WITH_TABLE.test(statement))) return;
    for (const { table, fault } of faultsOf(module, statement))
      found.push({ file, table, told: `${placeOf(file, text, node)}: ${fault}: ${shortened(statement)}` });
  });
  return found;
}

const shortened = (statement: string): string => statement.replace(/\s+/g, ' ').trim().slice(0, 100);

export const foreignTables = (): ForeignTable[] =>
  sourceFiles().flatMap((file) => foreignTablesIn(file, readFileSync(join(root, file), 'utf8')));
