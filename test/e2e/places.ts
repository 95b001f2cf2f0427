import path from 'node:path';
import { expect } from 'vitest';
import { labels, starting } from '../labels.ts';
import {
  asOdd,
  asTable,
  backToSandbox,
  button,
  chosen,
  dialog,
  fill,
  key,
  leave,
  leaveTwice,
  link,
  list,
  menu,
  menuitem,
  modal,
  type Open,
  opened,
  option,
  plan,
  program,
  radio,
  reload,
  row,
  see,
  seePart,
  seeRole,
  tab,
  type,
} from './stage.ts';

type Place = [name: string, open: Open, close?: Open];

const project = button(/^Project: /);
const firstShot = option(starting(labels.shotN(1)));
/** Shows or hides the first screen, which appears while no film is open. */
const welcomed = (welcomed: boolean, then: Open) => async () => {
  const { projects } = await program.host.ask('projects.list');
  await program.host.ask('settings.set', { welcomed, projectId: (welcomed && projects[0]?.id) || '' });
  await program.page.reload();
  await then();
};

export const PLACES: Place[] = [
  ['chat', opened('chat?conversation=CHAT')],
  ['an address that a model wrote', opened('chat?conversation=LINKED', link('the tide table'), dialog), leave],
  ['the pictures for a model', opened('chat?conversation=CHAT', button(labels.attach), dialog), leave],
  ['a chat to be deleted', opened('chat', button(/^Delete /), dialog), leave],
  ['storyboard', opened('storyboard')],
  ['preflight and export', opened('storyboard?view=export', see(/^Shot 2 has no take/))],
  [
    'removed shots',
    opened('storyboard', button(labels.filmMenu), menuitem(starting(labels.removedShotsN(1))), dialog),
    leave,
  ],
  ['what can be done with a shot', opened('storyboard', button(labels.shotMenu), menu), leave],
  ['the models of a shot', opened('storyboard', () => program.page.getByRole('combobox').first().click(), list), leave],
  [
    'the picker of frames',
    opened('storyboard', option(starting(labels.shotN(2))), button(starting(labels.firstFrame)), dialog),
    leave,
  ],
  ['models and prices', opened('settings?tab=models', seeRole('region', /only .* can extend$/))],
  [
    'facts of a model by hand',
    opened('settings?tab=models', button(labels.editModel('video-standard')), dialog),
    leave,
  ],
  ['a model to be added', asOdd('settings?tab=models', button(labels.addModel), dialog), backToSandbox],
  ['a checked gateway', opened('settings', button(labels.checkConnection), see(labels.apiFormat))],
  ['the way in of a gateway', opened('settings/connect'), opened('settings')],
  ['images', opened('images')],
  ['queue', opened('queue')],
  [
    'the kinds of the queue',
    opened('queue', () => program.page.getByRole('combobox', { name: labels.kind }).click(), list),
    leave,
  ],
  ['the plan of a night', opened('queue', link(labels.planANight), plan), leave],
  [
    'a job to be canceled with what waits for it',
    opened('queue', row('A quay at night'), button(starting(labels.cancel)), dialog),
    leave,
  ],
  ['a job that waits', opened('queue', row('The same at dawn'))],
  [
    'the price before a job is tried again',
    opened('queue', row('Called off'), button(starting(labels.retry)), dialog),
    leave,
  ],
  ['an unconfirmed job', asOdd('queue', seeRole('article', starting(labels.unconfirmedNamed('Lost')))), backToSandbox],
  ['the price before it is sent again', asOdd('queue', button(labels.sendAgainKnowingly), dialog), backToSandbox],
  ['the price before it is adopted', asOdd('queue', button(/^Adopt/), dialog), backToSandbox],
  ['library', opened('library')],
  ['one thing of the library', opened('library?asset=ASSET')],
  ['all of the library, as a table', opened('library', asTable, key('Control+a'), chosen), leave],
  ['spend', opened('spend')],
  ['spend of real money', asOdd('spend'), backToSandbox],
  ['a budget', opened('spend', button(labels.addABudget), dialog), leave],
  ['the prices that are published', opened('spend', button(labels.import), dialog), leave],
  [
    'both readings of a price',
    asOdd('storyboard', firstShot, () => program.page.locator('button.price').first().click(), dialog),
    backToSandbox,
  ],
  ['settings', opened('settings')],
  ['help', opened('help')],
  ['a gateway of one’s own', opened('settings', button(starting('Odd gateway')))],
  [
    'a gateway to be removed',
    opened('settings?section=gateways&profile=odd', button(labels.removeGateway), dialog),
    leave,
  ],
  ...['appearance', 'folder', 'backups', 'diagnostics', 'licences', 'shortcuts'].map(
    (section): Place => [`settings: ${section}`, opened(`settings?section=${section}`)],
  ),
  [
    'a key that means something already',
    opened('settings?section=shortcuts', button(/^Keep: /), key('j'), see('already means')),
    leave,
  ],
  ['the palette', key('Control+k'), leave],
  ['projects', opened('chat', project, menu), leave],
  // At 720 the tabs are in a drawer.
  ['the painter', opened('images', tab(labels.edit), seePart('canvas')), reload],
  [
    'the first screen',
    welcomed(false, seeRole('textbox', labels.whatShouldTheFirstShotShow)),
    welcomed(true, seeRole('navigation', labels.pages)),
  ],
];

const onShot = (number: number, chord: string): Open[] => [option(new RegExp(`^Shot ${number}`)), key(chord)];
const toBoard = tab(labels.board);
/** Repeats the keys: the list may still be filtering by typed text, which clears a selection. */
const firstTwo: Open = () =>
  expect
    .poll(async () => {
      await program.page.keyboard.press('Home');
      await program.page.keyboard.press('Shift+ArrowDown');
      const two = program.page.getByText(labels.chosenN(2)).first().waitFor({ timeout: 1_000 });
      return two.then(
        () => true,
        () => false,
      );
    })
    .toBe(true);

const ofPicture = opened('library?asset=ASSET', link(labels.jobRecord), see(/^Matches the ledger/));
const allJobs: Open[] = [
  key('Control+a'),
  () =>
    program.page
      .getByRole('region', { name: labels.selectedJobs })
      .getByRole('button', { name: starting(labels.cancelN(4)) })
      .waitFor(),
];
const BILL = 'started_at,operation,model,amount_usd\n2026-11-01T10:00:00Z,elsewhere,other,0.123456789';

/** Places checked in a wide window only. */
export const WIDE_PLACES: Place[] = [
  ['the cast', opened('storyboard', ...onShot(3, 'c'), seeRole('heading', labels.slotsOfShot(3))), toBoard],
  [
    'where one of the cast is in a take',
    opened('storyboard', ...onShot(3, 'c'), button(/^Box around Ines$/), modal),
    () => leave().then(toBoard),
  ],
  ['one of the cast', opened('storyboard', ...onShot(3, 'c'), button(/^Ines/), seeRole('heading', 'Ines')), toBoard],
  [
    'the sound of a film',
    opened('storyboard', key('t'), button(/^harbour\.wav/), seeRole('slider', labels.inPointOfTheTrack)),
    toBoard,
  ],
  [
    'the takes of a shot, side by side',
    opened('storyboard', ...onShot(1, 'a'), seeRole('button', starting(labels.maybe)), key('t'), see(/Same level/)),
  ],
  ['what has no rating', opened('review', seeRole('button', starting(labels.maybe)))],
  ['the seams', opened('storyboard', ...onShot(4, 's'), see(/\b1 jump/)), toBoard],
  ['drafts of a model', opened('chat?conversation=DRAFTS', see(/^6 drafts for/))],
  [
    'the shots that a message can name',
    opened('chat?conversation=DRAFTS', fill(labels.message, ''), type('Make @'), async () => {
      const shots = program.page.getByRole('listbox', { name: labels.shotsOfTheBoard });
      await shots.getByRole('option').first().waitFor();
    }),
    fill(labels.message, ''),
  ],
  [
    'the branches of a chat',
    opened('chat?conversation=CHAT', radio(labels.branches), seePart('main ol li, main ul li')),
  ],
  [
    'a matrix of prompts',
    opened('images', fill(labels.prompt, 'A {red|blue|green} door, {open|shut}'), see('6 of 6')),
    fill(labels.prompt, ''),
  ],
  ['jobs that are chosen', opened('queue', ...allJobs), leave],
  ['jobs to be canceled', opened('queue', ...allJobs, key('Delete'), modal), leaveTwice],
  [
    'an order from outside',
    async () => {
      const request = { kind: 'imagine' as const, prompt: 'A quay from a script' };
      await program.host.ask('quotes.create', { request, client: 'A script' });
      await opened('queue', button(starting(labels.approve)), modal)();
    },
    () => leave().then(button(starting(labels.decline))),
  ],
  ['the tags of pictures', opened('library', key('Control+a'), chosen, key('t'), modal), leaveTwice],
  [
    'pictures that are compared',
    opened(
      'library',
      ...[key('/'), type('Salt'), see(/^\d+ found/), asTable, () => program.page.getByRole('grid').focus()],
      ...[firstTwo, key('c'), seeRole('button', starting(labels.maybe))],
    ),
  ],
  ['the evidence of a picture', ofPicture, leave],
  ['a file of evidence to be verified', () => ofPicture().then(key('v')).then(modal), leaveTwice],
  [
    'a bill',
    opened('spend', button(labels.checkABill), fill(labels.theBill, BILL), button(labels.readRows), async () => {
      const side = program.page.getByRole('complementary', { name: labels.importDetails });
      await side.getByText(/open$/).waitFor();
    }),
    leave,
  ],
  [
    'a bundle that is looked into',
    opened(
      'storyboard?view=export',
      ...[button(labels.saveAsABundle), see(labels.exported), key('Control+k')],
      () => program.page.getByPlaceholder(labels.findOrRunAnything).waitFor(),
      ...[type('Open a bundle'), key('Enter'), modal, chooseBundle, see(/^4 shots, 4 takes/)],
    ),
    leave,
  ],
];

async function chooseBundle(): Promise<void> {
  const [one] = (await program.host.ask('exports.list', {})).exports;
  const chosenFile = program.page.waitForEvent('filechooser');
  await button(labels.chooseABundle)();
  await (await chosenFile).setFiles(path.join(one?.folder ?? '', one?.files[0]?.name ?? ''));
}
