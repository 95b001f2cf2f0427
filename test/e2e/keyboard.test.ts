import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { EditRequest } from '../../src/shared/kinds/edit.ts';
import { arrived } from '../helpers/browser.ts';
import { fillStudio } from './filledStudio.ts';
import { Keyboard } from './keyboard.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/** Each page but the board by keyboard alone: nothing here clicks, and no script triggers a control. */

const HOUR = 3_600_000;

let program: Program;
let odd: OddGateway;
let keys: Keyboard;
beforeAll(async () => {
  [program, odd] = await Promise.all([Program.start(), OddGateway.start()]);
  keys = new Keyboard(program);
});
afterAll(async () => {
  await program?.stop();
  await odd?.stop();
});

const region = (name: string) => program.page.getByRole('region', { name });
/** A toast is a dialog too, and none of these. */
const dialog = (name?: string) =>
  program.page.locator('.dlg').and(program.page.getByRole('dialog', name ? { name } : {}));
const gone = () => dialog().waitFor({ state: 'detached' });
const repeat = (count: number, key: string): string[] => Array.from({ length: count }, () => key);

test('the first screen: a gateway is entered, tested and used', async () => {
  const { profiles } = await program.host.ask('profiles.list');
  await program.page.getByRole('button', { name: 'Start in the sandbox' }).waitFor();
  await keys.check('the first screen');
  await keys.tabTo(/^Base URL/);
  await keys.type(profiles.find(({ builtin }) => builtin)?.baseUrl ?? '');
  await keys.tabTo(/^API key/);
  await keys.type('sk-0123456789abcdef');
  await keys.open(/^Test$/);
  await keys.see('Test again');
  await keys.check('after the test');
  await keys.open(/^Use this gateway/);
  await program.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await keys.check('in the studio');
});

describe('in a studio that is in use', () => {
  beforeAll(async () => {
    await program.host.ask('profiles.activate', { id: 'sandbox' });
    await fillStudio(program.host, odd);
  });

  test('Queue: a doubt is settled, a night armed, an order from outside approved; jobs are moved, edited and canceled', async () => {
    const { host, page } = program;
    await host.ask('profiles.activate', { id: 'odd' });
    await keys.press('Alt+4');
    const doubt = page.getByRole('article', { name: /^In doubt/ });
    await doubt.waitFor();
    await keys.check('on the queue');
    await keys.open(/^Count it as lost/);
    await doubt.waitFor({ state: 'detached' });
    await keys.check('after the doubt was settled');
    await host.ask('profiles.activate', { id: 'sandbox' });

    await keys.open(/^Plan a night/);
    await page.getByRole('complementary', { name: 'Plan', exact: true }).waitFor();
    await keys.check('in the plan');
    // Of a night that begins at once, another sentence is said.
    await keys.write(/^From/, hourOf(Date.now() + 2 * HOUR));
    await keys.write(/^To/, hourOf(Date.now() + 9 * HOUR));
    await keys.write(/^Hard cap/, '5');
    await keys.press('Enter');
    await page.getByRole('button', { name: /^Arm night/, disabled: false }).waitFor();
    await keys.press('Control+Enter');
    await keys.see('Armed. Close the window, not the machine.');
    await keys.check('after the night was armed');
    await keys.press('Escape');
    await page.getByRole('link', { name: 'Whole night' }).waitFor();
    await keys.check('on the queue again');

    const { id } = await host.ask('quotes.create', {
      request: { kind: 'imagine', prompt: 'A quay from a script' },
      client: 'A script',
    });
    await keys.open(/^Approve/);
    await dialog().getByRole('textbox', { name: 'What would be sent' }).waitFor();
    await program.canSend(/^Approve.*Ctrl/);
    await keys.press('Control+Enter');
    await gone();
    expect(await host.ask('quotes.get', { id })).toMatchObject({ state: 'approved' });
    await keys.check('after the approval');

    const buoys = ['buoy one', 'buoy two', 'buoy three'];
    await host.ask('jobs.enqueue', { requests: buoys.map((prompt) => ({ kind: 'imagine', prompt })) });
    const waiting = async () => {
      const { jobs } = await host.ask('jobs.list', { order: 'queue', states: ['queued', 'blocked'], limit: 500 });
      const prompts = jobs.map(({ request }) => ('prompt' in request ? (request.prompt ?? '') : ''));
      return prompts.filter((prompt) => prompt.includes('buoy'));
    };
    await keys.press('/');
    await keys.type('buoy');
    await page.locator('.qrow').nth(3).waitFor({ state: 'detached' });
    await keys.tabTo(/^Jobs$/);
    await keys.press('Home', 'Shift+ArrowDown');
    await region('Chosen jobs').getByText('2 jobs chosen, 2 wait').waitFor();
    await keys.press('Alt+End');
    await expect.poll(waiting).toEqual(['buoy three', 'buoy one', 'buoy two']);
    await page.locator('.qrow').first().getByText('buoy three').waitFor();
    await keys.press('Home', 'e');
    await dialog().getByRole('textbox', { name: 'Words' }).waitFor();
    await keys.write(/^Words/, 'another buoy');
    await program.canSend(/^Save the change/);
    await keys.press('Control+Enter');
    await expect.poll(waiting).toEqual(['another buoy', 'buoy one', 'buoy two']);
    await gone();
    await keys.check('after the change');
    await keys.tabTo(/^Jobs$/);
    await keys.press('Control+a');
    await region('Chosen jobs')
      .getByRole('button', { name: /^Cancel 3/ })
      .waitFor();
    await keys.press('Delete');
    await dialog().waitFor();
    await keys.open(/^Cancel 3 jobs$/);
    await expect.poll(waiting).toEqual([]);
    await keys.check('after they were canceled');

    // What waits on is not what this is about.
    const { jobs } = await host.ask('jobs.list', { states: ['queued', 'blocked'], kinds: ['video'], limit: 500 });
    for (const job of jobs) await host.rpc('jobs.cancel', { id: job.id });
    await keys.press('p');
    const isRunning = async () => !(await host.ask('queue.status')).paused;
    if (!(await isRunning())) await program.press(/^Resume/, isRunning);
    await keys.check('after the queue was resumed');
  });

  test('Chat: drafts are answered one by one, a question is asked in other words, and a shot is named by @', async () => {
    const { host, page } = program;
    await keys.press('Alt+1');
    await arrived(page, 'chat');
    await keys.check('on the chat');
    await keys.press('Control+Shift+O');
    await keys.tabTo(/^Message/);
    await keys.type('Five shots of a lamp on a quay, the third 5 s, and two posters.');
    await program.canSend(/^Send/);
    await program.made('chat', () => keys.press('Control+Enter'));
    await keys.see('6 drafts for Harbour');
    await keys.check('after the answer');
    await keys.tabTo(/^Poster 1/);
    await program.canSend(/^Approve one/);
    await program.made('imagine', async () => {
      await keys.press('y');
      await keys.press('Control+Enter');
      await keys.press('Control+Enter');
    });
    await page.getByText('approved', { exact: true }).waitFor();
    await keys.check('after the approval of a draft');
    await keys.open(/^Decline Poster 2/);
    await page.getByText('declined', { exact: true }).waitFor();
    await keys.check('after a draft was declined');

    await keys.tabTo(/^Search chats$/);
    await keys.open(/^Edit$/);
    await page.getByRole('textbox', { name: 'Edit the message' }).waitFor();
    await keys.press('Control+a');
    await keys.type('A lamp on a ship');
    await program.canSend(/^Send as a new branch/);
    await program.made('chat', () => keys.press('Control+Enter'));
    await page.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
    await keys.check('after the new branch');
    await keys.press('Alt+ArrowLeft');
    await page.getByRole('group', { name: 'Version 1 of 2' }).waitFor();

    await keys.tabTo(/^Message$/);
    await keys.type('Make @');
    const offered = page.getByRole('listbox', { name: 'Shots of the board' });
    await offered.getByRole('option').nth(3).waitFor();
    await keys.press('ArrowDown', 'ArrowDown', 'Enter');
    await offered.waitFor({ state: 'detached' });
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    expect(await box.inputValue()).toMatch(/^Make shot 3 “On the pier” /);
    expect((await host.ask('jobs.list', { kinds: ['imagine'], limit: 500 })).jobs.length).toBeGreaterThan(0);
  });

  test('Images: a picture is imagined, its mask painted in every way of the keys, the edit sent and compared', async () => {
    const { page } = program;
    await keys.press('Alt+3');
    await arrived(page, 'images');
    await keys.check('on Images');
    await keys.write(/^Prompt$/, 'A ferry quay at night, rain --ar 16:9');
    await program.canSend(/^Imagine/);
    await program.made('imagine', () => keys.press('Control+Enter'));
    await page.getByRole('button', { name: 'Paint a mask and edit' }).waitFor();
    await keys.check('after the picture');
    await keys.open(/^Paint a mask and edit/);
    await page.getByRole('application', { name: /^Mask over the picture/ }).waitFor();
    await keys.see('Arrows move, Enter paints and lifts, Esc drops');
    await keys.check('in the painter');
    await keys.press('Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter');
    await keys.see('Stroke 1 of 1');
    await keys.press('ArrowLeft', 'Enter', 'ArrowUp', 'Escape');
    await keys.see('Stroke 1 of 1');

    // A polygon of three corners: the fourth is taken back, and it is closed at the one before.
    const right = repeat(8, 'ArrowRight');
    await keys.press('u', 'u', 'u');
    await page.getByRole('button', { name: /^Polygon/, pressed: true }).waitFor();
    await keys.press('Enter', ...right, 'Enter', ...repeat(8, 'ArrowDown'), 'Enter', ...right, 'Enter', 'Backspace');
    await keys.press(...repeat(8, 'ArrowLeft'), 'Enter');
    await keys.see('Stroke 2 of 2');

    await keys.press('g');
    const grow = page.getByRole('dialog', { name: 'Grow and shrink' });
    await grow.waitFor();
    await grow
      .getByRole('textbox', { name: /^Pixels/ })
      .and(page.locator(':focus'))
      .waitFor();
    await keys.press('Control+a');
    await keys.type('4');
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Grow by 4 px whole mask' }).waitFor();
    await grow.waitFor({ state: 'detached' });
    await keys.check('after the mask was grown');
    await keys.press('Control+z');
    await keys.see('Stroke 2 of 3');

    await keys.press('v');
    await page.getByRole('button', { name: /^Select and move/, pressed: true }).waitFor();
    await keys.press('Tab', 'Tab');
    const x = page.getByRole('textbox', { name: 'x', exact: true });
    await page.getByText('2 of 2', { exact: true }).first().waitFor();
    const place = async () => Number(await x.inputValue());
    const before = await place();
    await keys.press('ArrowRight', 'ArrowRight', 'Shift+ArrowRight');
    await expect.poll(place).toBe(before + 12);
    await keys.press('Delete');
    await page.getByRole('button', { name: /^Remove shape/ }).waitFor();
    await keys.press('Control+z', 'Control+z');
    await keys.see('Stroke 2 of 4');
    await expect.poll(place).toBe(before);
    await keys.press('Tab');
    expect(await page.evaluate('document.activeElement?.getAttribute("role")')).not.toBe('application');

    await keys.tabTo(/^Prompt of the edit/);
    await keys.type('An old bicycle');
    await program.canSend(/^Send edit/);
    const job = await program.made('edit', () => keys.press('Control+Enter'));
    expect(job.request as EditRequest).toMatchObject({ prompt: 'An old bicycle' });
    await keys.see('The edit is made');
    await keys.check('after the edit');
    await keys.open(/^See it/);
    await keys.tabTo(/^Before and after/);
    await keys.press('End');
    expect(await page.getByRole('slider', { name: 'Before and after' }).getAttribute('aria-valuenow')).toBe('100');
  });

  test('F6 goes round every panel of a page, and back to where it began', async () => {
    const names: string[] = [];
    for (let step = 0; step < 12; step++) {
      await keys.press('F6');
      names.push(await program.page.evaluate(panelOfFocus));
    }
    const round = names.slice(0, names.indexOf(names[0] ?? '', 1));
    expect(round).toEqual(expect.arrayContaining(['top', 'Pages', 'Prompt', 'Viewer', 'Picture', 'status']));
    expect(new Set(round).size).toBe(round.length);
  });

  test('Images: cells of a matrix are left out by arrows and Space', async () => {
    await keys.write(/^Prompt$/, 'A {red|green} door, {open|shut}');
    await program.canSend(/^Imagine 4/);
    await keys.tabTo(/^A red door, open/);
    await keys.press('ArrowRight', 'Space');
    await program.canSend(/^Imagine 3/);
  });

  test('Library: what was made is found, ordered, chosen, rated, tagged, binned, taken back and exported', async () => {
    const { host, page } = program;
    const prompts = ['beacon two', 'harbour', 'beacon one'];
    await host.ask('jobs.enqueue', { requests: prompts.map((prompt) => ({ kind: 'imagine', prompt })) });
    const found = async (more: object) => (await host.ask('library.list', { text: 'beacon', ...more })).total;
    await expect.poll(() => found({ roles: ['output'], states: ['local'] })).toBe(2);
    await keys.press('Alt+5');
    await page.getByRole('option').nth(2).waitFor();
    await keys.check('on the library');
    await keys.press('/');
    await keys.type('beacon');
    await keys.see('2 found');
    await keys.tabTo(/^Grid$/);
    await keys.press('ArrowRight');
    await page.getByRole('grid', { name: 'Pictures and clips' }).waitFor();
    await keys.open(/^Name$/);
    const names = () => page.locator('.lib-table tbody tr td:nth-child(3)').allTextContents();
    await expect.poll(names).toEqual(['beacon one', 'beacon two']);
    await keys.press('Shift+Tab', 'Shift+Tab', 'Home', 'Shift+ArrowDown');
    await region('Chosen').getByText('2 chosen').waitFor();
    await keys.check('in the table');
    await keys.press('y');
    await expect.poll(() => found({ verdict: 'keep' })).toBe(2);
    await keys.press('t');
    await dialog().getByRole('textbox', { name: 'Add a tag' }).waitFor();
    await keys.type('plate');
    await keys.press('Enter');
    await expect.poll(() => found({ tags: ['plate'] })).toBe(2);
    await keys.press('Escape');
    await gone();
    await keys.check('after the tags');
    await keys.press('Delete');
    await expect.poll(() => found({ binned: true })).toBe(2);
    await keys.press('Control+z');
    await expect.poll(names).toEqual(['beacon one', 'beacon two']);
    await keys.tabTo(/^Pictures and clips$/);
    await keys.press('Home', 'Shift+ArrowDown', 'e');
    await keys.see('4 files exported');
    await keys.press('Escape');
    await region('Chosen').waitFor({ state: 'detached' });
    await keys.check('after the export');
  });

  test('Spend: the evidence of a picture is saved and verified, and a bill is settled line by line', async () => {
    const { page } = program;
    await keys.press('Home');
    await keys.open(/^Evidence$/);
    await keys.see(/^whole, checked/);
    await keys.check('on the evidence');
    await keys.press('2');
    await keys.see('evidence.json, as it is saved');
    await keys.press('Control+Enter');
    await keys.see('The evidence is saved');
    await keys.press('v');
    await dialog('Verify').waitFor();
    await keys.open(/^The journal of this machine$/);
    await keys.see(/^Whole: \d+ records of \d+ jobs?/);
    await keys.press('Escape');
    await gone();
    await keys.press('Escape');
    await page.getByRole('heading', { name: 'Spend', level: 1 }).waitFor({ state: 'attached' });
    await keys.check('on Spend');

    const { entries } = await program.bill();
    const at = entries.findIndex(({ model }) => model.startsWith('image'));
    const changed = entries.map((entry, index) => (index === at ? { ...entry, nano: entry.nano + 1 } : entry));
    const lines = [...changed, { at: entries[at]?.at ?? '', id: 'elsewhere', model: 'other', nano: 123_456_789 }];
    const rows = lines.map(({ at: time, id, model, nano }) => [time, id, model, (nano / 1e9).toFixed(9)].join(','));
    await keys.open(/^Statement$/);
    await keys.write(/^The bill$/, ['started_at,operation,model,amount_usd', ...rows].join('\n'));
    await keys.open(/^Read the bill$/);
    const side = page.getByRole('complementary', { name: 'How it was read' });
    await side.getByText('of 2 open').waitFor();
    await keys.press('Control+Enter');
    await side.getByText('of 1 open').waitFor();
    await keys.check('after a line was settled');
    await keys.choose(/^Other ways for other, line/, /^Enter \$0\.12/);
    await keys.see('The bill and the ledger agree in every line.');
    await keys.press('Escape');
    await page.getByRole('heading', { name: 'Price of what you kept' }).waitFor();
    await keys.check('on Spend again');
  });

  test('Settings: the key recorder is left by Esc and by Tab', async () => {
    const { page } = program;
    await keys.press('Alt+7');
    await arrived(page, 'settings');
    await keys.check('on Settings');
    await keys.open(/^Shortcuts/);
    await page.getByRole('heading', { name: 'Shortcuts' }).waitFor();
    await keys.check('on the shortcuts');
    await keys.open(/^Find or run anything: /);
    const recording = page.getByText('press keys');
    await recording.waitFor();
    await keys.check('in the recorder');
    await keys.press('Escape');
    await recording.waitFor({ state: 'detached' });
    expect(await keys.focused()).toMatch(/^Find or run anything: /);
    await keys.press('Enter', 'Tab');
    await recording.waitFor({ state: 'detached' });
    await keys.check('behind the recorder');
    expect(await keys.focused()).toMatch(/^Chat: /);
  });
});

/** Runs in the page: the panel that has the focus. */
function panelOfFocus(): string {
  const { document } = globalThis as unknown as {
    document: {
      activeElement: {
        closest(selector: string): { getAttribute(name: string): string | null; className: string } | null;
      };
    };
  };
  const panel = document.activeElement.closest('[data-panel]');
  return panel?.getAttribute('aria-label') ?? panel?.className ?? 'nowhere';
}

test('the focus was seen wherever it was, and the page had nothing to complain about', () => {
  expect([...keys.unseen]).toEqual([]);
  expect(program.complaints).toEqual([]);
});
