import type { ChatResult, JobError } from './job.ts';
import type { Nano } from './money.ts';

export interface Conversation {
  id: string;
  /** Grows with every change of what stands here; the greater one is the newer. */
  revision: number;
  title: string;
  projectId?: string;
  /** Used where `chat.send` names no other. */
  model?: string;
  system?: string;
  createdAt: number;
  updatedAt: number;
  messageCount: number;
  /** Sum over its jobs, dearer reading: of those in real money, or of all where each is play money. */
  chargedNano: Nano;
  /** How many of the same jobs cost what nobody knows. */
  unpriced: number;
}

/** `partial`: the answer was cut off (by the line, its length or a filter) or stopped; what had come is kept. */
export const MESSAGE_STATES = ['waiting', 'streaming', 'done', 'partial', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export interface Message {
  id: string;
  /** Grows with every change of what stands here; the greater one is the newer. */
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
  /** In the service's own word. */
  finishReason?: string;
  toolCalls?: ChatResult['toolCalls'];
  createdAt: number;
}
