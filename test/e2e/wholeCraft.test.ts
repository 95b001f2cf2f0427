import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { EditRequest } from '../../src/shared/kinds/edit.ts';
import { probeFilm } from '../helpers/ffprobe.ts';
import { labels, starting } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { FilmSteps } from './filmSteps.ts';
import { countMouse, type Hands, keys, mouseEvents } from './hands.ts';
import { Program } from './program.ts';
import { Spending } from './spending.ts';

/** From what a model drafts in a chat over posters and a painted picture to a film on disk, with the keyboard alone. */

const HOUR = 3_600_000;
const POSTERS = 'A ferry poster in {rain|sleet|fog}, {sodium|mercury|no} lamps, {near|far} --ar 16:9 --seed 4';
const FIRST = /^A ferry poster in rain, sodium lamps, near/;

describe('a chat, its drafts, posters and a film, with the keyboard alone', () => {
  let program: Program;
  let hands: Hands;
  let spending: Spending;
  let film: FilmSteps;
  let projectId: string;
  beforeAll(async () => {
    program = await Program.start();
    hands = keys(program.page);
    spending = new Spending(program, hands);
    film = new FilmSteps(program, hands);
    const { host, page } = program;
    ({ id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' }));
    const start = hourOf(Date.now() + HOUR);
    await host.ask('night.plan', { start, end: hourOf(Date.now() + 9 * HOUR), capNano: 100_000_000_000 });
    await host.ask('settings.set', { welcomed: true, projectId });
    await page.reload();
    await page.getByRole('navigation', { name: labels.pages }).waitFor();
    await countMouse(page);
  });
  afterAll(async () => {
    await program?.stop();
  });

  const button = (name: RegExp) => film.button(name);
  const goTo = (page: string, chord: string): Promise<void> =>
    hands.press(program.page.getByRole('navigation', { name: labels.pages }).getByRole('link', { name: page }), chord);
  /** One of a grid, in which arrows go about. */
  const inGrid = async (...steps: string[]): Promise<void> => {
    await program.tabTo(FIRST);
    for (const step of steps) await program.page.keyboard.press(step);
  };
  const frameOf = (name: string) => program.page.getByRole('complementary', { name });

  test('five shots are drafted, one of them malformed and answered; the others are approved, one of them for tonight', async () => {
    const { page, host } = program;
    await goTo(labels.chat, 'Alt+1');
    await hands.write(
      page.getByRole('textbox', { name: labels.message, exact: true }),
      'Five shots of a lamp on a quay, 4 s each, the third 5 s.',
    );
    await program.canSend(starting(labels.send));
    spending.jobs.push(await program.made('chat', () => hands.press(button(starting(labels.send)), 'Control+Enter')));
    await page.getByText('4 drafts for Last Ferry').waitFor();
    await page.getByText('shots.2.config.durationSeconds').waitFor();
    const drafts = page.getByRole('region', { name: labels.drafts });
    const total = drafts.locator('footer .price');
    const choose = (shot: number) =>
      hands.press(drafts.getByRole('checkbox', { name: new RegExp(`^New shot ${shot}`) }));
    for (const shot of [1, 2, 3]) await choose(shot);
    const [tonight] = await spending.press(drafts.getByRole('button', { name: labels.tonight }), total, 1);
    expect([tonight?.state, tonight?.reason]).toEqual(['blocked', 'window']);
    for (const shot of [1, 2, 3]) await choose(shot);
    await spending.press(drafts.getByRole('button', { name: starting(labels.approveN(3)) }), total, 3);
    expect((await film.shots()).map(({ takes }) => takes.length)).toEqual([1, 1, 1, 1]);
    await host.ask('night.plan', {
      start: hourOf(Date.now() - HOUR),
      end: hourOf(Date.now() + 9 * HOUR),
      capNano: 100_000_000_000,
    });
    await spending.made();
    await spending.expectBill();
  });

  test('eighteen posters are cut to twelve, made at their price, and two of them compared', async () => {
    const { page } = program;
    await goTo(labels.images, 'Alt+3');
    await hands.write(page.getByRole('textbox', { name: labels.prompt, exact: true }), POSTERS);
    await page.getByText('18 of 18', { exact: true }).waitFor();
    await inGrid('ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'Enter');
    await page.getByText('12 of 18', { exact: true }).waitFor();
    await spending.press(button(starting(labels.imagineN(12))), page.locator('.sendbar .price'), 12);
    await spending.made();
    const pictures = page.getByRole('grid', { name: labels.picturesOfTheMatrix });
    await expect.poll(() => pictures.locator('img').count()).toBe(12);
    expect(await axeFaults(page)).toEqual([]);
    await inGrid('Space');
    await inGrid('ArrowRight', 'Space');
    await hands.press(page.getByRole('button', { name: /^Compare 2/, disabled: false }), 'c');
    await page
      .getByRole('table', { name: labels.whatDiffers })
      .getByRole('rowheader', { name: labels.prompt })
      .waitFor();
  });

  test('one is recalled, remixed without its seed and made once more', async () => {
    const { page } = program;
    const prompt = page.getByRole('textbox', { name: labels.prompt, exact: true });
    await hands.press(button(starting(labels.recallAll)).first());
    await expect.poll(() => prompt.inputValue()).toContain('--seed 4');
    await hands.press(button(starting(labels.remixAllButTheSeed)).first());
    await expect.poll(() => prompt.inputValue()).not.toContain('--seed');
    await spending.press(button(starting(labels.imagine)), page.locator('.sendbar .price'), 1);
    await spending.made();
    await spending.expectBill();
  });

  test('it is painted with a polygon that is grown, edited, and put back outside with a soft edge', async () => {
    const { page, host } = program;
    await hands.press(button(starting(labels.openThisPicture)));
    await hands.press(button(starting(labels.paintAMaskAndEdit)));
    await page.getByRole('application', { name: /^Mask over the picture/ }).waitFor();
    await polygon();
    await page.getByText(labels.strokeOf(1, 1)).waitFor();
    await hands.press(button(starting(labels.grow)), 'g');
    const grow = page.getByRole('dialog', { name: labels.growAndShrink });
    await hands.write(grow.getByRole('textbox', { name: /^Pixels/ }), '6');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Grow by 6 px whole mask' }).waitFor();
    await hands.write(page.getByRole('textbox', { name: labels.promptOfTheEdit }), 'An old bicycle');
    await page.getByText(labels.readyToSend).waitFor();
    const [ordered] = await spending.press(button(starting(labels.sendEdit)), page.locator('.sendbar .price'), 1);
    await spending.made();
    await hands.press(button(starting(labels.seeIt)));
    await hands.press(page.getByRole('radio', { name: '8', exact: true }));
    await hands.press(button(starting(labels.putTheOriginalBackOutside)));
    const listed = async () => (await host.ask('library.list', { roles: ['source'], limit: 10 })).assets;
    const edit = await host.ask('jobs.get', { id: ordered?.id ?? '' });
    await expect.poll(async () => (await listed()).map(({ parentId }) => parentId)).toEqual([edit.outputs[0]?.id]);
    expect(edit.request as EditRequest).toMatchObject({ prompt: 'An old bicycle' });
    await page.getByRole('button', { name: labels.theEditOriginalPutBack }).waitFor();
    await spending.expectBill();
  });

  /** Three corners, closed. */
  async function polygon(): Promise<void> {
    const { page } = program;
    for (let times = 0; times < 3; times++) await page.keyboard.press('u');
    await page.getByRole('button', { name: starting(labels.polygon), pressed: true }).waitFor();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press('Enter');
      for (let step = 0; step < 8; step++) await page.keyboard.press(key);
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
  }

  test('it becomes the frame that a shot starts from, and the film that comes of it is exported', async () => {
    const { page } = program;
    await hands.press(frameOf(labels.picture).getByRole('button', { name: labels.useAsFrame }));
    await film.pickShot(1);
    await hands.press(page.getByRole('button', { name: labels.firstFrame, exact: true }));
    await page.getByRole('button', { name: /^First frame: / }).waitFor();
    const { send } = film;
    const [take] = await spending.press(
      send.getByRole('button', { name: starting(labels.makeTake(2)) }),
      send.locator('.sendbar .price'),
      1,
    );
    expect(take?.request).toMatchObject({ image: { assetId: expect.any(String) } });
    await spending.made();
    await hands.press(page.getByRole('option', { name: /^Take 2 of shot 1, / }));
    await hands.press(page.getByRole('button', { name: labels.use, exact: true }));
    await expect.poll(async () => (await film.shots())[0]?.activeTake).toBe(take?.id);
    await hands.press(button(starting(labels.export)), 'Control+e');
    const panel = frameOf(labels.export);
    await panel.locator('.sendbar').getByText('free', { exact: true }).waitFor();
    await hands.press(panel.getByRole('button', { name: starting(labels.export), disabled: false }), 'Control+Enter');
    await button(starting(labels.showInFolder)).waitFor();
    const { exports } = await program.host.ask('exports.list');
    expect(exports).toMatchObject([{ kind: 'mp4', state: 'done' }]);
    const [file] = exports[0]?.files.filter(({ name }) => name.endsWith('.mp4')) ?? [];
    const { streams, complaints } = await probeFilm(`${exports[0]?.folder}/${file?.name}`);
    expect(complaints).toBe('');
    expect(streams.find(({ codec_type }) => codec_type === 'video')?.nb_read_frames).toBe(String(4 * 4 * 24));
    await spending.expectBill();
    expect(program.complaints).toEqual([]);
    expect(await mouseEvents(page)).toBe(0);
  });
});
