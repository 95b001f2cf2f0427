import { beforeEach, expect, it } from 'vitest';
import { byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { useStudio } from '../state/studio.ts';
import { Banners } from './Banners.tsx';

const queue = {
  revision: 1,
  paused: true,
  offline: false,
  running: 0,
  waiting: 2,
  lanes: [],
  doubt: { count: 0, nano: 0, unpriced: 0 },
  doubtElsewhere: { count: 0, nano: 0, unpriced: 0 },
};

beforeEach(() => {
  window.location.hash = '#/library';
  useStudio.setState({ phase: 'ready', queue: undefined, info: undefined, profiles: [], unreadable: [], link: 'up' });
});

/** Bug: orders of a backup went out and were paid for a second time, and nothing was said. */
it('says that the queue of a backup is held, of when it is, and what to compare before it goes on', async () => {
  fakeStudio({});
  const restoredFrom = new Date(2025, 10, 21, 6).getTime();
  useStudio.setState({ queue: { ...queue, restoredFrom } });
  await show(<Banners />);
  expect(document.querySelector('.banner b')?.textContent).toBe(
    'The queue is held: this is the backup of Fri 21 Nov 2025 06:00',
  );
  expect(document.body.textContent).toContain('2 jobs wait in the queue');
  expect(document.body.textContent).toContain('look at the bill of your gateway');
  await click(byText('Open the queue'));
  await until(() => expect(window.location.hash).toBe('#/queue'));
  useStudio.setState({ queue: { ...queue, revision: 2, paused: false } });
  await until(() => expect(document.body.textContent).not.toContain('The queue is held'));
});

it('says nothing of a queue that the user has paused', async () => {
  fakeStudio({});
  useStudio.setState({ queue });
  await show(<Banners />);
  expect(document.querySelector('.banner')).toBeNull();
});
