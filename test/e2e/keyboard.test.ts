import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EditRequest } from '../../src/shared/kinds/edit.ts';
import { arrived } from '../helpers/browser.ts';
import { labels, starting, whole } from '../labels.ts';
import { fillStudio } from './filledStudio.ts';
import { Keyboard } from './keyboard.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/** Each page but the board by keyboard alone: nothing clicks, and no script activates a control. */

/** In the page: the panel with the focus. */
const PANEL = `(({ ariaLabel, className }) => ariaLabel ?? className)(document.activeElement.closest('[data-panel]'))`;

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
/** Excludes toasts, which have the same role. */
const dialog = (name?: string) =>
  program.page.locator('.dlg').and(program.page.getByRole('dialog', name ? { name } : {}));
const gone = () => dialog().waitFor({ state: 'detached' });

describe('in a studio that is in use', () => {
  beforeAll(async () => {
    await program.host.ask('profiles.activate', { id: 'sandbox' });
    await fillStudio(program.host, odd);
  });

  test('Queue: an unconfirmed job is resolved, an approval request approved; jobs are moved, edited and canceled', async () => {
    const { host, page } = program;
    await host.ask('profiles.activate', { id: 'odd' });
    await keys.press('Alt+4');
    const unconfirmed = page.getByRole('article', { name: starting(labels.unconfirmed) });
    await unconfirmed.waitFor();
    await keys.check('on the queue');
    await keys.open(starting(labels.markAsLost));
    await unconfirmed.waitFor({ state: 'detached' });
    await keys.check('after the unconfirmed job was resolved');
    await host.ask('profiles.activate', { id: 'sandbox' });

    const request = { kind: 'imagine' as const, prompt: 'A quay from a script' };
    const { id } = await host.ask('quotes.create', { request, client: 'A script' });
    await keys.open(starting(labels.approve));
    await dialog().getByRole('textbox', { name: labels.requestPreview }).waitFor();
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
    await page.getByRole('listbox', { name: labels.jobs }).getByRole('option').nth(3).waitFor({ state: 'detached' });
    await keys.tabTo(whole(labels.jobs));
    await keys.press('Home', 'Shift+ArrowDown');
    await region(labels.selectedJobs).getByText('2 jobs selected, 2 waiting').waitFor();
    await keys.press('Alt+End');
    await expect.poll(waiting).toEqual(['buoy three', 'buoy one', 'buoy two']);
    await page
      .getByRole('listbox', { name: labels.jobs })
      .getByRole('option')
      .first()
      .getByText('buoy three')
      .waitFor();
    await keys.press('Home', 'e');
    await dialog().getByRole('textbox', { name: 'Prompt' }).waitFor();
    await keys.write(/^Prompt/, 'another buoy');
    await program.canSend(starting(labels.saveTheChange));
    await keys.press('Control+Enter');
    await expect.poll(waiting).toEqual(['another buoy', 'buoy one', 'buoy two']);
    await gone();
    await keys.check('after the change');
    await keys.tabTo(whole(labels.jobs));
    await keys.press('Control+a');
    await region(labels.selectedJobs).getByText(labels.cancelN(3)).waitFor();
    await keys.press('Delete');
    await dialog().waitFor();
    await keys.open(whole(labels.cancelJobs(3)));
    await expect.poll(waiting).toEqual([]);
    await keys.check('after they were canceled');

    // Another test covers queued jobs.
    const { jobs } = await host.ask('jobs.list', { states: ['queued', 'blocked'], kinds: ['video'], limit: 500 });
    for (const job of jobs) await host.rpc('jobs.cancel', { id: job.id });
    await keys.press('p');
    const isRunning = async () => !(await host.ask('queue.status')).paused;
    if (!(await isRunning())) await program.press(starting(labels.resumeAll), isRunning);
    await keys.check('after the queue was resumed');
  });

  test('Chat: drafts are decided one by one, a question is edited, and a shot is mentioned by @', async () => {
    const { page } = program;
    await keys.press('Alt+2');
    await arrived(page, 'chat');
    await keys.check('on the chat');
    await keys.press('Control+Shift+O');
    // The model drafts only if asked to.
    await keys.tabTo(whole(labels.directorCanDraft));
    await keys.press('Space');
    await page.getByRole('switch', { name: labels.directorCanDraft, checked: true }).waitFor();
    await keys.tabTo(starting(labels.message));
    await keys.type('Five shots of a lamp on a quay, the third 5 s, and two posters.');
    await program.canSend(starting(labels.send));
    await program.made('chat', () => keys.press('Control+Enter'));
    await keys.see('6 drafts for Harbour');
    await keys.check('after the answer');
    await keys.tabTo(/^Poster 1/);
    await program.canSend(starting(labels.approveOne));
    await program.made('imagine', async () => {
      await keys.press('y');
      await keys.press('Control+Enter');
      await keys.press('Control+Enter');
    });
    await page.getByText('Approved', { exact: true }).waitFor();
    await keys.check('after the approval of a draft');
    await keys.open(starting(labels.declineOf('Poster 2')));
    await page.getByText('Declined', { exact: true }).waitFor();
    await keys.check('after a draft was declined');

    await keys.tabTo(whole(labels.searchChats));
    await keys.open(whole(labels.edit));
    await page.getByRole('textbox', { name: labels.editTheMessage }).waitFor();
    await keys.press('Control+a');
    await keys.type('A lamp on a ship');
    await program.canSend(starting(labels.sendAsANewBranch));
    await program.made('chat', () => keys.press('Control+Enter'));
    await page.getByRole('group', { name: labels.versionOf(2, 2) }).waitFor();
    await keys.check('after the new branch');
    await keys.press('Alt+ArrowLeft');
    await page.getByRole('group', { name: labels.versionOf(1, 2) }).waitFor();

    await keys.tabTo(whole(labels.message));
    await keys.type('Make @');
    const offered = page.getByRole('listbox', { name: labels.shotsOfTheBoard });
    await offered.getByRole('option').nth(3).waitFor();
    await keys.press('ArrowDown', 'ArrowDown', 'Enter');
    await offered.waitFor({ state: 'detached' });
    const box = page.getByRole('textbox', { name: labels.message, exact: true });
    expect(await box.inputValue()).toMatch(/^Make shot 3 “On the pier” /);
  });

  test('Images: a picture is made, its mask painted with every key, the edit sent and compared', async () => {
    const { page } = program;
    await keys.press('Alt+3');
    await arrived(page, 'images');
    await keys.check('on Images');
    await keys.write(whole(labels.prompt), 'A ferry quay at night, rain --ar 16:9');
    await program.canSend(starting(labels.makeImages(1)));
    await program.made('imagine', () => keys.press('Control+Enter'));
    await page.getByRole('button', { name: labels.paintAMaskAndEdit }).waitFor();
    await keys.check('after the picture');
    await keys.open(starting(labels.paintAMaskAndEdit));
    await page.getByRole('application', { name: labels.maskEditor }).waitFor();
    await keys.see(labels.arrowsMoveEnterPaintsAnd);
    await keys.check('in the painter');
    await keys.press('Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter');
    await keys.see(labels.strokeOf(1, 1));
    // A polygon of three corners: the fourth is undone, then the shape is closed.
    const eight = (key: string): string[] => Array.from({ length: 8 }, () => key);
    await keys.press('u', 'u', 'u');
    await page.getByRole('button', { name: starting(labels.polygon), pressed: true }).waitFor();
    for (const way of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await keys.press('Enter', ...eight(way));
    await keys.press('Enter', 'Backspace', ...eight('ArrowLeft'), 'Enter');
    await keys.see(labels.strokeOf(2, 2));

    await keys.press('v');
    await page.getByRole('button', { name: starting(labels.selectAndMove), pressed: true }).waitFor();
    await keys.press('Tab', 'Tab');
    const x = page.getByRole('textbox', { name: 'x', exact: true });
    await page.getByText('2 of 2', { exact: true }).first().waitFor();
    const place = async () => Number(await x.inputValue());
    const before = await place();
    await keys.press('ArrowRight', 'ArrowRight', 'Shift+ArrowRight');
    await expect.poll(place).toBe(before + 12);
    await keys.press('Delete');
    await page.getByRole('button', { name: starting(labels.removeShape) }).waitFor();
    await keys.press('Control+z', 'Control+z');
    await keys.see(labels.strokeOf(2, 4));
    await expect.poll(place).toBe(before);
    await keys.press('Tab');
    expect(await page.evaluate('document.activeElement?.getAttribute("role")')).not.toBe('application');

    await keys.tabTo(starting(labels.promptOfTheEdit));
    await keys.type('An old bicycle');
    await program.canSend(starting(labels.sendEdit));
    const job = await program.made('edit', () => keys.press('Control+Enter'));
    expect(job.request as EditRequest).toMatchObject({ prompt: 'An old bicycle' });
    await page.getByRole('button', { name: starting(labels.seeIt) }).waitFor();
    await keys.check('after the edit');
    await keys.open(starting(labels.seeIt));
    await keys.tabTo(starting(labels.beforeAndAfter));
    await keys.press('End');
    expect(await page.getByRole('slider', { name: labels.beforeAndAfter }).getAttribute('aria-valuenow')).toBe('100');
  });

  test('F6 goes round every panel of a page, and back to where it began', async () => {
    const names: string[] = [];
    for (let step = 0; step < 12; step++) {
      await keys.press('F6');
      names.push(await program.page.evaluate<string>(PANEL));
    }
    const round = names.slice(0, names.indexOf(names[0] ?? '', 1));
    expect(round).toEqual(
      expect.arrayContaining(['top', labels.pages, labels.prompt, 'Viewer', labels.picture, 'status']),
    );
    expect(new Set(round).size).toBe(round.length);
  });

  test('Images: cells of a matrix are left out by arrows and Space', async () => {
    await keys.write(whole(labels.prompt), 'A {red|green} door, {open|shut}');
    await program.canSend(starting(labels.makeImages(4)));
    await keys.tabTo(/^A red door, open/);
    await keys.press('ArrowRight', 'Space');
    await program.canSend(starting(labels.makeImages(3)));
  });

  test('Library: items are found, sorted, selected, rated, tagged, binned, restored and exported', async () => {
    const { host, page } = program;
    const prompts = ['beacon two', 'harbour', 'beacon one'];
    await host.ask('jobs.enqueue', { requests: prompts.map((prompt) => ({ kind: 'imagine', prompt })) });
    const found = async (more: object) => (await host.ask('library.list', { text: 'beacon', ...more })).total;
    await expect.poll(() => found({ roles: ['output'], states: ['local'] })).toBe(2);
    await keys.press('Alt+6');
    await arrived(page, 'library');
    await page.getByRole('option').nth(2).waitFor();
    await keys.check('on the library');
    await keys.press('/');
    await keys.type('beacon');
    await keys.see('2 found');
    await keys.tabTo(whole(labels.grid));
    await keys.press('ArrowRight');
    await page.getByRole('grid', { name: labels.picturesAndClips }).waitFor();
    await keys.open(whole(labels.name));
    const names = () => page.getByRole('grid').locator('tbody tr td:nth-child(3)').allTextContents();
    await expect.poll(names).toEqual(['beacon one', 'beacon two']);
    await keys.press('Shift+Tab', 'Shift+Tab', 'Home', 'Shift+ArrowDown');
    await region(labels.selection).getByText(labels.chosenN(2)).waitFor();
    await keys.check('in the table');
    await keys.press('y');
    await expect.poll(() => found({ verdict: 'keep' })).toBe(2);
    await keys.press('t');
    await dialog().getByRole('textbox', { name: labels.addATag }).waitFor();
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
    await keys.tabTo(whole(labels.picturesAndClips));
    await keys.press('Home', 'Shift+ArrowDown');
    await region(labels.selection).getByText(labels.chosenN(2)).waitFor();
    await keys.press('e');
    await keys.see('4 files exported');
    await keys.press('Escape');
    await region(labels.selection).waitFor({ state: 'detached' });
    await keys.check('after the export');
  });

  test('Spend: the job record of a picture is saved and verified, and a bill is settled line by line', async () => {
    const { page } = program;
    await keys.press('Home');
    await keys.open(whole(labels.jobRecord));
    await keys.see(/^Matches the ledger/);
    await keys.check('on the evidence');
    await keys.press('Control+Enter');
    await keys.see(labels.theEvidenceIsSaved);
    await keys.press('v');
    await dialog(labels.verify).waitFor();
    await keys.open(whole(labels.allRecordsOnThisComputer));
    await keys.see(/^Complete: \d+ records of \d+ jobs?/);
    await keys.press('Escape');
    await gone();
    await keys.press('Escape');
    await page.getByRole('heading', { name: labels.spend, level: 1 }).waitFor({ state: 'attached' });
    await keys.check('on Spend');

    const { entries } = await program.bill();
    const at = entries.findIndex(({ model }) => model.startsWith('image'));
    const changed = entries.map((entry, index) => (index === at ? { ...entry, nano: entry.nano + 1 } : entry));
    const lines = [...changed, { at: entries[at]?.at ?? '', id: 'elsewhere', model: 'other', nano: 123_456_789 }];
    const rows = lines.map(({ at: time, id, model, nano }) => [time, id, model, (nano / 1e9).toFixed(9)].join(','));
    await keys.open(whole(labels.checkABill));
    await keys.write(whole(labels.theBill), ['started_at,operation,model,amount_usd', ...rows].join('\n'));
    await keys.open(whole(labels.readRows));
    const side = page.getByRole('complementary', { name: labels.importDetails });
    await side.getByText(labels.ofOpen(2)).waitFor();
    await keys.press('Control+Enter');
    await side.getByText(labels.ofOpen(1)).waitFor();
    await keys.check('after a line was settled');
    await keys.choose(/^More options for other, Line/, starting(labels.enter('$0.12')));
    await keys.see(labels.theBillAndTheLedger);
    await keys.press('Escape');
    await page.getByRole('heading', { name: labels.costOfWhatYouKept }).waitFor();
    await keys.check('on Spend again');
  });

  test('Settings: the key recorder is left by Esc and by Tab', async () => {
    const { page } = program;
    await keys.press('Alt+8');
    await arrived(page, 'settings');
    await keys.check('on Settings');
    await keys.open(starting(labels.shortcuts));
    await page.getByRole('heading', { name: labels.shortcuts }).waitFor();
    await keys.check('on the shortcuts');
    await keys.open(/^Find or run anything: /);
    const recording = page.getByText(labels.pressKeys);
    await recording.waitFor();
    await keys.check('in the recorder');
    await keys.press('Escape');
    await recording.waitFor({ state: 'detached' });
    expect(await keys.focused()).toMatch(/^Find or run anything: /);
    await keys.press('Enter', 'Tab');
    await recording.waitFor({ state: 'detached' });
    await keys.check('behind the recorder');
    expect(await keys.focused()).toMatch(/^Board: /);
  });
});

test('the focus was always visible, and the page reported no errors', () => {
  expect([...keys.unseen]).toEqual([]);
  expect(program.complaints).toEqual([]);
});
