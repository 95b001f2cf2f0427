import { MAX_BRANCHES } from '../../../shared/chat/chatFile.ts';
import { offersTools } from '../../../shared/chat/director/tools.ts';
import { GO_ON, incompleteReason } from '../../../shared/chat/finish.ts';
import { sentMessages } from '../../../shared/chat/modelMessages.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { ChatMessage } from '../../../shared/kinds/chat.ts';
import { en } from '../../../shared/text/texts.ts';
import type { ReadDb } from '../store/index.ts';
import { type ConversationRow, type MessageRow, messageOf } from './conversations.ts';
import * as queries from './queries.ts';
import { type Head, headOf, pathTo } from './tree.ts';

/** For each call that requests an answer: the messages for the model, and the place of the answer. */

export type AskingCall = 'chat.send' | 'chat.edit' | 'chat.regenerate' | 'chat.continue';

export interface NewBranch {
  parent: string | null;
  /** The message that the new one replaces or follows. */
  messageId: string;
  behind: number | null;
}

export interface AnswerRequest {
  messages: ChatMessage[];
  /** The user's message, with the ids of its pictures. */
  said?: string;
  pictures?: readonly string[] | undefined;
  /** The answer that the new one continues. */
  continues?: string;
  /** The place of the answer: the end of a branch, or a new branch. */
  place: { branch: string } | NewBranch | { after: MessageRow };
  /** The model of the continued answer. */
  model?: string | undefined;
}

export const noSuchConversation = fail('not_found', 'There is no such conversation.');
export const noSuchMessage = fail('not_found', 'There is no such message in this conversation.', {
  field: 'messageId',
});

/** Refused if there is no room for another branch. */
export function spaceForBranch(db: ReadDb, conversationId: string): Result<null> {
  const count = db.one<{ n: number }>(queries.countBranches, { conversationId })?.n ?? 0;
  return count < MAX_BRANCHES
    ? ok(null)
    : fail('wrong_state', en`This conversation has ${MAX_BRANCHES} branches, which is the most. Start a new one.`);
}

export const rowOf = (db: ReadDb, conversationId: string, id: string): MessageRow | undefined =>
  db.one<MessageRow>(queries.messageById, { id, conversationId });

type AskFor<Call extends AskingCall> = (
  db: ReadDb,
  conversation: ConversationRow,
  input: CallParsed<Call>,
) => Result<AnswerRequest>;

const sentWith = (conversation: ConversationRow, input: { system?: string | undefined }) => ({
  system: input.system ?? conversation.system ?? undefined,
  hasTools: mayDraft(conversation),
});

/** Whether the model is offered the director's tools. */
export const mayDraft = ({ project_id: projectId, director }: ConversationRow): boolean =>
  offersTools({ projectId: projectId ?? undefined, director: director === 1 });

export const send: AskFor<'chat.send'> = (db, conversation, input) => {
  const found = headOf(db, conversation, input.branch);
  if (!found.ok) return found;
  const { id, head }: Head = found.data;
  const way = pathTo(db, conversation.id, head);
  return ok({
    messages: sentMessages(way, { ...sentWith(conversation, input), said: input.text, pictures: input.pictures }),
    said: input.text,
    pictures: input.pictures,
    place: { branch: id },
  });
};

/** The edited text follows the same message as the old one. */
export const edit: AskFor<'chat.edit'> = (db, conversation, input) => {
  const row = rowOf(db, conversation.id, input.messageId);
  if (!row) return noSuchMessage;
  if (row.role !== 'user')
    return fail('invalid_input', 'messageId: must be a message of the user; an answer is made anew instead.', {
      field: 'messageId',
    });
  const way = pathTo(db, conversation.id, olderThan(row));
  const pictures = input.pictures ?? messageOf(row).pictures;
  return ok({
    messages: sentMessages(way, { ...sentWith(conversation, input), said: input.text, pictures }),
    said: input.text,
    pictures,
    place: { parent: row.branch_id, messageId: row.id, behind: olderThan(row) },
  });
};

/** The new answer replaces the old one with all its continuations, and follows the same message. */
export const regenerate: AskFor<'chat.regenerate'> = (db, conversation, input) => {
  const given = rowOf(db, conversation.id, input.messageId);
  if (!given) return noSuchMessage;
  if (given.role === 'user') return notAnAnswer;
  const row = firstPart(db, given);
  const way = pathTo(db, conversation.id, olderThan(row));
  const messages = sentMessages(way, sentWith(conversation, input));
  if (!isAsking(messages.at(-1)))
    return fail('wrong_state', en`What this answers is gone, so it cannot be made anew.`, { field: 'messageId' });
  return ok({ messages, place: { parent: row.branch_id, messageId: row.id, behind: olderThan(row) } });
};

/** A model answers the user's text or the results of its tool calls. */
const isAsking = (last: ChatMessage | undefined): boolean => last?.role === 'user' || last?.role === 'tool';

/** A continuation, or the answer to tool results, follows in the same branch if the message is its newest. */
export const continueAnswer: AskFor<'chat.continue'> = (db, conversation, input) => {
  const row = rowOf(db, conversation.id, input.messageId);
  if (!row) return noSuchMessage;
  if (row.role === 'user') return notAnAnswer;
  const message = messageOf(row);
  const way = pathTo(db, conversation.id, row.seq);
  const place = { after: row };
  if (message.toolResults && mayDraft(conversation))
    return ok({ messages: sentMessages(way, sentWith(conversation, input)), place, model: message.model });
  if (message.state !== 'partial' || incompleteReason(message.finishReason) !== 'length' || message.text.trim() === '')
    return message.toolResults ? mayNotCall : notCut;
  return ok({
    messages: sentMessages(way, { ...sentWith(conversation, input), said: GO_ON }),
    continues: row.id,
    place,
    model: message.model,
  });
};

const notCut = fail('wrong_state', 'messageId: must be an answer that was cut at its length.', { field: 'messageId' });
const mayNotCall = fail(
  'wrong_state',
  en`messageId: the model goes on from what its calls brought only in a chat of a project in which the director can draft.`,
  { field: 'messageId' },
);
const notAnAnswer = fail('invalid_input', 'messageId: must be an answer.', { field: 'messageId' });

/** A damaged row may name a later message, which is ignored. */
export const olderThan = ({ seq, parent_seq: parent }: MessageRow): number | null =>
  parent !== null && parent < seq ? parent : null;

/** The first part of a continued answer. */
function firstPart(db: ReadDb, row: MessageRow): MessageRow {
  let first = row;
  while (first.continues !== null) {
    const before = rowOf(db, first.conversation_id, first.continues);
    if (!before || before.seq >= first.seq) break;
    first = before;
  }
  return first;
}
