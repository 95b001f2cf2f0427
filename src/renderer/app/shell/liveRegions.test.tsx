import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { acting, fakeStudio, show } from '../../testing/page.tsx';
import { announce } from '../announce.ts';
import { useStudio } from '../state/studio.ts';
import { App } from './App.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('of several polite sentences within two seconds the last is said', async () => {
  fakeStudio({});
  useStudio.setState({ phase: 'loading' });
  await show(<App />);
  const said = () => document.querySelector('[aria-live=polite]')?.textContent;
  const say = async (...sentences: string[]) => {
    for (const sentence of sentences) await acting(() => announce(sentence));
    await acting(() => vi.advanceTimersByTimeAsync(10));
  };
  await say('One', 'Two');
  expect(said()).toBe('Two');
  await say('Three', 'Four');
  expect(said()).toBe('Two');
  await acting(() => vi.advanceTimersByTimeAsync(2_000));
  expect(said()).toBe('Four');
});

it.each(['polite', 'assertive'] as const)('what is said again in the same words is told again: %s', async (level) => {
  fakeStudio({});
  useStudio.setState({ phase: 'loading' });
  await show(<App />);
  const region = document.querySelector(`[aria-live=${level}]`) as HTMLElement;
  const said: string[] = [];
  const observer = new MutationObserver((changes) =>
    said.push(...changes.flatMap(({ addedNodes }) => [...addedNodes].map(({ textContent }) => textContent ?? ''))),
  );
  observer.observe(region, { childList: true, characterData: true, subtree: true });
  for (let time = 0; time < 2; time++) {
    await acting(() => announce('Keep', level));
    await acting(() => vi.advanceTimersByTimeAsync(3_000));
  }
  observer.disconnect();
  expect(said).toEqual(['Keep', 'Keep']);
});
