import { beforeEach, expect, it } from 'vitest';
import type { Board } from '../../../../shared/board.ts';
import { DEFAULT_MODELS, type ProfileView } from '../../../../shared/profile.ts';
import { freshBoard } from '../../../testing/boardPage.ts';
import { acting, fakeStudio, show, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';

const profile = {
  id: 'p',
  name: 'Gateway',
  vendor: 'acme',
  fieldCase: 'snake',
  seedPlacement: 'beside',
  pictures: 'link',
  omittedFields: ['fps', 'seed'],
  limits: { contextTokens: 1_000 },
  models: DEFAULT_MODELS,
} as unknown as ProfileView;

beforeEach(() => freshBoard({}, profile));

it('shows what has no place as off with its reason, and the request as it would be sent', async () => {
  const config = { durationSeconds: 4, numberOfVideos: 3, fps: 24, seed: 7 } as const;
  const shot = { id: 'a', title: '', prompt: 'Sea', model: 'video-standard', source: 'text' as const, config };
  const board = {
    projectId: 'more',
    revision: 1,
    shots: [{ ...shot, referenceImages: [], takes: [] }],
  } satisfies Board;
  fakeStudio({
    'storyboard.get': () => board,
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: false, canRedo: false }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
  });
  await show(<BoardPage projectId="more" />);
  const text = () => document.querySelector('.insp')?.textContent ?? '';
  await until(() => expect(text()).toContain('More settings'));
  expect(text()).toContain('Gateway does not take seed (Settings, Dialect).');
  expect(text()).toContain('Gateway does not take fps (Settings, Dialect).');
  expect(text()).toContain('Only references have a type; this shot has none.');
  expect(text()).toContain('1 take, 3 clips, 4 s');
  const sent = [...document.querySelectorAll('details')].at(-1);
  await acting(() => {
    if (sent) sent.open = true;
  });
  await until(() => expect(document.querySelector('.sent')).not.toBeNull());
  expect(JSON.parse(document.querySelector('.sent pre')?.textContent ?? '')).toMatchObject({
    extra_body: { acme: { config: { duration_seconds: 4, number_of_videos: 3 } } },
  });
  expect(document.querySelector('.sent pre')?.textContent).not.toMatch(/fps|seed/);
});
