import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { boardSchema } from '../../../shared/board/board.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import { useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { says } from '../../testing/find.ts';
import { type Answers, acting, aJob, byText, click, fakeStudio, show, type, until } from '../../testing/page.tsx';
import { StartPage } from './StartPage.tsx';

const PROMPT = 'A ferry leaves the quay';
let settings: Settings;
const answers: Answers = {
  'settings.set': (patch) => {
    settings = { ...settings, ...patch };
    return settings;
  },
  'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1.6e9, lowNano: 1.6e9, unpriced: 0 }),
  'projects.create': ({ name }) => ({ id: `of ${name}`, name, createdAt: 1 }),
  'storyboard.save': (board) => boardSchema.parse({ ...board, revision: 1 }),
  'storyboard.makeTake': ({ projectId }) => ({
    job: aJob({ id: 'first' }),
    board: boardSchema.parse({ projectId, revision: 2, shots: [] }),
  }),
};

beforeEach(() => {
  settings = { theme: 'dark', welcomed: false, activeProfileId: 'p' };
  window.location.hash = '';
  window.sessionStorage.clear();
  useStudio.setState({ settings, profiles: [aProfile()], activeProfileId: 'p', projects: [], link: 'up' });
});

const button = () => byText(labels.makeTheFirstTake) as HTMLButtonElement;
const prompt = () => document.querySelector('textarea') as HTMLTextAreaElement;

/** The page, once the price stands at its button. */
async function open(more: Answers = {}) {
  const studio = fakeStudio({ ...answers, ...more });
  await show(<StartPage />);
  await says('$1.60');
  return studio;
}

it('asks for a prompt first, which has the focus', async () => {
  const studio = await open();
  expect(document.activeElement).toBe(prompt());
  await says(labels.writeASentenceFirst);
  await click(button());
  expect(studio.callsOf('projects.create')).toEqual([]);
});

it('makes one film with the prompt in its first shot and orders one take at the price shown, also on a double click', async () => {
  const studio = await open();
  await type(prompt(), PROMPT);
  await acting(() => {
    button().click();
    button().click();
  });
  await until(() => expect(settings.welcomed).toBe(true));
  expect(studio.callsOf('projects.create')).toEqual([{ name: 'Untitled film' }]);
  expect(studio.callsOf('storyboard.save')).toMatchObject([{ shots: [{ prompt: PROMPT, takes: [] }] }]);
  const [{ shotId }] = studio.callsOf('storyboard.makeTake') as [{ shotId: string }];
  expect(studio.callsOf('storyboard.makeTake')).toEqual([
    { projectId: 'of Untitled film', shotId, shown: { estimateNano: 1.6e9, lowNano: 1.6e9, unpriced: 0 } },
  ]);
  expect(settings.projectId).toBe('of Untitled film');
  expect(window.location.hash).toBe('#/storyboard');
});

it('pressed again after a lost reply it is the same request, and with another prompt another film', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const studio = await open({ 'storyboard.makeTake': () => fail('unreachable', 'The reply did not come.') });
  const orders = async () => {
    await click(button());
    await acting(() => vi.advanceTimersByTimeAsync(30_000));
    await says('The reply did not come.');
    return [studio.callsOf('projects.create').length, new Set(studio.keysOf('storyboard.makeTake')).size];
  };
  await type(prompt(), PROMPT);
  expect(await orders()).toEqual([1, 1]);
  expect(await orders()).toEqual([1, 1]);
  expect(settings.welcomed).toBe(false);
  await type(prompt(), 'A lamp');
  expect(await orders()).toEqual([2, 2]);
  vi.useRealTimers();
});

it('loaded again while the first take is sent, the window goes to the board that has its prompt', async () => {
  settings = { ...settings, projectId: 'of Untitled film' };
  useStudio.setState({ settings });
  await open();
  await until(() => expect(settings.welcomed).toBe(true));
  expect(window.location.hash).toBe('#/storyboard');
});

it('says what was refused, and sends nothing', async () => {
  const studio = await open({ 'projects.create': () => fail('disk_full', 'The disk is full.') });
  await type(prompt(), PROMPT);
  await click(button());
  await says('The disk is full.');
  expect(studio.callsOf('storyboard.makeTake')).toEqual([]);
  expect(prompt().value).toBe(PROMPT);
});

it('is left for Settings, also where that cannot be stored', async () => {
  await open({ 'settings.set': () => fail('disk_full', 'The disk is full.') });
  await click(byText(labels.connectAGateway));
  await until(() => expect(useStudio.getState().settings?.welcomed).toBe(true));
  expect(window.location.hash).toBe('#/settings/connect');
});
