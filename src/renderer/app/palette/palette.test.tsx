import { beforeEach, expect, it, vi } from 'vitest';
import { SpendBar } from '../../spending/index.ts';
import { textOf } from '../../testing/find.ts';
import { aJob, byText, fakeStudio, press, show, showOver, type, until } from '../../testing/page.tsx';
import { type Command, useCommands } from '../commands.ts';
import { useEntities } from '../state/entities.ts';
import { useStudio } from '../state/studio.ts';
import { Palette } from './Palette.tsx';

/** Everything by name, with its price; Enter alone never spends. */

const run = vi.fn();
const close = vi.fn();
const send = vi.fn(async () => undefined);
const commands: Command[] = [
  { id: 'resume', label: 'Resume all jobs', price: '$3.20', run },
  { id: 'off', label: 'Make what is off', price: 'price not known', off: 'Write a prompt first.', run },
  { id: 'free', label: 'Show removed shots', run },
];

function Page() {
  useCommands('test', commands);
  return (
    <>
      <SpendBar
        label="Make take 7"
        off={undefined}
        onSend={send}
        shown={{ estimateNano: 2.8e9, lowNano: 4e8, unpriced: 0 }}
      >
        $0.40–2.80
      </SpendBar>
      <Palette open onClose={close} />
    </>
  );
}

const input = () => document.querySelector('.pal input') as HTMLInputElement;
const choose = async (words: string) => {
  for (let step = 0; step < 30; step++) {
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
  expect(byText('Make what is off', '[cmdk-item]').textContent).toContain('price not known');
  expect(byText('Make take 7', '[cmdk-item]').textContent).toContain('$0.40–2.80');
  expect(byText('Show removed shots', '[cmdk-item]').textContent).not.toContain('$');
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
  await choose('Show removed shots');
  await press('Enter', { ctrlKey: true }, input());
  expect(run).not.toHaveBeenCalled();
  await press('Enter', {}, input());
  expect(run).toHaveBeenCalledTimes(1);
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
  await until(() => expect(state()).toMatch(/^finishing, 20:\d\d$/));
  await studio.emit({ type: 'job.changed', job: { ...running, revision: 2, state: 'succeeded' } });
  await until(() => expect(state()).toBe('Succeeded'));
});
