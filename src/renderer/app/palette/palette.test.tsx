import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { SpendBar } from '../../spending/index.ts';
import { labelled, textOf, textsOf } from '../../testing/find.ts';
import { acting, aJob, byText, click, fakeStudio, press, show, showOver, type, until } from '../../testing/page.tsx';
import { useShortcut } from '../keys/shortcuts.ts';
import { useEntities } from '../state/entities.ts';
import { useStudio } from '../state/studio.ts';
import { Palette } from './Palette.tsx';

/** The palette finds everything by name, with prices; Enter alone never spends. */

const run = vi.fn();
const ask = vi.fn();
const close = vi.fn();
const send = vi.fn(async () => undefined);
function Page() {
  const resume = { label: 'Resume all jobs', spend: { price: '$3.20', onSend: run } };
  useShortcut('queue.pause', ask, true, resume);
  const spend = { price: 'no price set', onSend: run };
  useShortcut('queue.retry', ask, true, { label: 'Make what is off', off: 'Write a prompt first.', spend });
  useShortcut('board.bin', run);
  return (
    <>
      <SpendBar
        label="Make take 7"
        off={undefined}
        onSend={send}
        shown={{ estimateNano: 2.8e9, lowNano: 4e8, unpriced: 0 }}
      >
        up to $2.80
      </SpendBar>
      <Palette open onClose={close} />
    </>
  );
}

const input = () => document.querySelector('.pal input') as HTMLInputElement;
const choose = async (words: string) => {
  for (let step = 0; step < 60; step++) {
    if (textOf('[cmdk-item][data-selected="true"]')?.includes(words)) return;
    await press('ArrowDown', {}, input());
  }
  throw new Error(`${words} cannot be chosen`);
};

beforeEach(() => {
  fakeStudio({});
  useStudio.setState({ profiles: [], projects: [] });
  for (const mock of [run, close, send]) mock.mockClear();
});

it('shows the price beside each command that can spend, that of a page’s button too', async () => {
  await show(<Page />);
  await until(() => byText('Resume all jobs', '[cmdk-item]'));
  expect(byText('Resume all jobs', '[cmdk-item]').textContent).toContain('$3.20');
  expect(byText('Make what is off', '[cmdk-item]').textContent).toContain('no price set');
  expect(byText('Make take 7', '[cmdk-item]').textContent).toContain('up to $2.80');
  expect(byText('Removed shots', '[cmdk-item]').textContent).not.toContain('$');
});

it('Enter says what the chord would send; the chord alone sends it', async () => {
  await show(<Page />);
  await until(() => byText('Resume all jobs', '[cmdk-item]'));
  await choose('Resume all jobs');
  await press('Enter', {}, input());
  expect(run).not.toHaveBeenCalled();
  expect(close).not.toHaveBeenCalled();
  byText('Resume all jobs, $3.20: Ctrl ↵ sends it.', '.pal-asks');
  await press('Enter', { ctrlKey: true }, input());
  expect(run).toHaveBeenCalledTimes(1);
  expect(close).toHaveBeenCalledTimes(1);
  expect(send).not.toHaveBeenCalled();
});

it('the chord on a page’s button in the palette sends that, once', async () => {
  await show(<Page />);
  await until(() => byText('Make take 7', '[cmdk-item]'));
  await choose('Make take 7');
  await press('Enter', {}, input());
  expect(send).not.toHaveBeenCalled();
  await press('Enter', { ctrlKey: true }, input());
  await until(() => expect(send).toHaveBeenCalledTimes(1));
});

it('what is off says why, and a free command is run by Enter', async () => {
  await show(<Page />);
  await until(() => byText('Make what is off', '[cmdk-item]'));
  await choose('Make what is off');
  await press('Enter', { ctrlKey: true }, input());
  expect(run).not.toHaveBeenCalled();
  byText('Write a prompt first.', '.pal-asks');
  await choose('Removed shots');
  await press('Enter', { ctrlKey: true }, input());
  expect(run).not.toHaveBeenCalled();
  await press('Enter', {}, input());
  expect(run).toHaveBeenCalledTimes(1);
});

it('finds a section of the help, and opens it there', async () => {
  window.location.hash = '#/queue';
  await showOver(<Page />, {
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'library.list': () => ({ assets: [], total: 0 }),
  });
  await type(input(), 'reply lost');
  await until(() => byText('Jobs whose reply was lost', '[cmdk-item]'));
  await click(byText('Jobs whose reply was lost', '[cmdk-item]'));
  expect(close).toHaveBeenCalledTimes(1);
  expect(window.location.hash).toBe('#/help/queue?from=%23%2Fqueue&at=jobs-whose-reply-was-lost');
});

it('a running job that is found has its clock, until it is done', async () => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  const running = aJob({ id: 'r', state: 'running', progress: 99, sentAt: Date.now() - 20 * 60_000 });
  const studio = await showOver(<Page />, {
    'jobs.list': () => ({ jobs: [running], total: 1 }),
    'library.list': () => ({ assets: [], total: 0 }),
  });
  await type(input(), 'Harbour');
  const state = () => byText('Harbour in rain', '[cmdk-item]').querySelector('.st')?.textContent;
  await until(() => expect(state()).toMatch(/^finishing, 20:\d\d so far$/));
  await studio.emit({ type: 'job.changed', job: { ...running, revision: 2, state: 'succeeded' } });
  await until(() => expect(state()).toBe('Done'));
});

it.each([
  ['help', 'Keyboard shortcuts'],
  ['theme', 'Dark theme'],
  ['dark', 'Dark theme'],
  ['budget', 'Add budget'],
  ['sample film', 'Open the sample film'],
  ['key', 'Gateways'],
  ['shortcuts', 'Keyboard shortcuts'],
  ['export', 'Export film'],
  ['backup', 'Backups'],
  ['import', 'Import jobs'],
  ['bill', 'Check a bill'],
  ['tonight', 'Overnight run'],
  ['lasso', 'Lasso'],
])('everything that can be done is found, among the first: %s', async (words, label) => {
  await show(<Palette open onClose={close} />);
  await type(input(), words);
  const isFirst = () =>
    textsOf('[cmdk-item]')
      .slice(0, 4)
      .some((text) => text.startsWith(label));
  await until(() => expect(isFirst()).toBe(true));
  await type(input(), `${words} qqq`);
  await until(() => byText('No page, command', '.pal-none'));
});

it('what is run keeps the focus that it takes, and else gives it back', async () => {
  function Fields() {
    const [isOpen, setOpen] = useState(true);
    useShortcut('queue.search', () => document.querySelector<HTMLElement>('[aria-label="Search"]')?.focus());
    useShortcut('queue.all', run);
    return (
      <>
        <input aria-label="Search" />
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <Palette open={isOpen} onClose={() => setOpen(false)} />
      </>
    );
  }
  await show(<Fields />);
  const runs = async (words: string) => {
    await type(input(), words);
    await choose(words);
    await press('Enter', {}, input());
    await until(() => expect(document.querySelector('.pal')).toBeNull());
  };
  await runs('Find');
  await until(() => expect(document.activeElement).toBe(labelled('Search')));
  await acting(() => byText('Open', 'button').focus());
  await click(byText('Open', 'button'));
  await runs('Select all');
  await until(() => expect(document.activeElement).toBe(byText('Open', 'button')));
});

it('before anything is typed, what can be done here is first: what spends, then the page; never the project’s menu', async () => {
  function Menu() {
    useShortcut('project.remove', run, true, { label: 'Remove “Harbour”' });
    return <Page />;
  }
  await show(<Menu />);
  await until(() => byText('Resume all jobs', '[cmdk-item]'));
  const [first, second] = textsOf('.pal-group');
  expect(first).toMatch(/^On this pageMake take 7.*Resume all jobs.*Removed shots/);
  expect(second).toMatch(/^Pages/);
  expect(textsOf('.pal-group').find((text) => text.startsWith('Everywhere'))).toContain('Remove “Harbour”');
});
