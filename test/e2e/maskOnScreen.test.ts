import { afterAll, beforeAll, expect, test } from 'vitest';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** After each edit, the painted overlay covers exactly the white of the file. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

/** Runs in the page: counts pixels that differ between screen and file, except the antialiased edges of the white. */
const DIFFERING = `(async () => {
  const file = document.querySelector('img[alt="Mask"]');
  const { naturalWidth: width, naturalHeight: height } = file;
  const sent = new OffscreenCanvas(width, height).getContext('2d');
  sent.drawImage(file, 0, 0);
  const mask = sent.getImageData(0, 0, width, height).data;
  const screen = document.querySelector('[role=application] canvas');
  const frame = screen.getBoundingClientRect();
  const picture = document.querySelector('[role=application] img').getBoundingClientRect();
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

test('after each edit the mask on the screen equals the file', async () => {
  const { page, host } = program;
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await program.goTo(labels.images);
  await page.getByRole('textbox', { name: labels.prompt, exact: true }).fill('A quay --ar 16:9');
  await program.canSend(starting(labels.makeImages(1)));
  await program.made('imagine', () => page.keyboard.press('Control+Enter'));
  await page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
  await page.getByRole('application', { name: labels.maskEditor }).waitFor();
  const box = await page.getByRole('application').locator('img').boundingBox();
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
  /** The edit is in the file and on the screen, and its number of pixels is new. */
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
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const polygon = [
    [0.05, 0.1],
    [0.2, 0.1],
    [0.12, 0.8],
    [0.05, 0.1],
  ] as const;
  // Waits for the focus: Enter would otherwise place a corner.
  const grow = () =>
    page
      .getByRole('dialog', { name: labels.growAndShrink })
      .getByRole('textbox', { name: /^Pixels/ })
      .press('Enter');
  const edits: [keys: string[], act?: () => Promise<unknown>][] = [
    [['b'], () => click(0.3, 0.5)],
    [['u'], () => drag([0.3, 0.2], [0.9, 0.9])],
    [['e'], () => click(0.6, 0.5)],
    [['u', 'u'], () => drag([0.5, 0.4], [0.7, 0.7])],
    [
      ['u'],
      async () => {
        for (const [x, y] of polygon) await click(x, y);
      },
    ],
    [['g'], grow],
    [['Shift+V']],
    [['e'], () => click(0.5, 0.1)],
    [['k'], () => click(0.8, 0.3)],
  ];
  for (const [keys, act] of edits) {
    await press(...keys);
    await act?.();
    await painted();
  }
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
  // After a power cut, the unsent mask is still there and can be undone.
  const steps = await page
    .locator('.sec', { has: page.getByRole('heading', { name: labels.history }) })
    .getByRole('listitem')
    .count();
  const pixels = await page.getByText(/ pixels white$/).innerText();
  const id = (await host.ask('jobs.list', { limit: 1, kinds: ['imagine'] })).jobs[0]?.outputs[0]?.id ?? '';
  // The first row of the list is the empty mask.
  const kept = async () => {
    const { draft = '{"strokes":[]}' } = await host.ask('library.maskDraft', { id });
    return (JSON.parse(draft) as { strokes: unknown[] }).strokes.length;
  };
  await expect.poll(kept).toBe(steps - 1);
  await program.killAndRestart();
  await program.goTo(labels.images);
  await program.page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
  await program.page.getByText(pixels, { exact: true }).waitFor();
  expect(
    await program.page
      .locator('.sec', { has: program.page.getByRole('heading', { name: labels.history }) })
      .getByRole('listitem')
      .count(),
  ).toBe(steps);
  expect(program.complaints).toEqual([]);
});
