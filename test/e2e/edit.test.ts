import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Asset } from '../../src/shared/asset.ts';
import type { Job } from '../../src/shared/job.ts';
import { Program } from './program.ts';

/** A picture is imagined and edited by painting on it; the proof is in the pixels. */

let program: Program;
let base: Job;
let edit: Job;
beforeAll(async () => {
  program = await Program.start();
  await program.page.getByRole('button', { name: 'Start in the sandbox' }).click();
  await program.goTo('Images');
});
afterAll(async () => {
  await program?.stop();
});

const main = () => program.page.getByRole('main');

/** Where the picture's own pixel (x, y) is on the screen, told by the painter's read-out. */
async function strokeFrom(from: [number, number], to: [number, number]): Promise<void> {
  const { page } = program;
  const canvas = page.getByRole('application', { name: /^Mask over the picture/ });
  const box = await canvas.boundingBox();
  if (!box) throw new Error('The painter is not to be seen.');
  await page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 6 });
  await page.mouse.up();
}

async function pixelsOf(asset: Asset | undefined) {
  const response = await program.host.request(`/media/${asset?.id}`);
  return decode(new Uint8Array(await response.arrayBuffer()));
}

test('flags typed in the prompt and the form are one thing, and an unknown flag is not lost', async () => {
  const { page } = program;
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill('Night quay in rain, sodium lamps --ar 3:2 --weird 9');
  await page.getByRole('combobox', { name: /^Mode/ }).click();
  await page.getByRole('option', { name: /turbo/ }).click();
  await page.getByRole('radio', { name: 'Two' }).click();
  expect(await prompt.inputValue()).toBe('Night quay in rain, sodium lamps --ar 3:2 --weird 9 --q 2');
  base = await program.made('imagine', () => page.keyboard.press('Control+Enter'));
  expect(base).toMatchObject({ state: 'succeeded', request: { kind: 'imagine', mode: 'turbo' } });
  const [picture] = base.outputs;
  expect((picture?.width ?? 0) / (picture?.height ?? 1)).toBeCloseTo(1.5, 1);
});

describe('the edit', () => {
  test('a stroke, one too many, undone; an eraser; the proof says what will be sent', async () => {
    const { page } = program;
    await page.getByRole('button', { name: 'Paint a mask and edit' }).click();
    expect(await page.getByRole('button', { name: /^Send edit/ }).isDisabled()).toBe(true);
    await strokeFrom([0.4, 0.45], [0.55, 0.55]);
    await page.getByText('Stroke 1 of 1').waitFor();
    await strokeFrom([0.2, 0.2], [0.3, 0.2]);
    await page.getByText('Stroke 2 of 2').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Stroke 1 of 2').waitFor();
    const coverage = () => page.getByRole('img', { name: /^The mask: .* white pixels/ }).getAttribute('alt');
    const whole = await coverage();
    await page.keyboard.press('e');
    await strokeFrom([0.4, 0.45], [0.44, 0.48]);
    await page.getByText('Stroke 2 of 2').waitFor();
    await expect.poll(coverage).not.toBe(whole);
    await page.getByText('Only 0 and 255, no greys').waitFor();
    await page.getByText('Ready to send').waitFor();
  });

  test('sent once however often it is clicked', async () => {
    const { page } = program;
    await page.getByRole('textbox', { name: 'Prompt of the edit' }).fill('An old bicycle leaning on the bollard');
    const send = page.getByRole('button', { name: /^Send edit/ });
    edit = await program.made('edit', () => send.dblclick());
    expect(edit).toMatchObject({ state: 'succeeded', request: { kind: 'edit' } });
    const { total } = await program.host.ask('jobs.list', { kinds: ['edit'] });
    expect(total).toBe(1);
  });

  test('exactly what was painted has changed, and nothing else', async () => {
    if (edit.request.kind !== 'edit' || !('assetId' in edit.request.mask)) throw new Error('The mask is not an asset.');
    const mask = await program.host.ask('library.get', { id: edit.request.mask.assetId });
    const [before, after, painted] = await Promise.all([
      pixelsOf(base.outputs[0]),
      pixelsOf(edit.outputs[0]),
      pixelsOf(mask),
    ]);
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    expect([painted.width, painted.height, painted.depth]).toEqual([before.width, before.height, 1]);
    const counts = { white: 0, changedInside: 0, changedOutside: 0 };
    const bytesPerRow = Math.ceil(painted.width / 8);
    for (let pixel = 0; pixel < before.width * before.height; pixel++) {
      const [x, y] = [pixel % before.width, Math.floor(pixel / before.width)];
      const isWhite = ((painted.data[y * bytesPerRow + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      const same = [0, 1, 2].every(
        (channel) => before.data[pixel * before.channels + channel] === after.data[pixel * after.channels + channel],
      );
      counts.white += isWhite;
      if (!same) counts[isWhite ? 'changedInside' : 'changedOutside'] += 1;
    }
    expect(counts.changedOutside).toBe(0);
    expect(counts.white).toBeGreaterThan(1_000);
    expect(counts.changedInside / counts.white).toBeGreaterThan(0.5);
  });

  test('the page says that nothing moved outside, and shows before and after', async () => {
    const { page } = program;
    await main().getByText('Not one pixel differs').waitFor();
    await page
      .getByRole('option', { name: /An old bicycle/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Compare/ }).click();
    await page.getByRole('button', { name: /^Compare/, pressed: true }).waitFor();
  });
});

describe('bad masks are refused by the studio as they are by the page, and nothing is sent', () => {
  test.each([
    ['of another size', 64, 64, 255, "mask: must have the picture's size"],
    ['with a grey pixel', 0, 0, 128, 'mask: must be pure black and white'],
    ['without anything painted', 0, 0, 0, 'mask: must have something painted'],
  ])('%s', async (_name, width, height, value, sentence) => {
    const { encode } = await import('fast-png');
    const [picture] = base.outputs;
    const size = { width: width || (picture?.width ?? 1), height: height || (picture?.height ?? 1) };
    const data = new Uint8Array(size.width * size.height).fill(0);
    data[10] = value;
    const body = encode({ ...size, data, channels: 1, depth: 8 }) as Uint8Array<ArrayBuffer>;
    const uploaded = await (await program.host.request('/media?name=mask.png', { method: 'PUT', body })).json();
    const mask = { assetId: (uploaded as { data: Asset }).data.id };
    const before = await program.bill();
    const refused = await program.host.rpc('jobs.enqueue', {
      requests: [{ kind: 'edit', base: { jobId: base.id }, mask }],
    });
    expect(refused.ok ? '' : refused.error.message).toContain(sentence);
    expect(await program.bill()).toEqual(before);
  });
});

test('the page had nothing to complain about', () => {
  expect(program.complaints).toEqual([]);
});
