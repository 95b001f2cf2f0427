import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id, text } from '../contract/paging.ts';
import type { Export } from '../film/filmExport.ts';
import { type ConversationPage, chatListSchema } from '../jobs/lists.ts';
import { MAX_MESSAGE_PICTURES } from '../kinds/chat.ts';
import { nightFlag, spendingShape } from '../money/ledger.ts';
import { isBlank } from '../text/plainText.ts';
import { MAX_CALL_TEXT } from './callParts.ts';
import { MAX_CHAT_FILE } from './chatFile.ts';
import type { Branch, BranchOnMap, BranchSum, Conversation, Message, Variant } from './conversation.ts';

/** Conversations: a tree of messages, of which one branch is active. */

const said = z
  .string()
  .max(MAX_CALL_TEXT)
  .refine((value) => !isBlank(value), 'must not be empty');

/** Ids of pictures of the library. */
const pictures = z.array(id).max(MAX_MESSAGE_PICTURES).optional();

/** What an answer is requested with. */
const asking = {
  model: z.string().min(1).max(200).optional(),
  system: z.string().max(100_000).optional(),
  stream: z.boolean().optional(),
  night: nightFlag,
  ...spendingShape,
};

/** Whether its model is offered the director's tools, where it has a project; it is unless switched off. */
const director = z.boolean().optional();

const conversation = z.strictObject({ conversationId: id });
const ofMessage = z.strictObject({ conversationId: id, messageId: id });
const answering = z.strictObject({ conversationId: id, messageId: id, ...asking });

/** `messageId` is the message that answers. */
interface Asked {
  messageId: string;
  jobId: string;
  branch: string;
}

/** A conversation as one branch shows it. */
export interface ThreadPage {
  conversation: Conversation;
  messages: Message[];
  /** The `before` of the preceding page. */
  earlier?: string;
  /** Every branch, oldest first. */
  branches: Branch[];
  /** The branch that is shown. */
  branch: string;
  /** Of these messages, those in place of which there are others. */
  variants: Variant[];
}

export const chatCalls = {
  'chat.create': command<{ conversationId: string }>()(
    z.strictObject({
      title: text,
      projectId: id.optional(),
      model: z.string().max(200).optional(),
      system: z.string().max(100_000).optional(),
      director,
    }),
  ),
  /** Gives it another title, or lets its model draft or not. */
  'chat.set': command<Conversation>()(
    z
      .strictObject({
        conversationId: id,
        title: z
          .string()
          .trim()
          .refine((title) => !isBlank(title), 'must not be empty')
          .max(200)
          .optional(),
        director,
      })
      .refine(({ title, director: on }) => title !== undefined || on !== undefined, 'needs a title, or director'),
  ),
  /** In the active branch, or in the named one, which becomes active. */
  'chat.send': command<{ messageId: string; jobId: string }>()(
    z.strictObject({ conversationId: id, text: said, pictures, branch: id.optional(), ...asking }),
  ),
  /**
   * Other words in place of a message of the user, in a branch of their own. What was there stays, with what it cost. Its pictures go along
   * unless others are named, or none.
   */
  'chat.edit': command<Asked>()(z.strictObject({ conversationId: id, messageId: id, text: said, pictures, ...asking })),
  /** Another answer in place of this one, in a branch of its own. */
  'chat.regenerate': command<Asked>()(answering),
  /** Requests the rest of an answer that was cut at its length, or the answer to the results of the tools that one has called. */
  'chat.continue': command<Asked>()(answering),
  /** A branch that starts behind this message: the next `chat.send` follows it. */
  'chat.branch': command<{ branch: string }>()(ofMessage),
  'chat.activate': command<null>()(z.strictObject({ conversationId: id, branch: id })),
  /** Stops what is still arriving in the active or the named branch. What waits for its night is canceled as a job (`jobs.cancel`). */
  'chat.stop': command<null>()(z.strictObject({ conversationId: id, branch: id.optional() })),
  /** The newest messages of the active or the named branch, oldest first, as many as one message between processes can hold. */
  'chat.get': query<ThreadPage>()(z.strictObject({ conversationId: id, branch: id.optional(), before: id.optional() })),
  /** The map: every branch with what was written in it; `way` is all of the active or the named branch. */
  'chat.branches': query<{ branches: BranchOnMap[]; way: BranchSum }>()(
    z.strictObject({ conversationId: id, branch: id.optional() }),
  ),
  /** Of every project, or of one; latest message first. */
  'chat.list': query<ConversationPage>()(chatListSchema),
  'chat.remove': command<null>()(conversation),
  /** As Markdown the active branch, to be read; as JSON everything, to be brought in elsewhere. */
  'chat.export': command<Export>()(
    z.strictObject({
      conversationId: id,
      format: z.enum(['markdown', 'json']),
    }),
  ),
  /** A conversation that was exported as JSON, as a new one. Nothing is sent, and its costs are in no sum here. */
  'chat.import': command<{ conversationId: string; messages: number }>()(
    z.strictObject({
      json: z.string().max(MAX_CHAT_FILE),
      projectId: id.optional(),
    }),
  ),
} as const;
