import { expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { boardSchema } from '../../../../shared/board.ts';
import { DEFAULT_MODELS, type ProfileView } from '../../../../shared/profile.ts';
import { fail } from '../../../../shared/result.ts';
import { useStudio } from '../../../app/index.ts';
import { acting, byText, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';
import { useBoardView } from '../useBoard.ts';

const limits = { contextTokens: 1_000 };
const profile = { id: 'p', name: 'Gateway', vendor: 'acme', omittedFields: [], limits, models: DEFAULT_MODELS };

const REFUSED = fail('conflict', 'Refused for a reason of its own.');

/** A page with two shots. Orders are answered by `answer`. */
async function open(answer: () => Promise<typeof REFUSED> = () => Promise.resolve(REFUSED)) {
  useStudio.setState({
    profiles: [profile as unknown as ProfileView],
    activeProfileId: 'p',
    projects: [],
    budgets: [],
  });
  useBoardView.setState({ tab: 'shot', shotId: 'a', promoting: undefined, isImporting: false });
  const config = { durationSeconds: 4 };
  const shots = ['a', 'b'].map((id) => ({ id, prompt: `Words of ${id}`, model: 'video-standard', config }));
  const board = boardSchema.parse({ projectId: 'send-bar', revision: 1, shots });
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'night.get': () => ({ current: null }) as never,
    'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1, lowNano: 1, unpriced: 0 }),
    'storyboard.makeTake': answer,
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(byText(labels.makeTake(1)).getAttribute('aria-disabled')).toBeNull());
  return () => studio.callsOf('storyboard.makeTake').map((input) => (input as { shotId: string }).shotId);
}

it('a press beside another shot is another press, and what went wrong stays with its shot', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof REFUSED>();
  const ordered = await open(() => promise);
  await press('Enter', { ctrlKey: true });
  await press('Enter', { ctrlKey: true });
  resolve(REFUSED);
  await until(() => expect(document.body.textContent).toContain('Refused for a reason of its own.'));
  expect(ordered()).toEqual(['a']);
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  expect(document.body.textContent).not.toContain('Refused for a reason of its own.');
  await until(() => expect(byText(labels.makeTake(1)).getAttribute('aria-disabled')).toBeNull());
  await press('Enter', { ctrlKey: true });
  await until(() => expect(ordered()).toEqual(['a', 'b']));
});

it('beside an audition it is not the primary button of the page', async () => {
  await open();
  expect(byText(labels.makeTake(1)).className).toContain('pri');
  await acting(() => useBoardView.setState({ tab: 'audition' }));
  expect(byText(labels.makeTake(1)).className).not.toContain('pri');
});
