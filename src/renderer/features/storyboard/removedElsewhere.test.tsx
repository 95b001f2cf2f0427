import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { boardSchema } from '../../../shared/board.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { freshBoard } from '../../testing/boardPage.ts';
import { acting, byText, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';

beforeEach(() => freshBoard({ tab: 'shot', shotId: 'b' }, aProfile()));

it.each([
  ['its prompt', 'textarea.prompt'],
  ['its model', '[role="combobox"]'],
])('a shot that is removed elsewhere while the focus is in %s orders no other one', async (_, field) => {
  const shot = { prompt: 'A pier', model: 'video-standard', config: { durationSeconds: 4 } };
  let board = boardSchema.parse({
    projectId: `removed-${field}`,
    revision: 1,
    shots: [
      { id: 'a', ...shot },
      { id: 'b', ...shot },
    ],
  });
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1e9, lowNano: 1e9, unpriced: 0 }),
  });
  await show(<BoardPage projectId={board.projectId} />);
  const isReady = () => expect(byText(labels.makeTake(1)).getAttribute('aria-disabled')).not.toBe('true');
  await until(isReady);
  await until(() => byText(labels.shotN(2), 'h2'));
  await acting(() => document.querySelector<HTMLElement>(`.insp ${field}`)?.focus());
  expect(document.activeElement?.matches(field)).toBe(true);
  board = { ...board, revision: 2, shots: board.shots.slice(0, 1) };
  await studio.emit({ type: 'board.changed', projectId: board.projectId, revision: 2 });
  await until(() => byText(labels.shotN(1), 'h2'));
  await press('Enter', { ctrlKey: true });
  expect(studio.callsOf('storyboard.makeTake')).toEqual([]);
  byText(labels.theShotThatWasChosen, '.why');
  await acting(() => document.querySelector<HTMLElement>('.insp textarea.prompt')?.focus());
  await until(isReady);
  await press('Enter', { ctrlKey: true });
  await until(() => expect(studio.callsOf('storyboard.makeTake')).toMatchObject([{ shotId: 'a' }]));
});
