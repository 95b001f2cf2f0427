import { useMemo } from 'react';
import type { Message } from '../../../shared/chat/conversation.ts';
import { DIRECTOR_TOOLS, offersTools } from '../../../shared/chat/director/tools.ts';
import { GO_ON } from '../../../shared/chat/finish.ts';
import { sentMessages } from '../../../shared/chat/modelMessages.ts';
import { modelLimits } from '../../../shared/gateway/modelFacts.ts';
import { readiness } from '../../../shared/jobs/readiness.ts';
import type { ChatRequest } from '../../../shared/kinds/chat.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../shared/kinds/pricedQuantity.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { isBlank } from '../../../shared/text/nulCharacters.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, showRefusal, useActiveProfile } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { type SendFailure, sendOnce } from '../../spending/index.ts';
import { reasonText } from '../../words/index.ts';
import { useChatSettings, usePicturesOf, useThread } from './sending.ts';
import { draftOf, editOf, forgetEdit, readThread, type Thread, useChat } from './state.ts';

/** Edit, regenerate and continue: the request each would send, and its price. */

export type Ask = 'edit' | 'regenerate' | 'continue';

const NO_MESSAGES: readonly Message[] = [];

interface Order {
  quantity: PricedQuantity | undefined;
  off: string | undefined;
  send: (shown: ShownPrice | undefined) => Promise<SendFailure>;
}

/** The request that the studio would build, computed by the same rules. */
export function useAskOrder(ask: Ask, message: Message, text: string): Order {
  const settings = useChatSettings();
  const profile = useActiveProfile();
  const thread = useThread();
  const messages = thread?.messages ?? NO_MESSAGES;
  const mayDraft = offersTools(thread?.conversation);
  const { system } = settings;
  const left = useChat(({ leftPictures }) => leftPictures.get(message.id));
  const pictures = ask === 'edit' ? (left ?? message.pictures) : undefined;
  const own = ask === 'continue' ? message.model : undefined;
  const model = own ?? settings.model;
  // Without a model the studio uses the answer's own; a named model would become the chat's model.
  const named = own === undefined ? model : undefined;
  const request = useMemo((): ChatRequest => {
    const at = messages.findIndex(({ id }) => id === message.id);
    const way = messages.slice(0, ask === 'continue' ? at + 1 : at);
    const isCut = ask === 'continue' && !(message.toolResults && mayDraft);
    const said = ask === 'edit' ? text : isCut ? GO_ON : undefined;
    const past = { system, hasTools: mayDraft, pictures, ...(said === undefined ? {} : { said }) };
    const tools = mayDraft ? { tools: DIRECTOR_TOOLS } : {};
    return { kind: 'chat', model, messages: sentMessages(way, past), ...tools, stream: true };
  }, [ask, mayDraft, message, messages, model, system, text, pictures]);
  const { lookUp } = usePicturesOf(request);
  const limits = profile?.limits;
  const { outputTokens = 0 } = limits ?? {};
  const [reason] =
    request.messages.length === 0 ? [] : readiness(request, lookUp, modelLimits(profile, model, Date.now()));
  const off = ask === 'edit' && isBlank(text) ? t`Write a message first.` : reason && reasonText(reason);
  const isEmpty = request.messages.length === 0 || model === '';
  const quantity = isEmpty
    ? undefined
    : { kind: KINDS.chat.name, model, quantity: KINDS.chat.most(request, { outputTokens }) };
  return { quantity, off, send: (shown) => send(ask, message, { text, left, model: named, system, shown }) };
}

interface Sending {
  text: string;
  left: readonly string[] | undefined;
  model: string | undefined;
  system: string;
  shown: ShownPrice | undefined;
}

async function send(ask: Ask, message: Message, { text, left, ...more }: Sending): Promise<SendFailure> {
  const { conversationId, id: messageId } = message;
  const order = { conversationId, messageId, stream: true, ...more };
  const { model, system } = draftOf(useChat.getState(), conversationId);
  const own = [messageId, model, system];
  const answer =
    ask === 'edit'
      ? await sendOnce(
          'chat.edit',
          { ...order, text, ...(left ? { pictures: [...left] } : {}) },
          { own: [...own, text, left] },
        )
      : await sendOnce(`chat.${ask}`, order, { own });
  if (!answer.ok) return answer.error;
  asked(ask, message, { text, left });
  await readThread(conversationId);
  return undefined;
}

/** Closes the sent edit. Text written since then, and an edit opened elsewhere by now, stay. */
function asked(ask: Ask, message: Message, { text, left }: Pick<Sending, 'text' | 'left'>): void {
  const { asking, ...now } = useChat.getState();
  if (ask === 'edit') {
    if (editOf(now, message) !== text || now.leftPictures.get(message.id) !== left) return;
    forgetEdit(message.id);
  }
  if (asking?.messageId === message.id && asking.ask === ask) leaveAsking();
}

export const startAsking = (messageId: string, ask: Ask): void => useChat.setState({ asking: { messageId, ask } });
export const leaveAsking = (): void => useChat.setState({ asking: undefined });

export async function activate(conversationId: string, branch: string): Promise<void> {
  leaveAsking();
  const answer = await call('chat.activate', { conversationId, branch });
  if (!answer.ok) return showRefusal(answer.error);
  await readThread(conversationId);
}

export async function branchBehind({ conversationId, id }: Message): Promise<void> {
  const answer = await call('chat.branch', { conversationId, messageId: id });
  if (!answer.ok) return showRefusal(answer.error);
  await readThread(conversationId);
  announce(t`New branch. Your next message follows this one.`);
}

/** Switches to the neighbouring branch at the newest message of this thread that has one; `near` is preferred. */
export function goBeside(thread: Thread, step: 'previous' | 'next', near?: string): void {
  const { variants = [], conversation } = thread;
  const at = variants.find(({ messageId }) => messageId === near) ?? newestOf(thread);
  const branch = at?.[step];
  if (!conversation || !at) return announce(t`This message has only one version.`);
  if (!branch) return announce(step === 'next' ? t`This is the last version.` : t`This is the first version.`);
  void activate(conversation.id, branch);
}

function newestOf({ variants = [], messages }: Thread) {
  const newest = messages.findLast(({ id }) => variants.some(({ messageId }) => messageId === id));
  return variants.find(({ messageId }) => messageId === newest?.id);
}
