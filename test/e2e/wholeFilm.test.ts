import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPng } from '../helpers/png.ts';
import { labels, starting } from '../labels.ts';
import { expectExported } from './exportedFilm.ts';
import { countMouse, giveFile, type Hands, keys, mouseEvents } from './hands.ts';
import { toneTrack } from './parts/tones.ts';
import { Program } from './program.ts';
import { Spending } from './spending.ts';

/** A film from its shot list to the files on disk, in the sandbox, by keyboard alone. */

const LIST = `title,prompt,source,seconds,resolution,aspect,audio
Quay,A quay at night,text,4,720p,16:9,yes
Ferry,"The ferry leaves, slowly",first,4,720p,16:9,yes
Deck,The car deck,firstLast,4,720p,16:9,yes
Pier,@Ines on the pier,references,5,720p,16:9,yes
Sea,The open sea,extend,7,720p,16:9,yes
`;
const WORDS = 'The last ferry leaves at nine.';
const picture = (name: string, seed: number) => ({ name, mimeType: 'image/png', buffer: testPng(320, 180, seed) });

let program: Program;
let hands: Hands;
let spending: Spending;
beforeAll(async () => {
  program = await Program.start();
  hands = keys(program.page);
  spending = new Spending(program, hands);
  await countMouse(program.page);
});
afterAll(() => program?.stop());

const button = (name: RegExp) => program.page.getByRole('button', { name });
const heading = (name: string | RegExp) => program.page.getByRole('heading', { name, exact: true }).waitFor();
const board = async () => {
  const { projects } = await program.host.ask('projects.list');
  return program.host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' });
};
const shots = async () => (await board()).shots;
const goTo = (page: string) => {
  const link = program.page.getByRole('link', { name: new RegExp(`^${page}(,|$)`) });
  return hands.press(link, page === labels.board ? 'Alt+1' : 'Alt+4');
};
const toBoard = () => hands.press(program.page.getByRole('tab', { name: labels.board, exact: true }));
async function pickShot(number: number): Promise<void> {
  await hands.press(program.page.getByRole('option', { name: new RegExp(`^Shot ${number}, `) }));
  await heading(`Shot ${number}`);
}
/** Makes the next take of the selected shot at the button's price. */
async function makeTake(number: number): Promise<void> {
  const side = program.page.getByRole('complementary', { name: labels.shotSettings });
  const make = side.getByRole('button', { name: starting(labels.makeTake(number)) });
  await spending.press(make, side.locator('.sendbar .price'), 1);
  await spending.made();
}
async function useTake(shot: number, take: number): Promise<void> {
  await hands.press(program.page.getByRole('option', { name: new RegExp(`^Take ${take} of shot ${shot}, `) }));
}
/** Sets the link from the selected shot to the next. */
async function join(from: number, joint: RegExp): Promise<void> {
  await hands.press(button(new RegExp(`^Link to shot ${from + 1}: `)), 'Alt+j');
  const menu = program.page.getByRole('menu', { name: `Link shot ${from} to shot ${from + 1}` });
  await hands.press(menu.getByRole('menuitemradio', { name: joint }));
  await menu.waitFor({ state: 'detached' });
}

test('a shot list with a wrong cell is imported, fixed and added', async () => {
  const { id: projectId } = await program.host.ask('projects.create', { name: 'Last Ferry' });
  await program.host.ask('settings.set', { welcomed: true, projectId });
  await program.page.getByRole('navigation', { name: labels.pages }).waitFor();
  await goTo(labels.board);
  await hands.press(button(starting(labels.importShots)).first());
  await giveFile(hands, button(starting(labels.chooseAFile)), {
    name: 'shots.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(LIST),
  });
  await program.page.getByText(labels.fixOrSkip(1)).waitFor();
  const fix = button(/^4, seconds/);
  await hands.press(fix, 'F8');
  await fix.and(program.page.locator(':focus')).waitFor();
  await program.page.keyboard.press('Enter');
  await hands.press(program.page.getByRole('button', { name: labels.addShots(5), disabled: false }));
  await heading(labels.shotN(1));
  expect((await shots()).map(({ source, config }) => [source, config.durationSeconds])).toEqual([
    ['text', 4],
    ['first', 4],
    ['firstLast', 4],
    ['references', 4],
    // An extension has its own length.
    ['extend', undefined],
  ]);
});

test('links, a last frame and the cast are chosen, and nothing is spent', async () => {
  const { page } = program;
  for (const [from, joint] of [
    [1, /^Continue/],
    [2, /^Transition/],
    [4, /^Extend/],
  ] as const) {
    await pickShot(from);
    await join(from, joint);
  }
  await pickShot(3);
  await hands.press(button(/^Last frame: /));
  await giveFile(hands, button(starting(labels.fromThisComputer)), picture('deck.png', 3));
  await button(/^Last frame: deck\.png/).waitFor();

  await hands.press(page.getByRole('tab', { name: starting(labels.cast) }), 'c');
  await hands.press(button(starting(labels.addToTheCast)));
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Ines');
  await page.keyboard.press('Enter');
  await heading('Ines');
  await hands.press(button(/^Reference 1: /));
  await giveFile(hands, button(starting(labels.fromThisComputer)), picture('ines.png', 1));
  await button(/^Reference 1: ines\.png/).waitFor();
  await button(/^Ines in shot 4: Reference 1, Next take/).waitFor();
  await expect.poll(async () => (await board()).cast?.[0]?.sheets.length).toBe(1);
  expect((await shots()).map(({ joint }) => joint)).toEqual([undefined, 'continue', 'transition', undefined, 'extend']);
  expect((await program.bill()).totalNano).toBe(0);
});

test('shots of all five sources are enqueued as chains at the shown price, before any is made', async () => {
  const { page } = program;
  await goTo(labels.queue);
  await hands.press(button(starting(labels.pauseAll)), 'p');
  await button(starting(labels.resumeAll)).waitFor();
  await goTo(labels.board);
  await toBoard();
  for (const [number, chain, count] of [
    [1, /^Make shots 1–3 in order/, 3],
    [4, /^Make shots 4 and 5 in order/, 2],
  ] as const) {
    await pickShot(number);
    await hands.press(page.getByRole('button', { name: labels.shotMenu }));
    await hands.press(page.getByRole('menuitem', { name: chain }));
    const dialog = page.getByRole('dialog', { name: /^Make shots/ });
    await spending.press(
      dialog.getByRole('button', { name: new RegExp(`^Make ${count} takes`) }),
      dialog.locator('.price'),
      count,
    );
    await dialog.waitFor({ state: 'detached' });
  }
  const jobs = await spending.all();
  expect(jobs.map(({ state }) => state)).not.toContain('running');
  const byShot = (await shots()).map(({ activeTake }) => jobs.find(({ id }) => id === activeTake));
  expect(byShot.map((job) => job?.dependsOn)).toEqual([[], [byShot[0]?.id], [byShot[1]?.id], [], [byShot[3]?.id]]);
  expect((await program.bill()).totalNano).toBe(0);

  await goTo(labels.queue);
  await program.canSend(starting(labels.resumeAll));
  await hands.press(button(starting(labels.resumeAll)));
  await spending.made();
  await goTo(labels.board);
  await spending.expectBill();
});

test('takes are reviewed and one is kept; takes that this outdates are made again at the shown price', async () => {
  const { page } = program;
  await pickShot(1);
  await makeTake(2);
  await hands.press(button(/^Review/), 'a');
  await page.getByText(/LUFS/).first().waitFor();
  await button(starting(labels.keepN('take'))).waitFor();
  await page.getByRole('navigation', { name: labels.takes, exact: true }).getByRole('button').nth(1).waitFor();
  await page.keyboard.press('2');
  await hands.press(button(/^Keep take 2/), 'y');
  await expect.poll(async () => (await shots())[0]?.activeTake).toBe((await shots())[0]?.takes[1]);
  await page.keyboard.press('Escape');
  await toBoard();
  const line = page.getByText('Shots 2 and 3 continue from an old take of shot 1.');
  await line.waitFor();
  const redo = button(/^Make all 2 again/);
  await spending.press(redo, redo.locator('.price'), 2);
  await spending.made();
  await line.waitFor({ state: 'detached' });
  const [one, two, three] = await shots();
  expect([one, two, three].map((shot) => shot?.takes.indexOf(shot.activeTake ?? ''))).toEqual([1, 1, 1]);
  await spending.expectBill();
});

test('a link that another take has broken is fixed at the shown price', async () => {
  const { page } = program;
  await pickShot(4);
  await makeTake(2);
  await useTake(4, 2);
  await page.getByText('Shot 5 continues from an old take of shot 4.').waitFor();

  await hands.press(page.getByRole('tab', { name: starting(labels.continuity) }), 's');
  await hands.press(button(/^4 to 5/));
  await heading(labels.jointTo(4, 5));
  const joint = page.getByRole('complementary', { name: labels.joint });
  await joint.getByText('Outdated', { exact: true }).waitFor();
  await hands.press(joint.getByRole('button', { name: /^Extend again.*\$/ }), '1');
  const bar = joint.locator('.sendbar');
  const [job] = await spending.press(
    bar.getByRole('button', { name: starting(labels.extendAgain) }),
    bar.locator('.price'),
    1,
  );
  await spending.made();
  await toBoard();
  await pickShot(5);
  await useTake(5, 2);
  await expect.poll(async () => (await shots())[4]?.activeTake).toBe(job?.id);
  expect(job?.request).toMatchObject({ video: { jobId: (await shots())[3]?.activeTake } });
  await page.getByText('continues from an old take').waitFor({ state: 'detached' });
  await spending.expectBill();
});

test('music and subtitles are added', async () => {
  const { page } = program;
  await hands.press(page.getByRole('tab', { name: starting(labels.sound) }), 't');
  const track = { name: 'harbour.wav', mimeType: 'audio/wav', buffer: toneTrack({ seconds: 24, db: -20 }) };
  await giveFile(hands, button(starting(labels.chooseAFile)), track);
  await page.getByRole('slider', { name: labels.inPointOfTheTrack }).waitFor();
  await hands.press(page.getByRole('radio', { name: 'Subtitles', exact: true }), 'w');
  await hands.press(button(starting(labels.addASubtitle)), 'Shift+T');
  // A new line has the focus, so letters are text here, not shortcuts.
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type(WORDS);
  await expect
    .poll(async () => (await shots()).flatMap(({ subtitles = [] }) => subtitles.map(({ text }) => text)))
    .toEqual([WORDS]);
  expect((await board()).sound?.track).toMatchObject({ in: 0, level: -6 });
  expect((await shots()).some(({ skipped }) => skipped)).toBe(false);
});

test('the film passes its preflight, and is exported as MP4 with timelines, shot list and subtitles', async () => {
  const { page } = program;
  await hands.press(button(starting(labels.export)), 'Control+e');
  await page.getByRole('heading', { name: labels.preflight }).waitFor();
  await page.getByRole('table', { name: labels.formats }).waitFor();
  expect(await page.getByText(/^Shot \d is outdated/).count()).toBe(0);
  const panel = page.getByRole('complementary', { name: labels.export });
  for (const name of [/OTIO/, /EDL/]) await hands.press(panel.getByRole('checkbox', { name }));
  const go = panel.getByRole('button', { name: starting(labels.export), disabled: false });
  await panel.locator('.sendbar').getByText('Free', { exact: true }).waitFor();
  await hands.press(go, 'Control+Enter');
  await button(starting(labels.showInFolder)).waitFor();
  const { exports } = await program.host.ask('exports.list');
  expect(exports).toMatchObject([{ kind: 'mp4', state: 'done' }]);
  await expectExported(exports[0], WORDS);
});

test('nothing else was spent, and the page reported no errors', async () => {
  await spending.expectBill();
  expect(program.complaints).toEqual([]);
  expect(await mouseEvents(program.page)).toBe(0);
});
