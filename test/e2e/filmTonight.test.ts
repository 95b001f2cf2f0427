import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import { lumaOf, probeFilm } from '../helpers/ffprobe.ts';
import { labels, starting } from '../labels.ts';
import { FilmSteps } from './filmSteps.ts';
import { type Hands, mouse } from './hands.ts';
import { Program } from './program.ts';
import { Spending } from './spending.ts';

/** From the sample film: a take for tonight, a seam that is mended for nothing, and a film with its words burnt in. */

const HOUR = 3_600_000;
const WORDS = 'The last ferry leaves at nine.';

describe('a film and its night, with the mouse', () => {
  let program: Program;
  let hands: Hands;
  let spending: Spending;
  let film: FilmSteps;
  beforeAll(async () => {
    program = await Program.start();
    hands = mouse(program.page);
    spending = new Spending(program, hands);
    film = new FilmSteps(program, hands);
    await hands.press(film.button(starting(labels.openASampleFilm)));
    await program.page.getByRole('option', { name: /^Shot 5, / }).waitFor();
    await spending.begin();
  });
  afterAll(async () => {
    await program?.stop();
  });

  const plan = () => program.page.getByRole('complementary', { name: labels.plan, exact: true });

  /** On the page of the plan. */
  async function writeHours(startsAt: number): Promise<void> {
    await hands.write(plan().getByRole('textbox', { name: labels.from }), hourOf(startsAt));
    await hands.write(plan().getByRole('textbox', { name: labels.to }), hourOf(startsAt + 12 * HOUR));
  }

  test('a take is ordered for tonight before a night is planned: the plan comes first, and the order with it, in play money', async () => {
    const { page, host } = program;
    await film.pickShot(5);
    await film.send.getByText(labels.playMoneyNobodyIsBilled).waitFor();
    await hands.press(film.send.getByRole('button', { name: labels.tonight, disabled: false }));
    await writeHours(Date.now() + HOUR);
    const arm = plan().getByRole('button', { name: /^Arm night 1 and order/ });
    const [job] = await spending.press(arm, plan().locator('.sendbar .price'), 1);
    await film.send.waitFor();
    expect(await page.evaluate('location.hash')).toMatch(/^#\/storyboard/);
    expect([job?.state, job?.reason, job?.sentAt]).toEqual(['blocked', 'window', undefined]);
    expect((await program.bill()).totalNano).toBe(0);
    expect((await film.shots())[4]?.takes.at(-1)).toBe(job?.id);

    await film.goTo(labels.queue);
    await hands.press(page.getByRole('button', { name: labels.change, exact: true }));
    await writeHours(Date.now() - HOUR);
    await hands.press(plan().getByRole('button', { name: /^Change night 1/, disabled: false }), 'Control+Enter');
    await spending.made();
    const { current } = await host.ask('night.get');
    expect(current?.jobs).toEqual({ waiting: 0, underWay: 0, ended: 1 });
    await spending.expectBill();
  });

  test('a seam that jumps is mended by a way that is free, and nothing is ordered', async () => {
    const { page } = program;
    await film.goTo(labels.board);
    await hands.press(page.getByRole('tab', { name: starting(labels.seams) }), 's');
    await hands.press(film.button(/^3 to 4/));
    await film.heading(labels.jointTo(3, 4));
    const joint = page.getByRole('complementary', { name: labels.joint });
    await joint.getByText('continue, stale').waitFor();
    const [first] = (await film.shots())[2]?.takes ?? [];
    await hands.press(joint.getByRole('button', { name: /^Use take 1 of shot 3 free/, disabled: false }));
    await joint.getByText(labels.takePlaysForShotNow(1, 3)).waitFor();
    await joint.getByText('continue, stale').waitFor({ state: 'detached' });
    await expect.poll(async () => (await film.shots())[2]?.activeTake).toBe(first);
    await spending.expectBill();
  });

  test('the words of a shot are burnt into its film, where and while they are said', async () => {
    const { page, host } = program;
    // One shot of five is encoded, which takes a fifth of the time.
    const board = await film.board();
    const shots = board.shots.map((shot, at) => (at === 0 ? shot : { ...shot, skipped: true }));
    await host.ask('storyboard.save', { ...board, shots });
    await film.toBoardTab();
    await film.pickShot(1);
    await hands.press(page.getByRole('tab', { name: starting(labels.sound) }), 't');
    await hands.press(page.getByRole('radio', { name: 'Words', exact: true }), 'w');
    await hands.press(film.button(starting(labels.addASubtitle)), 'Shift+T');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type(WORDS);
    await hands.press(page.getByRole('checkbox', { name: labels.burntIntoThePicture }));
    await expect.poll(async () => (await film.board()).words?.isBurntIn).toBe(true);
    await expect.poll(async () => (await film.shots())[0]?.subtitles?.map(({ text }) => text)).toEqual([WORDS]);
    const [subtitle] = (await film.shots())[0]?.subtitles ?? [];

    await hands.press(film.button(starting(labels.export)), 'Control+e');
    await film.heading(labels.preflight);
    const panel = page.getByRole('complementary', { name: labels.export });
    const go = panel.getByRole('button', { name: starting(labels.export), disabled: false });
    await panel.locator('.sendbar').getByText('free', { exact: true }).waitFor();
    await go.waitFor();
    await hands.press(go, 'Control+Enter');
    await film.button(starting(labels.showInFolder)).waitFor();
    const { exports } = await host.ask('exports.list');
    expect(exports).toMatchObject([{ kind: 'mp4', state: 'done', mode: 'encode' }]);
    const name = exports[0]?.files.find(({ name: file }) => /^[^/]+\.mp4$/.test(file))?.name ?? '';
    const file = path.join(exports[0]?.folder ?? '', name);
    const { streams, complaints } = await probeFilm(file);
    expect(complaints).toBe('');
    const { width = 0, height = 0 } = streams.find(({ codec_type }) => codec_type === 'video') ?? {};
    // Where a line of words stands, at the bottom in the middle: its letters are whiter and its plate is darker than the picture. A tenth of
    // the pixels is 187 or more lighter than another tenth, without words at most 115, whichever browser has encoded it.
    const place = [width / 2 - width / 8, Math.round(height * 0.84), width / 4, Math.round(height * 0.08)] as const;
    const frames = await lumaOf(file, place);
    const isSaid = (at: number) => at >= (subtitle?.startMs ?? 0) / 1_000 && at < (subtitle?.endMs ?? 0) / 1_000;
    const shown = frames.map(({ dark, bright }) => bright - dark > 150);
    expect(shown).toEqual(frames.map((__, frame) => isSaid((frame + 0.5) / 24)));
  });

  test('nothing was spent but what is told here, and the page had nothing to complain about', async () => {
    await spending.expectBill();
    expect(program.complaints).toEqual([]);
  });
});
