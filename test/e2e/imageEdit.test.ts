import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EditRequest } from '../../src/shared/kinds/edit.ts';
import type { ImagineRequest } from '../../src/shared/kinds/imagine.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import { testPng } from '../helpers/png.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** A picture is made, its mask painted by hand, and the edit requested. Request and result are compared pixel by pixel. */

let program: Program;
let picture: Asset;
beforeAll(async () => {
  program = await Program.start();
  await program.host.ask('settings.set', { welcomed: true });
  await program.page.getByRole('navigation', { name: labels.pages }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const only = <T>(items: readonly T[]): T => {
  expect(items).toHaveLength(1);
  return items[0] as T;
};

async function pixelsOf(assetId: string) {
  const image = await loadImage(new Uint8Array(await (await program.host.request(`/media/${assetId}`)).arrayBuffer()));
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data };
}

test('form and prompt stay in step, and a flag unknown to the form is sent as written', async () => {
  const { page } = program;
  await program.goTo(labels.images);
  const prompt = page.getByRole('textbox', { name: labels.prompt });
  await prompt.fill('A ferry quay at night, rain --stylize 200 --ar 3:2');
  await page.getByRole('radio', { name: '2', exact: true }).click();
  await page.getByRole('combobox', { name: labels.aspect }).click();
  await page.getByRole('option', { name: '16:9', exact: true }).click();
  await page.getByRole('combobox', { name: labels.mode }).click();
  await page.getByRole('option', { name: /turbo/ }).click();
  expect(await prompt.inputValue()).toBe('A ferry quay at night, rain --stylize 200 --ar 16:9 --q 2');
  const job = await program.made('imagine', () =>
    page.getByRole('button', { name: starting(labels.makeImages(1)) }).dblclick(),
  );
  expect((job.request as ImagineRequest).prompt).toContain('--stylize 200 --ar 16:9 --q 2');
  const { total } = await program.host.ask('jobs.list', { limit: 10, kinds: ['imagine'] });
  expect(total, 'a double click is one order').toBe(1);
  picture = only(job.outputs.filter(({ role }) => role === 'output'));
  await page.getByText(`${picture.width} × ${picture.height}`).first().waitFor();
});

test('an empty mask cannot be sent; a painted one is verified, and its white pixels are the strokes', async () => {
  const { page } = program;
  await page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
  await page.getByText('Paint the area to change.').waitFor();
  const stage = page.getByRole('application', { name: labels.maskEditor });
  const box = await stage.boundingBox();
  if (!box) throw new Error('the painter is not there');
  const at = (x: number, y: number): [number, number] => [box.x + box.width * x, box.y + box.height * y];
  await page.keyboard.press('u');
  await page.mouse.move(...at(0.35, 0.4));
  await page.mouse.down();
  await page.mouse.move(...at(0.6, 0.6), { steps: 5 });
  await page.mouse.up();
  await page.keyboard.press('b');
  await page.mouse.move(...at(0.2, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.3, 0.55), { steps: 5 });
  await page.mouse.up();
  await page.keyboard.press('Control+z');
  await page.getByText(labels.strokeOf(1, 2)).waitFor();
  await page.keyboard.press('Control+Shift+Z');
  await page.getByText(labels.strokeOf(2, 2)).waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(labels.strokeOf(1, 2)).waitFor();
  await page.keyboard.press('Control+y');
  await page.getByText(labels.strokeOf(2, 2)).waitFor();
  await page.getByText(labels.readyToSend).waitFor();
  const proof = page.getByRole('complementary', { name: labels.maskCheck });
  await proof.getByText(`${picture.width} × ${picture.height}`).waitFor();
});

test('one edit is sent with a black-and-white mask of the picture’s size; only white pixels change', async () => {
  const { page } = program;
  await page.getByRole('textbox', { name: labels.promptOfTheEdit }).fill('An old bicycle');
  await page.getByText(labels.readyToSend).waitFor();
  const told = Number((await page.getByText(/ pixels white$/).textContent())?.replace(/\D/g, ''));
  const job = await program.made('edit', () =>
    page.getByRole('button', { name: starting(labels.sendEdit) }).dblclick(),
  );
  expect(job.state).toBe('succeeded');
  expect(
    (await program.host.ask('jobs.list', { limit: 10, kinds: ['edit'] })).total,
    'a double click is one order',
  ).toBe(1);
  const request = job.request as EditRequest;
  expect(request).toMatchObject({ base: { assetId: picture.id }, prompt: 'An old bicycle', timeout: 300 });
  const mask = await pixelsOf((request.mask as { assetId: string }).assetId);
  const [before, after] = await Promise.all([pixelsOf(picture.id), pixelsOf(only(job.outputs).id)]);
  expect([mask.width, mask.height]).toEqual([picture.width, picture.height]);
  let white = 0;
  let outside = 0;
  for (let index = 0; index < mask.data.length; index += 4) {
    const value = mask.data[index] ?? -1;
    if (value !== 0 && value !== 255) throw new Error(`grey ${value} in the mask`);
    if (value === 255) white++;
    else if ([0, 1, 2].some((channel) => before.data[index + channel] !== after.data[index + channel])) outside++;
  }
  expect([white, outside]).toEqual([told, 0]);
});

test('the page shows that nothing changed outside; before and after can be overlaid', async () => {
  const { page } = program;
  await page.getByText(labels.notOnePixelDiffers).waitFor();
  await page.getByRole('button', { name: labels.beforeAndAfter }).click();
  const slider = page.getByRole('slider', { name: labels.beforeAndAfter });
  await slider.focus();
  await page.keyboard.press('End');
  expect(await slider.getAttribute('aria-valuenow')).toBe('100');
  await page.keyboard.press('c');
  await slider.waitFor({ state: 'detached' });
});

test('the original is put back outside with a soft edge: a new free picture, correct in every pixel', async () => {
  const { page, host } = program;
  const before = await program.bill();
  const [edit] = (await host.ask('jobs.list', { limit: 10, kinds: ['edit'] })).jobs;
  if (!edit) throw new Error('there is no edit');
  const result = only(edit.outputs);
  await page.getByRole('radio', { name: '8', exact: true }).click();
  await page.getByRole('button', { name: labels.putTheOriginalBackOutside }).click();
  const listed = async () => (await host.ask('library.list', { roles: ['source'], limit: 10 })).assets;
  await expect.poll(async () => (await listed()).map(({ parentId }) => parentId)).toEqual([result.id]);
  const made = only(await listed());
  await page.getByRole('button', { name: labels.theEditOriginalPutBack }).waitFor();
  const steps = (await host.ask('library.ancestry', { id: made.id })).from;
  expect(steps.map(({ field, asset }) => `${field} ${asset?.id}`).slice(0, 2)).toEqual([
    `putBack ${result.id}`,
    `base ${picture.id}`,
  ]);
  const { mask } = edit.request as EditRequest;
  const ids = [picture.id, result.id, (mask as { assetId: string }).assetId, made.id];
  const [original, edited, white, put] = (await Promise.all(ids.map(pixelsOf))) as [Pixels, Pixels, Pixels, Pixels];
  expect(blendFaults({ original, edited, white, put }, 8)).toEqual([]);
  expect(await program.bill(), 'nothing is sent').toEqual(before);
  await page.getByRole('button', { name: starting(labels.compare) }).click();
  await page.getByRole('slider', { name: labels.beforeAndAfter }).waitFor();
  await page.keyboard.press('c');
});

type Pixels = Awaited<ReturnType<typeof pixelsOf>>;

/** Counts the pixels that are not the original outside, the edit deep inside, and in between a blend by distance from the black. */
function blendFaults(
  { original, edited, white, put }: Record<'original' | 'edited' | 'white' | 'put', Pixels>,
  feather: number,
) {
  const { width, height } = original;
  const isBlack = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && white.data[(y * width + x) * 4] === 0;
  const near = Array.from({ length: (2 * feather + 3) ** 2 }, (_, index) => {
    const [dx, dy] = [(index % (2 * feather + 3)) - feather - 1, Math.floor(index / (2 * feather + 3)) - feather - 1];
    return { dx, dy, away: Math.hypot(dx, dy) };
  }).sort((one, other) => one.away - other.away);
  const faults: string[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const away = near.find(({ dx, dy }) => isBlack(x + dx, y + dy))?.away ?? feather + 1;
      const share = Math.min(1, away / (feather + 1));
      const at = (y * width + x) * 4;
      for (let channel = at; channel < at + 4; channel++) {
        const [old, fresh] = [original.data[channel] ?? 0, edited.data[channel] ?? 0];
        if (put.data[channel] !== Math.round(old + (fresh - old) * share)) faults.push(`${x} ${y}`);
      }
    }
  return faults.slice(0, 5);
}

test('the edited picture becomes the first frame of a shot', async () => {
  const { page } = program;
  await page.getByRole('button', { name: labels.useAsFrame }).click();
  await page.getByRole('button', { name: labels.newFilm }).click();
  await page.getByRole('button', { name: labels.firstFrame, exact: true }).click();
  const { projects } = await program.host.ask('projects.list');
  const firstShot = async () => (await program.host.ask('storyboard.get', { projectId: only(projects).id })).shots[0];
  await expect.poll(firstShot).toMatchObject({ source: 'first', image: { assetId: expect.any(String) } });
  await page.getByRole('button', { name: /^First frame: An old bicycle/ }).waitFor();
});

test('a picture from this computer cannot be edited, and the reason is shown', async () => {
  const { page } = program;
  await program.goTo(labels.images);
  const file = { name: 'ferry.png', mimeType: 'image/png', buffer: testPng(640, 360) };
  await page.getByLabel(labels.pictureToOpen).setInputFiles(file);
  await page.getByRole('option', { name: labels.pictureOf2('ferry') }).waitFor();
  await page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
  const why = page.locator('.why', { hasText: /gateway|service/ });
  await why.first().waitFor();
  expect(await page.getByRole('button', { name: labels.sendEdit }).getAttribute('aria-disabled')).toBe('true');
});

test('the page reported no errors', () => {
  expect(program.complaints).toEqual([]);
});
