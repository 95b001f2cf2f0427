import { expect } from 'vitest';
import { type Board, boardSchema, type Shot } from '../../shared/board/board.ts';
import { fail } from '../../shared/contract/result.ts';
import type { Settings } from '../../shared/contract/settings.ts';
import type { ProfileView } from '../../shared/gateway/profile.ts';
import type { Job } from '../../shared/jobs/job.ts';
import type { Asset } from '../../shared/library/asset.ts';
import { useEntities, useStudio } from '../app/index.ts';
import { BoardPage } from '../features/storyboard/BoardPage.tsx';
import { useBoardView } from '../features/storyboard/useBoard.ts';
import { Toasts } from '../ui/index.ts';
import { type Answers, acting, aJob, anAsset, type FakeStudio, fakeStudio, show, until } from './page.tsx';

/** jsdom shows no frame of a clip. */
Object.assign(HTMLVideoElement.prototype, { requestVideoFrameCallback: () => 0, cancelVideoFrameCallback: () => {} });

let boards = 0;

/** A board of its own: boards outlive their pages. */
export const aBoard = (shots: object[], more: object = {}): Board =>
  boardSchema.parse({ projectId: `board-${++boards}`, revision: 1, shots, ...more });

/** A shot of which a take can be made. */
export const aShot = (id: string, more: Partial<Shot> = {}): Shot => ({
  ...{ id, title: '', prompt: 'A pier', model: 'video-standard', source: 'text', config: { durationSeconds: 4 } },
  ...{ referenceImages: [], takes: [] },
  ...more,
});

/** A take that was made, with its clip. */
export const aTake = (id: string, more: Partial<Job> = {}, clip: Partial<Asset> = {}): Job =>
  aJob({
    ...{ id, kind: 'video', state: 'succeeded', finishedAt: 1 },
    outputs: [anAsset({ id: `c-${id}`, sha256: id, mime: 'video/mp4', jobId: id, seconds: 4, ...clip })],
    ...more,
  });

/** As if the studio had told of these jobs. */
export const knowJobs = (...jobs: Job[]): void =>
  useEntities.setState({
    jobs: new Map(jobs.map((job) => [job.id, job])),
    assets: new Map(jobs.flatMap(({ outputs }) => outputs).map((asset) => [asset.id, asset])),
  });

/** A page that is left saves at once. */
export const saveNow = (): Promise<void> => acting(() => window.dispatchEvent(new Event('pagehide')));

export interface OpenBoard {
  studio: FakeStudio;
  projectId: string;
  /** The board as the studio has it. */
  saved: () => Board;
  /** The studio changes it, and tells nobody yet. */
  change: (change: (board: Board) => object) => Board;
  /** Another window changes it. */
  elsewhere: (change: (board: Board) => object) => Promise<void>;
}

interface BoardFacts {
  jobs?: readonly Job[];
  /** The answer to the first save is lost. */
  isMute?: boolean;
  uploads?: Parameters<typeof fakeStudio>[1];
}

/** The page of a board of its own, which is saved over the revision it is at. */
export async function openBoard(content: object, more: Answers & BoardFacts = {}): Promise<OpenBoard> {
  const { jobs = [], isMute = false, uploads, ...answers } = more;
  let board = aBoard([], content);
  const { projectId } = board;
  const studio = fakeStudio(
    {
      'storyboard.get': () => board,
      'storyboard.save': (saved) => {
        if (saved.revision !== board.revision) return fail('conflict', 'The board has a newer revision.');
        board = boardSchema.parse({ ...board, ...saved, revision: board.revision + 1 });
        return isMute && board.revision === 2 ? fail('unreachable', 'The answer was lost.') : board;
      },
      'jobs.list': () => ({ jobs: [...jobs], total: jobs.length }),
      'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1, lowNano: 1, unpriced: 0 }),
      ...answers,
    },
    uploads,
  );
  useStudio.setState({
    settings: { projectId } as Settings,
    projects: [{ id: projectId, name: 'Ferry', createdAt: 0 }],
  });
  await show(
    <>
      <BoardPage projectId={projectId} />
      <Toasts />
    </>,
  );
  // The code of a tab is loaded when it is first shown.
  await until(() => expect(document.querySelector('.sbPanel > .skel, aside > .skel')).toBeNull());
  const change: OpenBoard['change'] = (changed) => {
    board = boardSchema.parse({ ...board, ...changed(board), revision: board.revision + 1 });
    return board;
  };
  const elsewhere: OpenBoard['elsewhere'] = (changed) =>
    studio.emit({ type: 'board.changed', projectId, revision: change(changed).revision });
  return { studio, projectId, saved: () => board, change, elsewhere };
}

/** The board's page as at the first start: nothing read, chosen or imported. */
export function freshBoard(
  view: Partial<ReturnType<typeof useBoardView.getState>> = {},
  ...profiles: ProfileView[]
): void {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles, activeProfileId: profiles[0]?.id, projects: [], budgets: [] });
  useBoardView.setState({ ...useBoardView.getInitialState(), ...view }, true);
}
