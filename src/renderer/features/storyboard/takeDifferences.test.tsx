import { expect, it } from 'vitest';
import { aJob, fakeStudio, show } from '../../testing/page.tsx';
import { TakeWords } from './Takes.tsx';

const words = () => document.querySelector('.cut');

it('a take says what differs from what was requested, and else when it was made', async () => {
  fakeStudio({});
  const made = aJob({ state: 'succeeded', finishedAt: new Date(2026, 10, 21, 6).getTime() });
  const differs = [
    { what: 'seconds' as const, ordered: '4 s', made: '8 s' },
    { what: 'audio' as const, ordered: 'with sound', made: 'without sound' },
  ];
  await show(<TakeWords job={{ ...made, differs }} />);
  expect(words()?.textContent).toBe('4 s requested, 8 s made; with sound requested, without sound made.');
  expect(words()?.getAttribute('title')).toMatch(/^4 s requested.*made\. .*21 Nov/);
  await show(<TakeWords job={made} />);
  expect(words()?.textContent).toMatch(/21 Nov/);
});
