import { t } from '../../../../shared/text/texts.ts';
import type { PollOutcome } from '../../gateway/index.ts';
import type { AssetRow } from '../assetColumns.ts';
import { type Attempt, type DownloadDecision, retryLater } from './downloadDecision.ts';

/**
 * Polls the task that made a job's results, which costs nothing and changes nothing of the job. Undefined if it has none, such as where its
 * results came with the answer.
 */
export type AskTask = (jobId: string) => Promise<PollOutcome | undefined>;

/** Links that a service names for one result without a byte that is kept: more of them lead nowhere either. */
export const MAX_RENEWALS = 3;

/**
 * What follows for a result that would be given up, or whose link is over. Services keep their tasks for longer than their links, and sign a new link at each poll.
 * `results`: how many its job has; where the task names another number, it is not known which is which.
 */
export function decideRenewal(
  attempt: Attempt,
  decision: Extract<DownloadDecision, { type: 'abandoned' | 'retry' }>,
  outcome: PollOutcome | undefined,
  results: number,
): DownloadDecision {
  if (decision.type === 'abandoned' && outcome?.type === 'unreachable' && isForNow(outcome)) {
    const message = t`${decision.message} A new link is asked for as soon as the gateway answers.`;
    // The announced end is that of the link, not of the task.
    const later = retryLater({ ...attempt, asset: { ...attempt.asset, expires_at: null } }, { message });
    return later.type === 'retry' ? later : decision;
  }
  if (outcome?.type !== 'done' || outcome.outputs.length !== results) return decision;
  const { role, output_index, remote_uri } = attempt.asset;
  const output = outcome.outputs[output_index ?? 0];
  if (output?.role !== role || output.uri === remote_uri || !/^https?:/i.test(output.uri)) return decision;
  return { type: 'renewed', uri: output.uri, expiresAt: output.expiresAt ?? null };
}

/** Whether the service may answer otherwise later: all but a refusal of the poll itself. A page in its place is none. */
const isForNow = ({ error }: Extract<PollOutcome, { type: 'unreachable' }>): boolean =>
  error.retryable || error.wrongPlace === true || (error.kind !== 'invalid' && error.kind !== 'moderation');

/** Whether a task could name another link: not for bytes that stood in its answer. */
export const isRenewable = ({ job_id, output_index, remote_uri }: AssetRow): boolean =>
  job_id !== null && output_index !== null && !remote_uri?.startsWith('data:');
