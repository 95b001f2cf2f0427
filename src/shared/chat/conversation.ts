import type { Reason } from '../contract/result.ts';
import type { ChatResult, JobError } from '../jobs/job.ts';
import type { Nano } from '../money/money.ts';

export interface Conversation {
  id: string;
  /** Increases with every change of this object; the greater one is newer. */
  revision: number;
  title: string;
  projectId?: string;
  /** The model for `chat.send` without one. */
  model?: string;
  system?: string;
  createdAt: number;
  updatedAt: number;
  messageCount: number;
  /** Charged for its jobs, at the higher price. Real money; test money only if every job used it. */
  chargedNano: Nano;
  /** Unconfirmed for the same jobs. */
  uncertainNano: Nano;
  /** The number of these jobs with no price set. */
  unpriced: number;
  /** Whether the model is offered the director's tools (only in a project). */
  director: boolean;
}

/** `partial`: the answer broke off (connection, length or filter) or was stopped; the received part is kept. */
export const MESSAGE_STATES = ['waiting', 'streaming', 'done', 'partial', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export interface Message {
  id: string;
  /** Increases with every change of this object; the greater one is newer. */
  revision: number;
  conversationId: string;
  role: 'user' | 'assistant';
  text: string;
  /** Pictures shown with the message, or returned with the answer. */
  pictures?: string[];
  reasoning?: string;
  reasoningField?: ChatResult['reasoningField'];
  state: MessageState;
  jobId?: string;
  model?: string;
  error?: JobError;
  usage?: ChatResult['usage'];
  /** As the gateway states it. */
  finishReason?: string;
  toolCalls?: ChatResult['toolCalls'];
  /** The calls that Dailies has answered; the model gets the results with the next message. */
  toolResults?: ToolResult[];
  createdAt: number;
  branch: string;
  /** The cut answer that this one continues; both are shown as one. */
  continues?: string;
  /** The cost of an imported answer elsewhere; in no sum here. */
  costElsewhereNano?: Nano;
}

/** A tool call with its answer. Id, name and arguments are in a form that a gateway accepts back. */
export interface ToolResult {
  id: string;
  name: string;
  arguments: string;
  thoughtSignature?: string;
  content: string;
  /** Why the call was refused. */
  error?: Reason;
}

/** One path through a conversation, from its first message to the newest of this branch. */
export interface Branch {
  id: string;
  /** The message at which it leaves its parent; for the first branch, its first message. */
  messageId: string;
  parent?: string;
  createdAt: number;
  active: boolean;
}

/** A message with alternatives: in other branches, after the same message. */
export interface Variant {
  messageId: string;
  /** From 1, in the order in which they were written. */
  at: number;
  of: number;
  previous?: string;
  next?: string;
}

export interface BranchOnMap extends Branch, BranchSum {
  /** The beginning of the first user message in it; the sums cover only its own messages. */
  title: string;
}

/** The messages of one branch from the start, those shared with other branches included. */
export interface BranchSum {
  messageCount: number;
  chargedNano: Nano;
  uncertainNano: Nano;
  unpriced: number;
}
