import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** What is painted is seen where it will be sent: after each edit the rubylith covers the white of the file, and nothing else. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

/**
 * Runs in the page: at how many pixels of the picture the screen says something else than the file. Those at an edge of the white are left
 * out: there the screen's colour is softened.
 */
const DIFFERING = `(async () => {
  const file = document.querySelector('img[alt^="The mask"]');
  const { naturalWidth: width, naturalHeight: height } = file;
  const sent = new OffscreenCanvas(width, height).getContext('2d');
  sent.drawImage(file, 0, 0);
  const mask = sent.getImageData(0, 0, width, height).data;
  const screen = document.querySelector('.host canvas');
  const frame = screen.getBoundingClientRect();
  const picture = document.querySelector('.host img').getBoundingClientRect();
  const [dense, zoom] = [screen.width / frame.width, picture.width / width];
  const shown = screen.getContext('2d').getImageData(0, 0, screen.width, screen.height).data;
  const white = (x, y) => mask[4 * (y * width + x)] > 127;
  let [differing, painted] = [0, 0];
  for (let y = 2; y < height - 2; y++) for (let x = 2; x < width - 2; x++) {
    const inside = white(x, y);
    const isEdge = [-2, -1, 1, 2].some((d) => white(x + d, y) !== inside || white(x, y + d) !== inside);
    if (isEdge) continue;
    const left = Math.floor((picture.left - frame.left + (x + 0.5) * zoom) * dense);
    const top = Math.floor((picture.top - frame.top + (y + 0.5) * zoom) * dense);
    if (inside) painted++;
    if (shown[4 * (top * screen.width + left) + 3] > 127 !== inside) differing++;
  }
  return { differing, painted };
})()`;

test('each edit of a mask is on the screen what it is in the file', async () => {
  const { page, host } = program;
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await program.goTo(labels.images);
  await page.getByRole('textbox', { name: labels.prompt, exact: true }).fill('A quay --ar 16:9');
  await program.canSend(starting(labels.imagine));
  await program.made('imagine', () => page.keyboard.press('Control+Enter'));
  await page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
  await page.getByRole('application', { name: /^Mask over the picture/ }).waitFor();
  const box = await page.locator('.host img').boundingBox();
  if (!box) throw new Error('the picture is not there');
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  const click = (x: number, y: number) => page.mouse.click(...at(x, y));
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...at(...from));
    await page.mouse.down();
    await page.mouse.move(...at(...to), { steps: 4 });
    await page.mouse.up();
  };

  const whites = [0];
  /** The edit is in the file and on the screen, in as many pixels as after no edit before. */
  const painted = async () => {
    await page.mouse.move(box.x - 40, box.y - 40);
    let read = { differing: -1, painted: 0 };
    const isThere = async () => {
      read = await page.evaluate<typeof read>(DIFFERING);
      return read.differing === 0 && !whites.includes(read.painted);
    };
    await expect.poll(isThere).toBe(true);
    whites.push(read.painted);
  };
  await page.keyboard.press('b');
  await click(0.3, 0.5);
  await painted();
  await page.keyboard.press('u');
  await drag([0.3, 0.2], [0.9, 0.9]);
  await painted();
  await page.keyboard.press('e');
  await click(0.6, 0.5);
  await painted();
  await page.keyboard.press('u');
  await page.keyboard.press('u');
  await drag([0.5, 0.4], [0.7, 0.7]);
  await painted();
  await page.keyboard.press('u');
  for (const [x, y] of [
    [0.05, 0.1],
    [0.2, 0.1],
    [0.12, 0.8],
    [0.05, 0.1],
  ] as const)
    await click(x, y);
  await painted();
  await page.keyboard.press('g');
  // Pressed before the dialog has the focus, Enter would place a corner.
  await page
    .getByRole('dialog', { name: labels.growAndShrink })
    .getByRole('textbox', { name: /^Pixels/ })
    .press('Enter');
  await painted();
  await page.keyboard.press('Shift+V');
  await painted();
  await page.keyboard.press('e');
  await click(0.5, 0.1);
  await painted();
  await page.keyboard.press('k');
  await click(0.8, 0.3);
  await painted();
  await page.keyboard.press('Shift+C');
  await page.getByText(labels.nothingIsPaintedYet).first().waitFor();
  await page.keyboard.press('u');
  await page.getByRole('button', { name: starting(labels.rectangle), pressed: true }).waitFor();
  await drag([0.2, 0.2], [0.5, 0.7]);
  await painted();
  await page.keyboard.press('v');
  await drag([0.3, 0.4], [0.6, 0.4]);
  await page.getByRole('button', { name: starting(labels.changeOf('Rectangle')) }).waitFor();
  const width = page.getByRole('textbox', { name: labels.width });
  await width.fill('31');
  await width.press('Tab');
  await painted();
  /** Drags a handle of the chosen shape, named by its place in the frame: 0 the upper left one, 7 the lower right one. */
  const resize = async (handle: number, dx: number, dy: number) => {
    const grip = await page.locator('.shape-frame > div').nth(handle).boundingBox();
    if (!grip) throw new Error('the handle is not there');
    const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await page.mouse.up();
  };
  const height = page.getByRole('textbox', { name: labels.height });
  const steps = page.getByRole('button', { name: /^Change: / });
  const before = { height: await height.inputValue(), steps: await steps.count() };
  await resize(4, 90, 30);
  await painted();
  expect(Number(await width.inputValue())).toBeGreaterThan(31);
  expect(await height.inputValue()).toBe(before.height);
  // However many moves a drag had, it is one step.
  expect(await steps.count()).toBe(before.steps + 1);
  await width.fill('40');
  await width.press('Tab');
  await page.locator('.host').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => width.inputValue()).toBe('51');
  await expect.poll(() => height.inputValue()).toBe(String(Number(before.height) - 1));
  await painted();
  await page.keyboard.press('Escape');
  await page.locator('.shape-frame').waitFor({ state: 'hidden' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Delete');
  await page.getByText(labels.nothingIsPaintedYet).first().waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(labels.readyToSend).waitFor();
  // White is its left half, its other half is transparent.
  const size = await page.evaluate<[number, number]>(
    "(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector('.host img'))",
  );
  const bring = async (width: number, height: number) => {
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, Math.floor(width / 2), height);
    const buffer = canvas.toBuffer('image/png');
    await page.getByLabel(labels.pictureToReadAsA).setInputFiles({ name: 'half.png', mimeType: 'image/png', buffer });
  };
  await page.keyboard.press('i');
  await bring(30, 20);
  await page.getByText(`This picture is 30 × 20; the mask must be ${size[0]} × ${size[1]}.`).waitFor();
  await page.getByRole('checkbox', { name: labels.fitItToThePicture }).click();
  await page.getByRole('img', { name: /^The mask to be/ }).waitFor();
  await bring(...size);
  await page.getByRole('radio', { name: 'Alpha' }).click();
  await page.getByRole('checkbox', { name: labels.invert }).click();
  const white = (size[0] - Math.floor(size[0] / 2)) * size[1];
  await page.getByRole('img', { name: `The mask to be: ${white.toLocaleString('en-US')} white pixels` }).waitFor();
  await page.getByRole('button', { name: labels.takeItOver }).click();
  await page.getByRole('button', { name: starting(labels.importedMask) }).waitFor();
  await painted();
  await page.getByText(`${white.toLocaleString('en-US')} pixels white`).waitFor();

  // What was painted and not sent is there after the program has ended and begun again, and can still be undone.
  const id = (await host.ask('jobs.list', { limit: 1, kinds: ['imagine'] })).jobs[0]?.outputs[0]?.id ?? '';
  const all = await page.locator('.mask-steps li').count();
  const kept = async () => {
    const { draft = '{"strokes":[]}' } = await program.host.ask('library.maskDraft', { id });
    return (JSON.parse(draft) as { strokes: unknown[] }).strokes.length;
  };
  // The first line of the list is the empty mask.
  await expect.poll(kept).toBe(all - 1);
  await program.killAndRestart();
  await program.goTo(labels.images);
  await program.page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
  await program.page.getByText(`${white.toLocaleString('en-US')} pixels white`).waitFor();
  expect(await program.page.locator('.mask-steps li').count()).toBe(all);
  await program.page.keyboard.press('Control+z');
  await program.page
    .getByRole('button', { name: starting(labels.importedMask) })
    .getByText('undone')
    .waitFor();
  await expect.poll(kept).toBe(all - 2);
  expect(program.complaints).toEqual([]);
});
