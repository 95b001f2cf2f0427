import { useEffect } from 'react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import { anAppInfo } from '../../testing/anAppInfo.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { says, textOf } from '../../testing/find.ts';
import { acting, aJob, anAsset, byText, click, clickOn, press, showOver, type, until } from '../../testing/page.tsx';
import { useEntities } from '../state/entities.ts';
import { useIncidents } from '../state/incidents.ts';
import { loadStudio, useStudio } from '../state/studio.ts';
import { useTheme } from '../theme.ts';
import { App } from './App.tsx';

const settings: Settings = { theme: 'dark', welcomed: true, activeProfileId: 'p' };
const info = anAppInfo();
const money = { settledNano: 8.9e9, settledLowNano: 3e9, reservedNano: 13.15e9, uncertainNano: 2.8e9, unpriced: 0 };
const queue = aQueueStatus({ running: 3, waiting: 5, doubt: { count: 1, nano: 2.8e9, unpriced: 0 } });

let welcomed = true;
const answers = {
  'app.info': () => info,
  'app.painted': () => null,
  'settings.get': () => ({ ...settings, welcomed }),
  'settings.set': (patch: Partial<Settings>) => {
    welcomed = patch.welcomed ?? welcomed;
    return { ...settings, ...patch };
  },
  'profiles.list': () => ({
    profiles: [{ id: 'p', name: 'Studio gateway', key: 'keychain', models: [], limits: {} }] as never,
    activeId: 'p',
    keyStore: 'keychain' as const,
    unreadable: [],
  }),
  'queue.status': () => queue,
  'projects.list': () => ({ projects: [], removed: [] }),
  'budgets.list': () => ({ budgets: [{ scope: 'day' as const, play: false, hardNano: 30e9, used: money }] }),
  'ledger.totals': () => ({ rows: [], sum: money, play: false }),
  'jobs.list': () => ({ jobs: [], total: 0 }),
  'library.list': () => ({ assets: [], total: 0 }),
  'library.stats': () => ({ assets: 0, bytes: 0, freeBytes: 1, remote: 0, expired: 0 }),
  'chat.list': () => ({ conversations: [], total: 0 }),
  'prices.list': () => ({ prices: [] }),
};

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
  welcomed = true;
  window.location.hash = '#/library';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ phase: 'loading', queue: undefined, budgets: [], profiles: [], link: 'up', error: undefined });
});

async function open(more: object = {}) {
  const studio = await showOver(<App />, { ...answers, ...more });
  await loadStudio();
  return studio;
}

/** The window, once it shows a page. */
async function openWindow(more: object = {}) {
  const studio = await open(more);
  await until(() => expect(document.querySelector('.rail')).not.toBeNull());
  return studio;
}

it.each(['F1', '?'])('%s opens the help for the page that is shown, and Esc leads back', async (key) => {
  await open();
  await until(() => expect(document.querySelector('[data-page="library"]')).not.toBeNull());
  await press(key);
  await until(() => expect(textOf('#help-title')).toBe('Library'));
  await press('Escape');
  await until(() => expect(document.querySelector('[data-page="library"]')).not.toBeNull());
});

describe('the window', () => {
  it('starts on the board', async () => {
    window.location.hash = '';
    await openWindow();
    await until(() => expect(document.querySelector('main')?.dataset.page).toBe('storyboard'));
  });

  it('removes a project by its menu, and puts it back from there', async () => {
    const film = { id: 'f', name: 'Last Ferry', createdAt: 1 };
    let isRemoved = false;
    const studio = await open({
      'settings.get': () => ({ ...settings, projectId: isRemoved ? '' : 'f' }),
      'projects.list': () => (isRemoved ? { projects: [], removed: [film] } : { projects: [film], removed: [] }),
      'projects.remove': () => {
        isRemoved = true;
        return film;
      },
      'projects.restore': () => film,
    });
    await click(byText('Project: Last Ferry'));
    await click(byText('Remove “Last Ferry”', '[role=menuitem]'));
    expect(studio.callsOf('projects.remove')).toEqual([{ id: 'f' }]);
    await studio.emit({ type: 'projects.changed' });
    await studio.emit({ type: 'settings.changed' });
    await clickOn('Project: All projects');
    await click(byText('Restore project “Last Ferry”', '[role=menuitem]'));
    expect(studio.callsOf('projects.restore')).toEqual([{ id: 'f' }]);
    expect(studio.callsOf('settings.set')).toContainEqual({ projectId: 'f' });
  });

  it('renames the open project by its menu, and keeps its name where that is left', async () => {
    let name = 'Last Ferry';
    const studio = await open({
      'settings.get': () => ({ ...settings, projectId: 'f' }),
      'projects.list': () => ({ projects: [{ id: 'f', name, createdAt: 1 }], removed: [] }),
      'projects.rename': (input: { name: string }) => {
        name = input.name;
        return { id: 'f', name, createdAt: 1 };
      },
    });
    const openMenu = async () => {
      await click(byText(`Project: ${name}`));
      await click(byText(`Rename “${name}”`, '[role=menuitem]'));
      await until(() => expect(field().value).toBe(name));
    };
    const field = () => document.querySelector('.dlg input') as HTMLInputElement;
    await openMenu();
    await type(field(), 'Night');
    await click(byText(labels.cancel));
    await until(() => expect(document.querySelector('.dlg')).toBeNull());
    await openMenu();
    await type(field(), ' Salt Road ');
    await click(byText(labels.rename, '.dlg button'));
    expect(studio.callsOf('projects.rename')).toEqual([{ id: 'f', name: 'Salt Road' }]);
    await until(() => expect(document.querySelector('.dlg')).toBeNull());
    await studio.emit({ type: 'projects.changed' });
    await until(() => byText('Project: Salt Road'));
  });

  it('makes one film of one empty shot, however often it is chosen, and opens it on the board', async () => {
    window.location.hash = '#/library';
    const studio = await open({
      'projects.create': ({ name }: { name: string }) => ({ id: 'n', name, createdAt: 1 }),
      'storyboard.save': (board: object) => board as never,
    });
    await clickOn('Project: All projects');
    const item = byText(labels.newProject, '[role=menuitem]') as HTMLElement;
    await acting(() => {
      for (let times = 0; times < 3; times++) item.click();
    });
    await until(() => expect(window.location.hash).toBe('#/storyboard'));
    expect(studio.callsOf('projects.create')).toEqual([{ name: 'Untitled film' }]);
    expect(studio.callsOf('storyboard.save')).toMatchObject([{ projectId: 'n', shots: [{ prompt: '' }] }]);
    expect(studio.callsOf('settings.set')).toEqual([{ projectId: 'n' }]);
  });

  it('answers in the status line which gateway, what runs, and what is in doubt with the money, and in the top bar what is left today', async () => {
    await open({ 'queue.status': () => ({ ...queue, waiting: 5_000, doubt: { ...queue.doubt, count: 1_577 } }) });
    await until(() => expect(document.querySelector('.top-money b')).not.toBeNull());
    const parts = [...document.querySelectorAll('.status > a')].map((part) => part.textContent?.trim());
    expect(parts).toEqual([
      'Studio gatewayConnected',
      '3 running, 5,000 waiting',
      labels.unconfirmedSum('1,577', '$2.80'),
    ]);
    expect(textOf('.top-money')).toBe('Real moneyStudio gateway$5.15 left today');
  });

  it('reads the money of the new day at midnight', async () => {
    const evening = new Date(2026, 10, 26, 23, 59).getTime();
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: evening });
    onTestFinished(() => void vi.useRealTimers());
    let used = { ...money, settledNano: 30e9, reservedNano: 0, uncertainNano: 0 };
    const studio = await open({
      'budgets.list': () => ({ budgets: [{ scope: 'day' as const, play: false, hardNano: 30e9, used }] }),
    });
    const said = () => textOf('.top-money') ?? '';
    await until(() => expect(said()).toContain('$0.00 left today'));
    used = { ...used, settledNano: 0 };
    const read = studio.callsOf('ledger.totals').length;
    await acting(() => vi.advanceTimersByTime(40_000));
    expect(studio.callsOf('ledger.totals')).toHaveLength(read);
    await acting(() => vi.advanceTimersByTime(40_000));
    await until(() => expect(said()).toContain('$30.00 left today'));
    const midnight = new Date(2026, 10, 27).getTime();
    expect(studio.callsOf('ledger.totals').at(-1)).toMatchObject({ from: midnight });
  });

  it('says that it is painted, once; when this machine is kept awake, and when it may sleep again', async () => {
    const studio = await open();
    await until(() => expect(studio.callsOf('app.painted')).toHaveLength(1));
    const said = () => textOf('.status') ?? '';
    expect(said()).not.toContain('Kept awake');
    await studio.emit({ type: 'awake.changed', awake: 'held' });
    await until(() => expect(said()).toContain('Kept awake'));
    await studio.emit({ type: 'awake.changed', awake: 'free' });
    await until(() => expect(said()).not.toContain('Kept awake'));
  });

  it('shows what went wrong when the studio cannot be opened, and tries again', async () => {
    let broken = true;
    const refusal = fail('store_unavailable', 'The folder is in use.');
    await open({ 'app.info': () => (broken ? refusal : info) });
    await says('The folder is in use.');
    broken = false;
    await click(byText(labels.tryAgain));
    await until(() => expect(document.querySelector('.rail')).not.toBeNull());
  });

  it.each([
    ['app.info', 'internal', 'Something went wrong. What you see may be old.'],
    ['settings.get', 'unreachable', ''],
  ] as const)('stays when %s fails once after the studio was lost (%s)', async (name, code, told) => {
    let isBroken = false;
    const studio = await openWindow({
      [name]: () => (isBroken ? fail(code, 'Something went wrong.') : answers[name]()),
    });
    const rail = document.querySelector('.rail');
    const asked = studio.callsOf(name).length;
    isBroken = true;
    await studio.link('lost');
    await studio.link('up');
    await until(() => expect(studio.callsOf(name).length).toBeGreaterThan(asked));
    await until(() => expect(textOf('.toast') ?? '').toContain(told));
    expect(document.querySelector('.rail')).toBe(rail);
  });

  it('says that it may be old when the studio is lost, and reads everything again when it is back', async () => {
    const studio = await openWindow();
    await studio.link('lost');
    await says(labels.theStudioDoesNotAnswer);
    const status = () => textOf('.status') ?? '';
    expect(status()).toBe('Not connected to Dailies. Running jobs are not known.');
    expect(textOf('.banner')).toMatch(/Start Dailies again: .* npm start -- --data-dir "/);
    const before = studio.callsOf('library.list').length;
    await studio.link('up');
    await until(() => expect(studio.callsOf('library.list').length).toBeGreaterThan(before));
    expect(document.body.textContent).not.toContain(labels.theStudioDoesNotAnswer);
    expect(status()).toContain('Connected');
  });

  it('goes to pages by key', async () => {
    await openWindow();
    await press('4', { altKey: true, code: 'Digit4' });
    await until(() => expect(textOf('.rail [aria-current]')).toContain(labels.queue));
  });
});

it('shows the first screen until it was left once', async () => {
  welcomed = false;
  await open();
  await until(() => byText(labels.makeTheFirstTake));
  await click(byText(labels.connectAGateway));
  await until(() => byText(labels.enterAddressAndKey, 'h1'));
  expect(welcomed).toBe(true);
});

it('the palette finds jobs and pictures that the studio finds, and goes there', async () => {
  const job = aJob({ id: 'found', request: { kind: 'imagine', prompt: 'Lighthouse in fog' } });
  await openWindow({ 'jobs.list': () => ({ jobs: [job], total: 1 }), 'jobs.get': () => job });
  await press('k', { ctrlKey: true });
  await until(() => expect(document.querySelector('.pal input')).not.toBeNull());
  await type(document.querySelector('.pal input') as HTMLInputElement, 'lighth');
  await clickOn('Lighthouse in fog', '.pal .o');
  await until(() => expect(window.location.hash).toBe('#/queue?job=found'));
});

describe('what happened elsewhere', () => {
  it('is told once, with the way there; doubt with the money and the assertive voice', async () => {
    window.location.hash = '#/chat';
    const studio = await openWindow();
    const running = aJob({ id: 'j', state: 'running' });
    await studio.emit({ type: 'job.changed', job: running });
    const done = { ...running, state: 'succeeded' as const, outputs: [anAsset({ jobId: 'j' })] };
    await studio.emit({ type: 'job.changed', job: done });
    await studio.emit({ type: 'job.changed', job: done });
    await until(() => expect(document.querySelectorAll('.toast')).toHaveLength(1));
    expect(textOf('.toast')).toContain('Harbour in rain: Stored here');
    const doubt = aJob({ id: 'k', state: 'uncertain', money: { ...aJob().money, uncertainNano: 2.8e9 } });
    await studio.emit({ type: 'job.changed', job: doubt });
    await until(() => expect(textOf('[aria-live="assertive"]')).toContain('$2.80 is unconfirmed'));
  });

  it('is not told by a toast on the page that shows it, where the click was made', async () => {
    window.location.hash = '#/images';
    const studio = await openWindow();
    const imagine = { kind: 'imagine', request: { kind: 'imagine', prompt: 'Salt flat' } } as const;
    for (const state of ['running', 'succeeded'] as const)
      await studio.emit({ type: 'job.changed', job: aJob({ id: 'i', state, outputs: [anAsset()], ...imagine }) });
    for (const state of ['running', 'succeeded'] as const)
      await studio.emit({ type: 'job.changed', job: aJob({ id: 'v', state, outputs: [anAsset({ jobId: 'v' })] }) });
    await until(() => expect(document.querySelectorAll('.toast')).toHaveLength(1));
    expect(textOf('.toast')).toContain('Harbour in rain: Stored here');
  });
});

describe('incidents in the status line', () => {
  const status = () => textOf('.status') ?? '';

  it('tells the newest one that is not over', async () => {
    useIncidents.setState({ incidents: [] });
    const studio = await openWindow();
    await studio.emit({ type: 'notice', level: 'error', text: 'The disk is full.', about: 'room for results' });
    await until(() => expect(status()).toContain('The disk is full.'));
    await studio.emit({ type: 'notice', level: 'info', text: 'The disk has space again.', about: 'room for results' });
    await until(() => expect(status()).not.toContain('The disk is full.'));
  });

  it('tells in the morning that a rule has stopped the night', async () => {
    const last = { number: 14, state: 'ended', endedBy: 'failures', endedText: 'Stopped.', endsAt: Date.now() };
    await open({ 'night.get': () => ({ revision: 1, current: null, last, leftOver: [], leftOverBySide: [] }) });
    await until(() => expect(status()).toContain('Overnight run 14 stopped'));
  });
});

it('a theme is there before what draws with its colours', async () => {
  const drawn: (string | undefined)[] = [];
  function Themed() {
    const theme = useStudio((state) => state.settings?.theme);
    // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew with a new theme.
    useEffect(() => void drawn.push(document.documentElement.dataset.theme), [theme]);
    useTheme();
    return null;
  }
  useStudio.setState({ settings });
  await showOver(<Themed />, {});
  await acting(() => useStudio.setState({ settings: { ...settings, theme: 'light' } }));
  expect(drawn).toEqual(['dark', 'light']);
});
