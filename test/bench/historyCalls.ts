import Database from 'better-sqlite3';
import { databaseFile } from '../../src/main/core/store/index.ts';
import { addTextFunctions } from '../../src/main/core/store/reading/textIndex.ts';
import type { CallInput, CallName } from '../../src/shared/contract/contract.ts';
import { openStudio, type TestStudio } from '../helpers/testStudio.ts';
import { realClock } from './figures.ts';
import { longest, measured } from './turns.ts';

/**
 * The calls that read a history, in process, compared with the bare statement for the shown rows. Each figure is the minimum of several
 * rounds, since other load only adds to it and some systems count thread time in steps of 4 ms.
 */

export interface ReadFigures {
  what: string;
  /** Time until the answer, in ms. */
  wall: number;
  /** The longest time that the studio's thread is blocked, in ms. */
  hold: number;
  /** Time of the bare statement, in ms. */
  bare?: number;
}

interface Case<Name extends CallName = CallName> {
  what: string;
  call: Name;
  input: CallInput<Name>;
  /** A single statement for the rows of the page. */
  bare?: string;
}

const ROUNDS = 15;
const WARM = 2;
const PAGE = 100;

export async function readHistory(dataDir: string): Promise<ReadFigures[]> {
  const program = await openStudio({ dataDir, ports: { clock: realClock } });
  const bare = new Database(databaseFile(dataDir), { readonly: true });
  addTextFunctions(bare);
  const figures: ReadFigures[] = [];
  for (const one of casesOf(bare)) {
    const read = await timesOf(program, one);
    figures.push({ what: one.what, ...read, ...(one.bare ? { bare: bareMs(bare, one.bare) } : {}) });
  }
  bare.close();
  await program.close();
  return figures;
}

async function timesOf(program: TestStudio, { call, input }: Case): Promise<{ wall: number; hold: number }> {
  const walls: number[] = [];
  const holds: number[] = [];
  for (let round = -WARM; round < ROUNDS; round++) {
    const { ms, turns } = await measured(() => program.ask(call, input as never), 0);
    if (round < 0) continue;
    walls.push(ms);
    holds.push(longest(turns));
  }
  return { wall: Math.min(...walls), hold: Math.min(...holds) };
}

function bareMs(db: Database.Database, text: string): number {
  const statement = db.prepare(text);
  const times: number[] = [];
  for (let round = -WARM; round < ROUNDS; round++) {
    const start = performance.now();
    statement.all();
    if (round >= 0) times.push(performance.now() - start);
  }
  return Math.min(...times);
}

function casesOf(db: Database.Database): Case[] {
  const last = (table: string) => Number(db.prepare(`SELECT max(seq) FROM ${table}`).pluck().get());
  const time = (table: string, part: number) =>
    Number(
      db
        .prepare(`SELECT created_at FROM ${table} WHERE seq >= ?`)
        .pluck()
        .get(Math.floor(last(table) * part)),
    );
  return [
    ...jobCases(last('jobs'), time('jobs', 0.4), time('jobs', 0.6)),
    ...assetCases(last('assets')),
    ...otherCases(),
  ];
}

function jobCases(last: number, from: number, to: number): Case[] {
  const rows = (where: string) => `SELECT * FROM jobs WHERE ${where} ORDER BY seq DESC LIMIT ${PAGE + 1}`;
  const found = (match: string) =>
    `SELECT * FROM jobs WHERE seq IN (SELECT rowid FROM jobs_fts WHERE jobs_fts MATCH '${match}' ORDER BY rowid DESC LIMIT ${PAGE + 1})`;
  const list = (what: string, input: CallInput<'jobs.list'>, bare: string): Case => ({
    what: `jobs.list, ${what}`,
    call: 'jobs.list',
    input: { limit: PAGE, ...input },
    bare,
  });
  const middle = Math.floor(last / 2);
  return [
    list('first page', {}, rows('true')),
    list('page in the middle, by cursor', { cursor: String(middle) }, rows(`seq < ${middle}`)),
    list(
      'page in the middle, by place',
      { offset: middle },
      `SELECT * FROM jobs WHERE seq IN (SELECT seq FROM jobs ORDER BY seq DESC LIMIT ${PAGE + 1} OFFSET ${middle})`,
    ),
    list(
      'of a kind, page in the middle, by place',
      { kinds: ['imagine'], offset: Math.floor(middle / 2) },
      `SELECT * FROM jobs WHERE seq IN (SELECT seq FROM jobs INDEXED BY jobs_listed WHERE kind = 'imagine' ORDER BY seq DESC
         LIMIT ${PAGE + 1} OFFSET ${Math.floor(middle / 2)})`,
    ),
    list('of a state', { states: ['succeeded'] }, rows(`+state = 'succeeded'`)),
    list('of a model', { models: ['model-3'] }, rows(`model = 'model-3'`)),
    list('of a rating', { verdict: 'keep' }, rows(`verdict = 'keep'`)),
    list('of some days', { from, to }, rows(`+created_at >= ${from} AND +created_at < ${to}`)),
    list('one letter', { text: 'a' }, found('"a" *')),
    list('one letter as it is typed', { text: 'a', upTo: 10_000 }, found('"a" *')),
    list('a word', { text: 'fishermen' }, found('"fishermen" *')),
    list('a Chinese sign', { text: '雪' }, found('"雪" *')),
    { what: 'queue.status', call: 'queue.status', input: {} },
    {
      what: 'jobs.list in the order of the queue',
      call: 'jobs.list',
      input: { limit: PAGE, order: 'queue' },
      bare: rows('true'),
    },
  ];
}

function assetCases(last: number): Case[] {
  const rows = (where: string, order = 'seq DESC') =>
    `SELECT * FROM assets WHERE role <> 'thumbnail' AND ${where} ORDER BY ${order} LIMIT ${PAGE + 1}`;
  const found = (match: string) =>
    `SELECT * FROM assets WHERE seq IN (SELECT rowid FROM assets_fts WHERE assets_fts MATCH '${match}' ORDER BY rowid DESC LIMIT ${PAGE + 1})`;
  const list = (what: string, input: CallInput<'library.list'>, bare: string): Case => ({
    what: `library.list, ${what}`,
    call: 'library.list',
    input: { limit: PAGE, ...input },
    bare,
  });
  const facets = (what: string, input: CallInput<'library.facets'>): Case => ({
    what: `library.facets${what}`,
    call: 'library.facets',
    input,
  });
  const middle = Math.floor(last / 2);
  return [
    list('first page', {}, rows('true')),
    list('first page with its days', { days: true }, rows('true')),
    list('page in the middle, by cursor', { cursor: String(middle) }, rows(`seq < ${middle}`)),
    list(
      'page in the middle, by place',
      { offset: Math.floor(middle / 2), upTo: 1 },
      `SELECT * FROM assets WHERE seq IN (SELECT seq FROM assets INDEXED BY assets_listed WHERE role <> 'thumbnail' AND binned_at IS NULL
         ORDER BY seq DESC LIMIT ${PAGE + 1} OFFSET ${Math.floor(middle / 2)})`,
    ),
    list('with a star', { starred: true }, rows('starred = 1')),
    list('of a type with its days', { types: ['video'], days: true }, rows(`mime LIKE 'video/%'`)),
    list('of a model with its days', { models: ['model-3'], days: true }, rows(`model = 'model-3'`)),
    list('of two ratings', { verdict: ['keep', 'none'] }, rows(`(verdict = 'keep' OR verdict IS NULL)`)),
    list('the most expensive', { sort: { by: 'cost', order: 'desc' } }, rows('true', 'cost_nano DESC, seq DESC')),
    list('one letter as it is typed, with its days', { text: 'a', days: true, upTo: 10_000 }, found('"a" *')),
    list('one letter with its days', { text: 'a', days: true }, found('"a" *')),
    list('a word with its days', { text: 'fishermen', days: true }, found('"fishermen" *')),
    facets('', {}),
    facets(' of a model', { models: ['model-3'] }),
    facets(' of one letter as it is typed', { text: 'a', upTo: 10_000 }),
    facets(' of one letter', { text: 'a' }),
    { what: 'library.stats', call: 'library.stats', input: {} },
  ];
}

function otherCases(): Case[] {
  const chats = (where: string) =>
    `SELECT * FROM conversations WHERE removed = 0 AND ${where} ORDER BY updated_at DESC, id DESC LIMIT ${PAGE + 1}`;
  const sums = (by: string) =>
    `SELECT key, sum(settled_nano) FROM ledger_sums WHERE play = 1 AND grouped_by = '${by}' GROUP BY key`;
  const search = (text: string): Case => ({
    what: `search.all, ${text}`,
    call: 'search.all',
    input: { text, limit: 50 },
  });
  return [
    {
      what: 'ledger.totals by model',
      call: 'ledger.totals',
      input: { groupBy: 'model', play: true },
      bare: sums('model'),
    },
    { what: 'ledger.totals by day', call: 'ledger.totals', input: { groupBy: 'day', play: true }, bare: sums('day') },
    { what: 'chat.list, first page', call: 'chat.list', input: { limit: PAGE }, bare: chats('true') },
    {
      what: 'chat.list, one letter as it is typed',
      call: 'chat.list',
      input: { limit: PAGE, text: 'a', upTo: 1_000 },
      bare: chats('true'),
    },
    { what: 'chat.list, one letter', call: 'chat.list', input: { limit: PAGE, text: 'a' }, bare: chats('true') },
    { what: 'chat.list, a word', call: 'chat.list', input: { limit: PAGE, text: 'fishermen' }, bare: chats('true') },
    search('a'),
    search('fishermen'),
    search('雪'),
  ];
}
