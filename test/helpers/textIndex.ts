import Database from 'better-sqlite3';
import {
  addTextFunctions,
  TEXT_TABLES,
  type TextTable,
  wordsOfAll,
} from '../../src/main/core/store/reading/textIndex.ts';

/**
 * The differences between a data folder's text index and its rows: each missing or surplus word with row number and position. The index
 * stores no text, so all rows are indexed again and the two are compared word by word.
 */
export function textIndexFaults(file: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    addTextFunctions(db);
    return (Object.keys(TEXT_TABLES) as TextTable[]).flatMap((name) => faultsIn(db, name));
  } finally {
    db.close();
  }
}

function faultsIn(db: Database.Database, name: TextTable): string[] {
  const table = TEXT_TABLES[name];
  db.exec(`CREATE VIRTUAL TABLE temp.right_${table} USING fts5 (words, content = '', tokenize = 'ascii');
    INSERT INTO temp.right_${table} (rowid, words) ${wordsOfAll(name)};
    CREATE VIRTUAL TABLE temp.is_${table} USING fts5vocab (main, ${table}, instance);
    CREATE VIRTUAL TABLE temp.ought_${table} USING fts5vocab (temp, right_${table}, instance);`);
  const all = (which: string) => `SELECT doc, "offset" AS place, term FROM temp.${which}_${table}`;
  const told = (what: string, one: string, other: string): string[] =>
    (
      db.prepare(`${all(one)} EXCEPT ${all(other)} ORDER BY doc, place LIMIT 20`).all() as {
        doc: number;
        place: number;
        term: string;
      }[]
    ).map(({ doc, place, term }) => `${table} ${doc}: ${term} at ${place} ${what}`);
  return [...told('is missing', 'ought', 'is'), ...told('is too much', 'is', 'ought')];
}
