import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { ensureBuilt } from '../../src/main/hosts/launch/build.ts';
import { root } from '../helpers/host.ts';
import { film } from './film.ts';
import { PICTURES, type Picture, STAGES } from './pictures.ts';
import { reach } from './stages.ts';
import { PictureStudio } from './studio.ts';
import { drawn, toWebp } from './webp.ts';

/** `npm run pictures [-- NAME …]`: makes the documentation's pictures and its film (`dailies`), or those named, in about ten minutes. */

const FOLDER = join(root, 'docs', 'pictures');
const FILM = 'dailies';
const MOST_BYTES = 250_000;
const MOST_FILM_BYTES = 3_000_000;
const STILL_MS = 1_200;
const MOST_TRIES = 40;
/** Notices caused by the script are hidden. */
const STYLE = '.toasts { visibility: hidden }';

const names = process.argv.slice(2);
const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
const unknown = names.filter((name) => name !== FILM && !PICTURES.some((picture) => picture.name === name));
if (unknown.length > 0) throw new Error(`There is no picture ${unknown.join(', ')}.`);

await ensureBuilt(root);
mkdirSync(FOLDER, { recursive: true });
const studio = await PictureStudio.open();
try {
  await makePictures(PICTURES.filter(({ name }) => isWanted(name)));
} finally {
  await studio.close();
}

async function makePictures(wanted: readonly Picture[]): Promise<void> {
  const last = isWanted(FILM) ? STAGES.length : Math.max(...wanted.map(({ stage }) => STAGES.indexOf(stage))) + 1;
  for (const stage of STAGES.slice(0, last)) {
    await reach(studio, stage);
    for (const picture of wanted.filter((one) => one.stage === stage)) {
      await picture.show(studio);
      write(picture.name, toWebp(await drawn(await taken(studio.page, picture))), MOST_BYTES);
    }
  }
  if (isWanted(FILM)) write(FILM, await film(studio), MOST_FILM_BYTES);
}

function write(name: string, file: Buffer, most: number): void {
  if (file.length > most) throw new Error(`${name} has ${file.length} bytes, and at most ${most} are allowed.`);
  writeFileSync(join(FOLDER, `${name}.webp`), file);
  process.stdout.write(`${name}.webp, ${Math.round(file.length / 1_000)} kB\n`);
}

/** Takes the picture once the page is still: images loaded, clips at their frame, nothing being measured. */
async function taken(page: Page, { name, isMoving, hasFocus }: Picture): Promise<Buffer> {
  await page.mouse.move(0, 0);
  if (!hasFocus) await page.evaluate('document.activeElement?.blur()');
  let before: Buffer = Buffer.alloc(0);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await page.waitForTimeout(STILL_MS);
    const now = await page.screenshot({ style: STYLE, animations: 'disabled' });
    if (now.equals(before) || (isMoving && tries > 1)) return now;
    before = now;
  }
  throw new Error(`The page of ${name} does not stand still.`);
}
