import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Where clocks change at two, at midnight, and by half an hour. */
const ZONES = ['Europe/Berlin', 'America/Santiago', 'Africa/Cairo', 'Australia/Lord_Howe'];

/** Times of ten years, every few hours and around each local midnight, with the days that SQLite says; in a process, which has a zone. */
const PROGRAM = `
  const { default: Database } = await import('better-sqlite3');
  const { addLocalDay, localDayOf } = await import(${JSON.stringify(new URL('./localDay.ts', import.meta.url).href)});
  const db = new Database(':memory:');
  addLocalDay(db);
  db.exec('CREATE TABLE times (at INTEGER NOT NULL)');
  const add = db.prepare('INSERT INTO times VALUES (?)');
  const year = new Date().getFullYear();
  const [from, to] = [new Date(year - 7, 0, 1).getTime(), new Date(year + 3, 0, 1).getTime()];
  db.transaction(() => {
    for (let at = from; at < to; at += 187 * 60_000) add.run(at);
    for (let day = 1; day < 3650; day++)
      for (const by of [-1, 0, 1]) add.run(new Date(year - 7, 0, day).getTime() + by);
  })();
  const dayOf = (at) => { const day = new Date(at); return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime(); };
  const wrong = { computed: 0, called: 0 };
  let n = 0;
  for (const row of db.prepare('SELECT at, ' + localDayOf('t.at') + ' AS computed, local_day(at) AS called FROM times t').iterate()) {
    n++;
    for (const name of ['computed', 'called']) if (row[name] !== dayOf(row.at)) wrong[name]++;
  }
  console.log(JSON.stringify({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, many: n > 30_000, wrong }));
`;

test.each(ZONES)('each time is of its local day, however SQLite is asked: %s', (TZ) => {
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: new URL('.', import.meta.url),
    env: { ...process.env, TZ, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual({ zone: TZ, many: true, wrong: { computed: 0, called: 0 } });
});
