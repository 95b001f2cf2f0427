import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { placeEmptyDatabase } from '../../../../test/helpers/emptyDatabase.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile } from '../../core/store/index.ts';
import { createMigrationPage } from './migrationPage.ts';

const app = { serve: async (pathname: string) => new Response(`the app's ${pathname}`) };

/** With a database of this program, or one that says it is of an earlier version. */
function folderOf(version?: number): string {
  const dataDir = tempDir();
  placeEmptyDatabase(dataDir);
  if (version === undefined) return dataDir;
  const connection = new Database(databaseFile(dataDir));
  connection.pragma(`user_version = ${version}`);
  connection.close();
  return dataDir;
}

test('while older data is brought up to this version the window tells how far it is, then it shows the app', async () => {
  const page = createMigrationPage(folderOf(13));
  const pages = page.over(app);
  const shown = async (path: string) => (await pages.serve(path))?.text();
  expect(await shown('/index.html')).toContain('A backup is made first.');
  page.onStep({ done: 3, of: 5 });
  expect(await shown('/')).toContain('Updating your history…');
  expect(await shown('/')).toContain('<progress value="3" max="5"');
  expect(await shown('/')).toContain('Step 3 of 4.');
  // It comes back for the app, and only its own style is allowed.
  expect(await shown('/')).toContain('http-equiv="refresh"');
  expect((await pages.serve('/'))?.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  );
  expect(await shown('/assets/index.js')).toBe("the app's /assets/index.js");
  page.end();
  expect(await shown('/')).toBe("the app's /");
});

test('data of this version, and a new folder, show the app at once', async () => {
  for (const dataDir of [folderOf(), tempDir()]) {
    const served = await createMigrationPage(dataDir).over(app).serve('/');
    expect(await served?.text()).toBe("the app's /");
  }
});
