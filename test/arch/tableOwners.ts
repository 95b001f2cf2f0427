import Database from 'better-sqlite3';
import { migrate } from '../../src/main/core/store/migrations/migrate.ts';
import { inSource, type Node, placeOf, syntaxOf, walk } from './source.ts';

/**
 * Each table has one owning module of `src/main/core`; another module uses that module's `index.ts` instead of naming the table in SQL. A
 * job's money belongs to the ledger although it is in the jobs table: only the ledger changes it.
 */

const TABLES_OF = {
  jobs: 'jobs job_counts doubt_sums job_inputs job_deps attempts sent_requests bulk_writes bulk_rows',
  library: 'assets asset_tags asset_counts mask_drafts library_moves media_tasks clip_facts media_measures',
  exports: 'exports export_parts',
  ledger: 'ledger_entries ledger_days ledger_sums ledger_months ledger_revisits spend budgets price_mismatches',
  chat: 'conversations messages branches',
  director: 'drafts',
  quotes: 'quotes',
  evidence: 'evidence',
  storyboard: 'projects boards removed_shots shot_texts',
  night: 'night_runs night_jobs night_plans',
  requestKeys: 'request_keys',
  statements: 'statements statement_lines statement_decisions',
  store: 'jobs_fts assets_fts messages_fts shots_fts conversations_fts flags',
};
export const OWNERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TABLES_OF).flatMap(([module, tables]) => tables.split(' ').map((table) => [table, module])),
);

/** Columns of `jobs` that only the ledger changes; a new job is inserted with its estimate. */
const MONEY_COLUMNS: ReadonlySet<string> = new Set(
  (
    'price quantity estimate_nano estimate_low_nano reserved_nano reserved_low_nano charged_nano ' +
    'charged_low_nano uncertain_nano unpriced unpriced_doubt unpriced_allowed reserved_at money_run ' +
    'money_note stated_nano stated_by stated_as'
  ).split(' '),
);

/** The permitted statements that name another module's table: one row per file and table. */
export const EXCEPTIONS: readonly (readonly [file: string, table: string])[] = [
  // An answer is a job: a page of messages, and the sums of a page of conversations, are one query.
  ['src/main/core/chat/queries.ts', 'jobs'],
  // The pictures of an answer are its job's results, in the same query.
  ['src/main/core/chat/queries.ts', 'assets'],
  // A bundle's jobs arrived with their project, and search results are in the order of arrival.
  ['src/main/core/jobs/queries/jobTable.ts', 'projects'],
  // A charge counts as kept by its job's verdict, thousands of times a month.
  ['src/main/core/ledger/costPerKept.ts', 'jobs'],
  // Each asset of a page shows its job's verdict.
  ['src/main/core/library/assetColumns.ts', 'jobs'],
  // A search may match the prompt of an asset's job.
  ['src/main/core/library/chosenAssets.ts', 'jobs'],
  // The outcomes of a run's thousands of jobs are counted in SQL.
  ['src/main/core/night/report.ts', 'jobs'],
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
/** Not a parameter, a column of another name, or an alias. */
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
  const hasInterpolatedTable = INTERPOLATED_TABLE.test(text);
  const found: ForeignTable[] = [];
  walk(syntaxOf(file, text), (node: Node) => {
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

export const foreignTables = (): ForeignTable[] => inSource(foreignTablesIn).flat();
