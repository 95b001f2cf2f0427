import type { Message, MessageState, ToolResult } from '../../../shared/chat/conversation.ts';
import { cutOf } from '../../../shared/chat/finish.ts';
import type { ChatResult, Job, JobError, JobState } from '../../../shared/jobs/job.ts';

/** Messages as rows. The text of an answer is the text of its job. */

export interface MessageRow {
  seq: number;
  id: string;
  revision: number;
  conversation_id: string;
  role: Message['role'];
  text: string;
  job_id: string | null;
  created_at: number;
  branch_id: string | null;
  /** The number of the message that it follows, which is less than its own. */
  parent_seq: number | null;
  continues: string | null;
  elsewhere: string | null;
  tool_results: string | null;
  /** The ids of its pictures, as JSON: those that the user has shown, or the results of its job. */
  pictures: string | null;
  state: JobState | null;
  model: string | null;
  error: string | null;
  result: string | null;
  partial_text: string | null;
  partial_reasoning: string | null;
}

/** What came with an answer from elsewhere (`chat.import`). */
export type AnswerElsewhere = Pick<
  Message,
  'state' | 'model' | 'reasoning' | 'reasoningField' | 'finishReason' | 'usage' | 'toolCalls' | 'costElsewhereNano'
>;

export function messageOf(row: MessageRow): Message {
  const { id, revision, conversation_id: conversationId, role, created_at: createdAt } = row;
  const place = { branch: row.branch_id ?? '', ...(row.continues ? { continues: row.continues } : {}) };
  const base = { id, revision, conversationId, role, createdAt, ...place, ...toldOf(row) };
  if (row.role === 'user' || row.job_id === null)
    return { ...base, text: row.text, ...picturesOf(row), ...elsewhereOf(row) };
  const result = row.result ? (JSON.parse(row.result) as ChatResult) : undefined;
  const text = result?.text ?? row.partial_text ?? '';
  const shown = picturesOf(row);
  return {
    ...base,
    jobId: row.job_id,
    text,
    ...shown,
    state: stateOf(row.state ?? 'failed', text !== '' || shown.pictures !== undefined, result?.finishReason),
    ...thoughtOf(row, result),
    ...(row.model ? { model: row.model } : {}),
    ...(row.error ? { error: JSON.parse(row.error) as JobError } : {}),
    ...(result?.usage ? { usage: result.usage } : {}),
    ...(result?.finishReason ? { finishReason: result.finishReason } : {}),
    ...(result?.toolCalls ? { toolCalls: result.toolCalls } : {}),
  };
}

function thoughtOf(row: MessageRow, result: ChatResult | undefined): Pick<Message, 'reasoning' | 'reasoningField'> {
  const reasoning = result?.reasoning ?? row.partial_reasoning;
  if (!reasoning) return {};
  return { reasoning, ...(result?.reasoningField ? { reasoningField: result.reasoningField } : {}) };
}

const picturesOf = ({ pictures }: MessageRow): Pick<Message, 'pictures'> =>
  pictures === null ? {} : { pictures: JSON.parse(pictures) as string[] };

const toldOf = ({ tool_results: results }: MessageRow): Pick<Message, 'toolResults'> =>
  results === null ? {} : { toolResults: JSON.parse(results) as ToolResult[] };

const elsewhereOf = ({ elsewhere }: MessageRow): AnswerElsewhere =>
  elsewhere === null ? { state: 'done' } : (JSON.parse(elsewhere) as AnswerElsewhere);

/** A succeeded job was answered and charged, even if its answer was cut off. */
function stateOf(state: Job['state'], hasContent: boolean, finishReason: string | undefined): MessageState {
  if (state === 'succeeded') return cutOf(finishReason) ? 'partial' : 'done';
  if (state === 'running' || state === 'fetching') return 'streaming';
  if (state === 'failed' || state === 'canceled' || state === 'uncertain') return hasContent ? 'partial' : 'failed';
  return 'waiting';
}
