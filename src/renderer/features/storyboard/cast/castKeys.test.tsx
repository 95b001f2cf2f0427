import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { type Board, boardSchema } from '../../../../shared/board.ts';
import { freshBoard } from '../../../testing/boardPage.ts';
import { acting, aJob, anAsset, byText, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';

const member = (id: string) => ({ id, name: id, sheets: [{ assetId: `sheet-${id}` }] });
const shot = (id: string, more: object) => ({ id, model: 'video-standard', source: 'references', ...more });

let count = 0;

/** A shot that names four of the cast, of whom three have room; and one whose take was made from another picture. */
async function open(): Promise<() => Board> {
  count += 1;
  let board = boardSchema.parse({
    projectId: `cast-${count}`,
    revision: 1,
    cast: ['Ada', 'Ben', 'Cleo', 'Dan'].map(member),
    shots: [
      shot('a', { prompt: '@Ada, @Ben, @Cleo and @Dan' }),
      shot('b', { prompt: '@Ada', takes: ['t'], activeTake: 't' }),
    ],
  });
  const sent = { kind: 'video', model: 'video-standard', prompt: 'Ada', config: {} } as const;
  const take = aJob({
    id: 't',
    state: 'succeeded',
    finishedAt: 1,
    request: {
      ...sent,
      cast: [{ memberId: 'Ada', name: 'Ada', kind: 'person', slot: 1, sheet: 1, assetId: 'older' }],
    } as never,
    inputs: [{ field: 'referenceImages.0', assetId: 'older', sha256: 'older' }],
    outputs: [anAsset({ id: 'clip', mime: 'video/mp4', role: 'output', jobId: 't' })],
  });
  fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      board = boardSchema.parse({ ...board, ...saved, revision: board.revision + 1 });
      return board;
    },
    'jobs.list': () => ({ jobs: [take], total: 1 }),
    'library.get': ({ id }) => anAsset({ id, sha256: id }),
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => byText(labels.addToTheCast));
  return () => board;
}

beforeEach(() => freshBoard({ tab: 'cast' }));

it('X swaps the picture that is left out in, and the last one of the others out', async () => {
  const saved = await open();
  await press('x');
  await acting(() => window.dispatchEvent(new Event('pagehide')));
  await until(() => expect(saved().shots[0]?.slots?.held).toEqual(['Dan']));
});

it('Shift S shows the shot whose take was made from another picture', async () => {
  await open();
  await until(() => expect(document.body.textContent).toContain(labels.slotsOfShot(1)));
  await press('S', { shiftKey: true });
  await until(() => expect(document.body.textContent).toContain(labels.slotsOfShot(2)));
});
