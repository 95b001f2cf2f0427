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
  /** The sum of its jobs at the highest price: of those in real money, or of all if every one is play money. */
  chargedNano: Nano;
  /** What may have been billed for the same jobs besides. */
  uncertainNano: Nano;
  /** The number of the same jobs without a known price. */
  unpriced: number;
  /** Whether the model may draft where there is a project: it is offered the director's tools. */
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
  /** Ids of the pictures that the model was shown with the words, or that came with its answer. */
  pictures?: string[];
  reasoning?: string;
  reasoningField?: ChatResult['reasoningField'];
  state: MessageState;
  jobId?: string;
  model?: string;
  error?: JobError;
  usage?: ChatResult['usage'];
  /** The service's own word. */
  finishReason?: string;
  toolCalls?: ChatResult['toolCalls'];
  /** The calls that Dailies has answered, each as the model is told of it with the next message. */
  toolResults?: ToolResult[];
  createdAt: number;
  /** The branch in which it was written. */
  branch: string;
  /** The answer, cut at its length, that this one goes on with: both are read as one. */
  continues?: string;
  /** Of an answer that came in with a chat from elsewhere: what it cost there, which is in no sum here. */
  costElsewhereNano?: Nano;
}

/** A call of a tool with its answer. Id, name and arguments are such that a service takes them back. */
export interface ToolResult {
  id: string;
  name: string;
  arguments: string;
  thoughtSignature?: string;
  content: string;
  /** Why nothing could be made of the call. */
  error?: Reason;
}

/** One way through the messages of a conversation: from the first to the newest of this branch. */
export interface Branch {
  id: string;
  /** The message at which it parts from its parent: edited, made anew, or the one it starts behind. Of the first branch, its first message. */
  messageId: string;
  /** The branch that it parts from. */
  parent?: string;
  createdAt: number;
  active: boolean;
}

/** A message that stands in place of others of its kind: after the same one, in another branch each. */
export interface Variant {
  messageId: string;
  /** From 1, in the order in which they were written. */
  at: number;
  of: number;
  /** The branches of those beside it. */
  previous?: string;
  next?: string;
}

/** A branch as a place on the map. */
export interface BranchOnMap extends Branch, BranchSum {
  /** The beginning of the first message of the user in it; the sums are of what was written in it alone. */
  title: string;
}

/** The messages of one branch from the first on, those that it shares with others included. */
export interface BranchSum {
  messageCount: number;
  chargedNano: Nano;
  uncertainNano: Nano;
  unpriced: number;
}
