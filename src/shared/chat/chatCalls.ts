import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { MAX_CALL_TEXT } from '../contract/callParts.ts';
import { id, text } from '../contract/paging.ts';
import type { Export } from '../film/filmExport.ts';
import { type ConversationPage, chatListSchema } from '../jobs/lists.ts';
import { MAX_MESSAGE_PICTURES } from '../kinds/chat.ts';
import { nightFlag, spendingShape } from '../money/ledger.ts';
import { isBlank } from '../text/nulCharacters.ts';
import { MAX_CHAT_FILE } from './chatFile.ts';
import type { Branch, BranchOnMap, BranchSum, Conversation, Message, Variant } from './conversation.ts';

/** Conversations: a tree of messages, of which one branch is active. */

const said = z
  .string()
  .max(MAX_CALL_TEXT)
  .refine((value) => !isBlank(value), 'must not be empty');

const pictures = z.array(id).max(MAX_MESSAGE_PICTURES).optional();

/** The settings of a requested answer. */
const asking = {
  model: z.string().min(1).max(200).optional(),
  system: z.string().max(100_000).optional(),
  stream: z.boolean().optional(),
  night: nightFlag,
  ...spendingShape,
};

/** Whether the model is offered the director's tools; only in a project; default: yes. */
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
  /** Messages of this branch that have variants. */
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
  /** Sets the title, or whether the model may draft. */
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
  /** Replaces a message of the user in a new branch. The old branch and its cost stay. Pictures are kept unless others are given. */
  'chat.edit': command<Asked>()(z.strictObject({ conversationId: id, messageId: id, text: said, pictures, ...asking })),
  /** Another answer in a new branch. */
  'chat.regenerate': command<Asked>()(answering),
  /** Requests the rest of a cut answer, or the answer to the results of its tool calls. */
  'chat.continue': command<Asked>()(answering),
  /** Starts a branch after this message; the next `chat.send` continues it. */
  'chat.branch': command<{ branch: string }>()(ofMessage),
  'chat.activate': command<null>()(z.strictObject({ conversationId: id, branch: id })),
  /** Stops the answer that is arriving in the active or the named branch. To cancel one that is queued: `jobs.cancel`. */
  'chat.stop': command<null>()(z.strictObject({ conversationId: id, branch: id.optional() })),
  /** The newest messages of a branch, oldest first, as many as fit one message between processes. */
  'chat.get': query<ThreadPage>()(z.strictObject({ conversationId: id, branch: id.optional(), before: id.optional() })),
  /** Every branch with the sums of its own messages; `way` sums the whole active or named branch. */
  'chat.branches': query<{ branches: BranchOnMap[]; way: BranchSum }>()(
    z.strictObject({ conversationId: id, branch: id.optional() }),
  ),
  'chat.list': query<ConversationPage>()(chatListSchema),
  'chat.remove': command<null>()(conversation),
  /** Markdown: the active branch, for reading. JSON: everything, for `chat.import`. */
  'chat.export': command<Export>()(
    z.strictObject({
      conversationId: id,
      format: z.enum(['markdown', 'json']),
    }),
  ),
  /** Imports a JSON export as a new conversation. Nothing is sent; its costs are in no sum here. */
  'chat.import': command<{ conversationId: string; messages: number }>()(
    z.strictObject({
      json: z.string().max(MAX_CHAT_FILE),
      projectId: id.optional(),
    }),
  ),
} as const;
