import type { Board, Shot } from '../../../../shared/board.ts';
import { contentOfTakes } from '../../../../shared/casting.ts';
import { KINDS } from '../../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../../shared/kinds/pricedQuantity.ts';
import { EXTENSION_SECONDS, quantityOfClips } from '../../../../shared/kinds/video.ts';
import type { ShownPrice } from '../../../../shared/ledger.ts';
import type { ModelDependent } from '../../../../shared/modelCalls.ts';
import { t } from '../../../../shared/texts.ts';
import { cacheJobs } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { type SendFailure, sendOnce } from '../../../spending/index.ts';

/** What extending a take is priced by. */
export const extensionQuantity = (model: string): PricedQuantity => ({
  kind: KINDS.video.name,
  model,
  quantity: quantityOfClips({ config: { durationSeconds: EXTENSION_SECONDS } }),
});

/** The shot that extends a kept take: with its words and form, behind its shot. */
export function extendingShot(
  { shots }: Pick<Board, 'shots'>,
  { shotId, jobId, output }: ModelDependent,
  model: string,
): { shot: Omit<Shot, 'id' | 'takes'>; before?: string } | undefined {
  const at = shots.findIndex(({ id }) => id === shotId);
  const source = shots[at];
  if (!source) return undefined;
  const { seed: _, sampleCount: __, numberOfVideos: ___, ...config } = source.config;
  const next = shots[at + 1];
  const shot = {
    title: '',
    prompt: source.prompt,
    model,
    source: 'extend' as const,
    config,
    video: { jobId, ...(output > 0 ? { output } : {}) },
    referenceImages: [],
  };
  return { shot, ...(next ? { before: next.id } : {}) };
}

interface Order {
  dependent: ModelDependent;
  model: string;
  /** The id that its shot will have: the same for a press that is repeated after a lost answer. */
  shotId: string;
  shown: ShownPrice | undefined;
  night: boolean;
}

/** Adds a shot that extends the kept take, and orders its take in the same step. */
export async function extend({ dependent, model, shotId, shown, night }: Order): Promise<SendFailure> {
  const { projectId } = dependent;
  const board = await call('storyboard.get', { projectId });
  if (!board.ok) return board.error;
  const added = extendingShot(board.data, dependent, model);
  if (!added) return t`The shot is not on its board any more.`;
  const order = { projectId, shotId, added, shown, ...(night ? { night } : {}) };
  const content = contentOfTakes([{ ...added.shot, id: shotId, takes: [] }], board.data.cast);
  const answer = await sendOnce('storyboard.makeTake', order, content);
  if (answer.ok) cacheJobs([answer.data.job]);
  return answer.ok ? undefined : answer.error;
}
