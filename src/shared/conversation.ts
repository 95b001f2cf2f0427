import type { ChatResult, JobError } from './job.ts';
import type { Nano } from './money.ts';

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
  /** The number of the same jobs without a known price. */
  unpriced: number;
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
  reasoning?: string;
  state: MessageState;
  jobId?: string;
  model?: string;
  error?: JobError;
  usage?: ChatResult['usage'];
  /** The service's own word. */
  finishReason?: string;
  toolCalls?: ChatResult['toolCalls'];
  createdAt: number;
}
