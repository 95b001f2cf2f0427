import { create } from 'zustand';
import type { Board, Shot } from '../../../../shared/board.ts';
import { KINDS } from '../../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../../shared/kinds/pricedQuantity.ts';
import { EXTENSION_SECONDS, quantityOfClips } from '../../../../shared/kinds/video.ts';
import type { ShownPrice } from '../../../../shared/ledger.ts';
import type { ModelDependent } from '../../../../shared/modelCalls.ts';
import type { StudioError } from '../../../../shared/result.ts';
import { inflected, t } from '../../../../shared/texts.ts';
import { cacheJobs } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { isAnswerLost, type SendFailure, sendOnce } from '../../../spending/index.ts';

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
  shown: ShownPrice | undefined;
  night: boolean;
}

/**
 * Adds a shot that extends the kept take, and orders its take in the same step. Where an answer was lost, the board may have that shot
 * already: it is the same shot that is ordered again.
 */
export async function extend({ dependent, model, shown, night }: Order): Promise<string | StudioError | undefined> {
  const { projectId, jobId, output } = dependent;
  const board = await call('storyboard.get', { projectId });
  if (!board.ok) return board.error;
  const added = extendingShot(board.data, dependent, model);
  if (!added) return t`The shot is not on its board any more.`;
  const shotId = crypto.randomUUID();
  const order = { projectId, shotId, added, shown, ...(night ? { night } : {}) };
  // Not the place behind its shot: the board may have the new shot there by then.
  const own = [projectId, dependent.shotId, jobId, output, model, added.shot];
  const answer = await sendOnce('storyboard.makeTake', order, { own });
  if (answer.ok) cacheJobs([answer.data.job]);
  return answer.ok ? undefined : answer.error;
}

/** A kept take, extended by a model. */
const nameOf = (model: string, { projectId, shotId, jobId, output }: ModelDependent): string =>
  JSON.stringify([model, projectId, shotId, jobId, output]);

/**
 * The extensions that were ordered together, and those that are being ordered. Not in the dialog: that may be left while they are ordered, and
 * the next one would order, and pay for, the same once more.
 */
export const useOrdered = create<{ names: ReadonlySet<string> }>()(() => ({ names: new Set() }));

/** Before the first of them is sent; taken back of those that were not ordered after all. */
function markOrdered(model: string, shots: readonly ModelDependent[], isOrdered: boolean): void {
  const names = new Set(useOrdered.getState().names);
  for (const shot of shots) names[isOrdered ? 'add' : 'delete'](nameOf(model, shot));
  useOrdered.setState({ names });
}

/** Those that are left to be ordered. */
export const notOrdered = (
  model: string,
  shots: readonly ModelDependent[],
  { names } = useOrdered.getState(),
): ModelDependent[] => shots.filter((shot) => !names.has(nameOf(model, shot)));

/**
 * Orders one after the other, up to the first that fails, and says how many were ordered before it. `left`: those that were not. An order
 * that was kept for a night is sent again as it was: those of it that were ordered already are left out.
 */
export async function extendInOrder(
  orders: readonly ModelDependent[],
  order: Omit<Order, 'dependent'>,
): Promise<{ failure: SendFailure; left: readonly ModelDependent[] }> {
  const open = notOrdered(order.model, orders);
  markOrdered(order.model, open, true);
  for (const [at, dependent] of open.entries()) {
    const failure = await extend({ ...order, dependent });
    if (failure === undefined) continue;
    const left = open.slice(at);
    const done = orders.length - left.length;
    markOrdered(order.model, left, false);
    return { failure: done === 0 ? failure : { failure, sent: sentWords(done, orders.length, failure) }, left };
  }
  return { failure: undefined, left: [] };
}

function sentWords(done: number, all: number, failure: string | StudioError): string {
  const ordered = t`${done} of ${all} ${inflected(done, 'is', 'are')} ordered`;
  const left = all - done;
  if (typeof failure === 'object' && isAnswerLost(failure))
    return t`${ordered}; the next one may be in the queue all the same. Ordered again with the rest, it is not sent twice.`;
  return t`${ordered}; the ${left === 1 ? t`last one was` : t`other ${left} were`} not sent.`;
}
