import path from 'node:path';
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
    opened('chat?conversation=CHAT', () => click('button', 'Show pictures'), dialog),
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
  ['removed shots', opened('storyboard', () => click('button', /^Removed 1/), dialog), leave],
  ['what can be done with a shot', opened('storyboard', () => click('button', 'More'), menu), leave],
  ['the models of a shot', opened('storyboard', () => program.page.getByRole('combobox').first().click(), list), leave],
  [
    'the picker of frames',
    opened(
      'storyboard',
      () => click('option', /^Shot 2/),
      () => click('button', /first frame/i),
      dialog,
    ),
    leave,
  ],
  ['models and prices', opened('settings?section=models', () => program.page.getByText(/^Extend shot 1/).waitFor())],
  [
    'facts of a model by hand',
    opened('settings?section=models&model=video-standard', () => click('button', 'Set by hand'), dialog),
    leave,
  ],
  [
    'a model to be added',
    asOdd('settings?section=models', async () => {
      await click('button', 'By hand');
      await dialog();
    }),
    backToSandbox,
  ],
  ['the doctor', opened('settings?section=doctor', () => program.page.getByText(/^8 steps/).waitFor())],
  ['a month on paper', opened('spend/print', () => program.page.getByRole('table', { name: 'By day' }).waitFor())],
  ['images', () => go('images')],
  ['queue', () => go('queue')],
  [
    'the kinds of the queue',
    opened('queue', () => program.page.getByRole('combobox', { name: 'Kind' }).click(), list),
    leave,
  ],
  ['the plan of a night', opened('queue', () => click('button', 'Plan a night'), plan), leave],
  [
    'a job to be canceled with what waits for it',
    opened(
      'queue',
      () => row('A quay at night'),
      () => click('button', /^Cancel/),
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
      () => click('button', /^Retry/),
      dialog,
    ),
    leave,
  ],
  [
    'a doubt',
    asOdd('queue', () => program.page.getByRole('article', { name: /^In doubt: Lost/ }).waitFor()),
    backToSandbox,
  ],
  [
    'the price before it is sent again',
    asOdd('queue', async () => {
      await click('button', 'Send again knowingly');
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
  ['a budget', opened('spend', () => click('button', 'Add a budget'), dialog), leave],
  ['the prices that are published', opened('spend', () => click('button', 'Import'), dialog), leave],
  [
    'both readings of a price',
    opened(
      'storyboard',
      () => click('option', /^Shot 1/),
      () => program.page.locator('button.price').first().click(),
      dialog,
    ),
    leave,
  ],
  ['settings', () => go('settings')],
  ['a gateway of one’s own', opened('settings', profile('Odd gateway'))],
  [
    'a profile to be removed',
    opened('settings', profile('Odd gateway'), () => click('button', 'Remove'), dialog),
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
      () => click('menuitem', 'New project'),
      dialog,
    ),
    leave,
  ],
  [
    'the painter',
    opened(
      'images',
      () => click('tab', 'Edit'),
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
      await program.page.getByRole('button', { name: 'Start in the sandbox' }).waitFor();
    },
    async () => {
      await program.host.ask('settings.set', { welcomed: true });
      await program.page.reload();
      await program.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    },
  ],
];

const see = (text: string | RegExp) => () => program.page.getByText(text).first().waitFor();
const heading = (name: string) => () => program.page.getByRole('heading', { name }).waitFor();
const onShot = (number: number, key: string) => [
  () => click('option', new RegExp(`^Shot ${number}`)),
  () => press(key),
];
const toBoard: Open = () => click('tab', 'Board');
const leaveTwice: Open = () => leave().then(leave);
const fill = (name: string, text: string) => () => program.page.getByRole('textbox', { name, exact: true }).fill(text);
const type = (text: string) => () => program.page.keyboard.type(text);
const ofPicture = opened(
  'library?asset=ASSET',
  () => program.page.getByRole('link', { name: 'Evidence' }).click(),
  see(/^whole, checked/),
);
/** A toast is a dialog too, and none of these. */
const modal: Open = () => program.page.locator('.dlg').waitFor();
const allJobs: Open[] = [
  () => press('Control+a'),
  () =>
    program.page
      .getByRole('region', { name: 'Chosen jobs' })
      .getByRole('button', { name: /^Cancel 4/ })
      .waitFor(),
];
const BILL = 'started_at,operation,model,amount_usd\n2026-11-01T10:00:00Z,elsewhere,other,0.123456789';

/** Looked at in a wide window only. */
export const WIDE_PLACES: typeof PLACES = [
  ['the cast', opened('storyboard', ...onShot(3, 'c'), heading('Slots of shot 3')), toBoard],
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
      () => program.page.getByRole('slider', { name: 'In point of the track' }).waitFor(),
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
      () => program.page.getByRole('textbox', { name: 'Message', exact: true }).focus(),
      type('Make @'),
      () => program.page.getByRole('listbox', { name: 'Shots of the board' }).getByRole('option').first().waitFor(),
    ),
    fill('Message', ''),
  ],
  [
    'the branches of a chat',
    opened(
      'chat?conversation=CHAT',
      () => program.page.getByRole('radio', { name: 'Branches' }).click(),
      () => program.page.locator('.branch-map li').first().waitFor(),
    ),
  ],
  [
    'a matrix of prompts',
    opened('images', fill('Prompt', 'A {red|blue|green} door, {open|shut}'), see('6 of 6')),
    fill('Prompt', ''),
  ],
  ['jobs that are chosen', opened('queue', ...allJobs), leave],
  ['jobs to be canceled', opened('queue', ...allJobs, () => press('Delete'), modal), leaveTwice],
  [
    'an order from outside',
    async () => {
      const request = { kind: 'imagine' as const, prompt: 'A quay from a script' };
      await program.host.ask('quotes.create', { request, client: 'A script' });
      await opened('queue', () => click('button', /^Approve/), modal)();
    },
    () => leave().then(() => click('button', /^Decline/)),
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
      () => program.page.getByRole('region', { name: 'Compared pictures' }).waitFor(),
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
      () => click('button', 'Statement'),
      fill('The bill', BILL),
      () => click('button', 'Read the bill'),
      () => program.page.getByRole('complementary', { name: 'How it was read' }).getByText(/open$/).waitFor(),
    ),
    leave,
  ],
  [
    'a bundle that is looked into',
    opened(
      'storyboard?view=export',
      () => click('button', 'Save as a bundle'),
      see('Exported'),
      () => press('Control+k'),
      () => program.page.getByPlaceholder('Find or run anything').waitFor(),
      type('Open a bundle'),
      () => press('Enter'),
      modal,
      async () => {
        const [one] = (await program.host.ask('exports.list', {})).exports;
        const chosenFile = program.page.waitForEvent('filechooser');
        await click('button', 'Choose a bundle');
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
