import path from 'node:path';
import { labels, starting, within } from '../labels.ts';
import {
  asOdd,
  asTable,
  backToSandbox,
  chosen,
  click,
  dialog,
  go,
  leave,
  list,
  menu,
  type Open,
  opened,
  plan,
  press,
  profile,
  program,
  row,
} from './stage.ts';

/** How each is opened and closed. */
export const PLACES: [name: string, open: Open, close?: Open][] = [
  ['chat', opened('chat?conversation=CHAT')],
  [
    'an address that a model wrote',
    opened(
      'chat?conversation=LINKED',
      () => program.page.getByRole('link', { name: 'the tide table' }).click(),
      dialog,
    ),
    leave,
  ],
  [
    'the pictures that a model is shown',
    opened('chat?conversation=CHAT', () => click('button', labels.showPictures), dialog),
    leave,
  ],
  ['a chat to be deleted', opened('chat', async () => click('button', /^Delete /), dialog), leave],
  ['storyboard', () => go('storyboard')],
  [
    'preflight and export',
    opened('storyboard?view=export', () =>
      program.page
        .getByText(/^Shot 2 has no take/)
        .first()
        .waitFor(),
    ),
  ],
  ['removed shots', opened('storyboard', () => click('button', starting(labels.removed(1))), dialog), leave],
  ['what can be done with a shot', opened('storyboard', () => click('button', labels.more), menu), leave],
  ['the models of a shot', opened('storyboard', () => program.page.getByRole('combobox').first().click(), list), leave],
  [
    'the picker of frames',
    opened(
      'storyboard',
      () => click('option', starting(labels.shotN(2))),
      () => click('button', within(labels.firstFrame)),
      dialog,
    ),
    leave,
  ],
  [
    'models and prices',
    opened('settings?section=models', () => program.page.getByText(starting(labels.extendShot(1))).waitFor()),
  ],
  [
    'facts of a model by hand',
    opened('settings?section=models&model=video-standard', () => click('button', labels.setByHand), dialog),
    leave,
  ],
  [
    'a model to be added',
    asOdd('settings?section=models', async () => {
      await click('button', labels.byHand);
      await dialog();
    }),
    backToSandbox,
  ],
  ['the doctor', opened('settings?section=doctor', () => program.page.getByText(/^8 steps/).waitFor())],
  ['a month on paper', opened('spend/print', () => program.page.getByRole('table', { name: labels.byDay }).waitFor())],
  ['images', () => go('images')],
  ['queue', () => go('queue')],
  [
    'the kinds of the queue',
    opened('queue', () => program.page.getByRole('combobox', { name: labels.kind }).click(), list),
    leave,
  ],
  ['the plan of a night', opened('queue', () => click('button', labels.planANight), plan), leave],
  [
    'a job to be canceled with what waits for it',
    opened(
      'queue',
      () => row('A quay at night'),
      () => click('button', starting(labels.cancel)),
      dialog,
    ),
    leave,
  ],
  ['a job that waits', opened('queue', () => row('The same at dawn'))],
  [
    'the price before a job is tried again',
    opened(
      'queue',
      () => row('Called off'),
      () => click('button', starting(labels.retry)),
      dialog,
    ),
    leave,
  ],
  [
    'a doubt',
    asOdd('queue', () => program.page.getByRole('article', { name: starting(labels.inDoubtOf('Lost')) }).waitFor()),
    backToSandbox,
  ],
  [
    'the price before it is sent again',
    asOdd('queue', async () => {
      await click('button', labels.sendAgainKnowingly);
      await dialog();
    }),
    backToSandbox,
  ],
  [
    'a price that does not agree',
    asOdd(`queue?mismatch=MISMATCH`, () => program.page.getByRole('table').last().waitFor({ state: 'attached' })),
    backToSandbox,
  ],
  [
    'the price before it is adopted',
    asOdd(`queue?mismatch=MISMATCH`, async () => {
      await click('button', /^Adopt/);
      await dialog();
    }),
    backToSandbox,
  ],
  ['library', () => go('library')],
  ['one thing of the library', () => go('library?asset=ASSET')],
  ['all of the library, as a table', opened('library', asTable, () => press('Control+a'), chosen), leave],
  ['spend', () => go('spend')],
  ['spend of real money', asOdd('spend'), backToSandbox],
  ['a budget', opened('spend', () => click('button', labels.addABudget), dialog), leave],
  ['the prices that are published', opened('spend', () => click('button', labels.import), dialog), leave],
  [
    'both readings of a price',
    opened(
      'storyboard',
      () => click('option', starting(labels.shotN(1))),
      () => program.page.locator('button.price').first().click(),
      dialog,
    ),
    leave,
  ],
  ['settings', () => go('settings')],
  ['a gateway of one’s own', opened('settings', profile('Odd gateway'))],
  [
    'a profile to be removed',
    opened('settings', profile('Odd gateway'), () => click('button', labels.remove), dialog),
    leave,
  ],
  ...['appearance', 'folder', 'backups', 'diagnostics', 'licences', 'shortcuts'].map((section): [string, Open] => [
    `settings: ${section}`,
    () => go(`settings?section=${section}`),
  ]),
  [
    'a key that means something already',
    opened(
      'settings?section=shortcuts',
      () => click('button', /^Keep: /),
      () => press('j'),
      () => program.page.getByText('already means').waitFor(),
    ),
    leave,
  ],
  ['the palette', () => press('Control+k'), leave],
  ['projects', opened('chat', () => click('button', /^Project: /), menu), leave],
  [
    'a new project',
    opened(
      'chat',
      () => click('button', /^Project: /),
      () => click('menuitem', labels.newProject),
      dialog,
    ),
    leave,
  ],
  [
    'the painter',
    opened(
      'images',
      () => click('tab', labels.edit),
      () => program.page.locator('canvas').first().waitFor(),
    ),
    // At 720 the tabs are in a drawer by now.
    () => program.page.reload(),
  ],
  [
    'the first screen',
    async () => {
      await program.host.ask('settings.set', { welcomed: false });
      await program.page.reload();
      await program.page.getByRole('button', { name: labels.startInTheSandbox }).waitFor();
    },
    async () => {
      await program.host.ask('settings.set', { welcomed: true });
      await program.page.reload();
      await program.page.getByRole('navigation', { name: labels.pages }).waitFor();
    },
  ],
];

const see = (text: string | RegExp) => () => program.page.getByText(text).first().waitFor();
const heading = (name: string) => () => program.page.getByRole('heading', { name }).waitFor();
const onShot = (number: number, key: string) => [
  () => click('option', new RegExp(`^Shot ${number}`)),
  () => press(key),
];
const toBoard: Open = () => click('tab', labels.board);
const leaveTwice: Open = () => leave().then(leave);
const fill = (name: string, text: string) => () => program.page.getByRole('textbox', { name, exact: true }).fill(text);
const type = (text: string) => () => program.page.keyboard.type(text);
const ofPicture = opened(
  'library?asset=ASSET',
  () => program.page.getByRole('link', { name: labels.evidence }).click(),
  see(/^whole, checked/),
);
/** A toast is a dialog too, and none of these. */
const modal: Open = () => program.page.locator('.dlg').waitFor();
const allJobs: Open[] = [
  () => press('Control+a'),
  () =>
    program.page
      .getByRole('region', { name: labels.chosenJobs })
      .getByRole('button', { name: starting(labels.cancelN(4)) })
      .waitFor(),
];
const BILL = 'started_at,operation,model,amount_usd\n2026-11-01T10:00:00Z,elsewhere,other,0.123456789';

/** Looked at in a wide window only. */
export const WIDE_PLACES: typeof PLACES = [
  ['the cast', opened('storyboard', ...onShot(3, 'c'), heading(labels.slotsOfShot(3))), toBoard],
  [
    'where one of the cast is in a take',
    opened('storyboard', ...onShot(3, 'c'), () => click('button', /box o[fn] Ines$/), modal),
    () => leave().then(toBoard),
  ],
  [
    'one of the cast',
    opened('storyboard', ...onShot(3, 'c'), () => click('button', /^Ines/), heading('Ines')),
    toBoard,
  ],
  [
    'the sound of a film',
    opened(
      'storyboard',
      () => press('t'),
      () => click('button', /^harbour\.wav/),
      () => program.page.getByRole('slider', { name: labels.inPointOfTheTrack }).waitFor(),
    ),
    toBoard,
  ],
  ['an audition', opened('storyboard', ...onShot(1, 'a'), see(/LUFS/)), toBoard],
  ['the seams', opened('storyboard', ...onShot(4, 's'), see(/\b1 jump/)), toBoard],
  ['drafts of a model', opened('chat?conversation=DRAFTS', see(/^6 drafts for/))],
  [
    'the shots that a message can name',
    opened(
      'chat?conversation=DRAFTS',
      () => program.page.getByRole('textbox', { name: labels.message, exact: true }).focus(),
      type('Make @'),
      () => program.page.getByRole('listbox', { name: labels.shotsOfTheBoard }).getByRole('option').first().waitFor(),
    ),
    fill(labels.message, ''),
  ],
  [
    'the branches of a chat',
    opened(
      'chat?conversation=CHAT',
      () => program.page.getByRole('radio', { name: labels.branches }).click(),
      () => program.page.locator('.branch-map li').first().waitFor(),
    ),
  ],
  [
    'a matrix of prompts',
    opened('images', fill(labels.prompt, 'A {red|blue|green} door, {open|shut}'), see('6 of 6')),
    fill(labels.prompt, ''),
  ],
  ['jobs that are chosen', opened('queue', ...allJobs), leave],
  ['jobs to be canceled', opened('queue', ...allJobs, () => press('Delete'), modal), leaveTwice],
  [
    'an order from outside',
    async () => {
      const request = { kind: 'imagine' as const, prompt: 'A quay from a script' };
      await program.host.ask('quotes.create', { request, client: 'A script' });
      await opened('queue', () => click('button', starting(labels.approve)), modal)();
    },
    () => leave().then(() => click('button', starting(labels.decline))),
  ],
  [
    'the tags of pictures',
    opened(
      'library',
      () => press('Control+a'),
      chosen,
      () => press('t'),
      modal,
    ),
    leaveTwice,
  ],
  [
    'pictures that are compared',
    opened(
      'library',
      () => press('/'),
      type('Salt'),
      see(/^\d+ found/),
      asTable,
      () => program.page.getByRole('grid').focus(),
      () => press('Home'),
      () => press('Shift+ArrowDown'),
      () => press('c'),
      () => program.page.getByRole('region', { name: labels.comparedPictures }).waitFor(),
    ),
    leaveTwice,
  ],
  ['the evidence of a picture', ofPicture, leave],
  [
    'a file of evidence to be verified',
    () =>
      ofPicture()
        .then(() => press('v'))
        .then(modal),
    leaveTwice,
  ],
  [
    'a bill',
    opened(
      'spend',
      () => click('button', labels.statement),
      fill(labels.theBill, BILL),
      () => click('button', labels.readTheBill),
      () => program.page.getByRole('complementary', { name: labels.howItWasRead }).getByText(/open$/).waitFor(),
    ),
    leave,
  ],
  [
    'a bundle that is looked into',
    opened(
      'storyboard?view=export',
      () => click('button', labels.saveAsABundle),
      see(labels.exported),
      () => press('Control+k'),
      () => program.page.getByPlaceholder(labels.findOrRunAnything).waitFor(),
      type('Open a bundle'),
      () => press('Enter'),
      modal,
      async () => {
        const [one] = (await program.host.ask('exports.list', {})).exports;
        const chosenFile = program.page.waitForEvent('filechooser');
        await click('button', labels.chooseABundle);
        await (await chosenFile).setFiles(path.join(one?.folder ?? '', one?.files[0]?.name ?? ''));
      },
      see(/^4 shots, 4 takes/),
    ),
    leave,
  ],
  [
    'removed projects',
    async () => {
      for (let count = 0; count < 6; count++) {
        const { id } = await program.host.ask('projects.create', { name: `Left ${count}` });
        await program.host.ask('projects.remove', { id });
      }
      await opened(
        'chat',
        () => click('button', /^Project: /),
        () => click('menuitem', /removed projects$/),
        modal,
      )();
    },
    leave,
  ],
];
