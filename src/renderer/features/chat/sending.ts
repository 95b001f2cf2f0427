import { useMemo } from 'react';
import { isBlank } from '../../../shared/blank.ts';
import type { Message } from '../../../shared/conversation.ts';
import type { ChatRequest } from '../../../shared/kinds/chat.ts';
import { approximateTokens } from '../../../shared/kinds/chat.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { readiness } from '../../../shared/readiness.ts';
import { useActiveProfile } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { type SendFailure, sendOnce } from '../../spending/index.ts';
import { reasonText } from '../../words/index.ts';
import { pick } from './ConversationList.tsx';
import { type Draft, draftOf, NEW, readThread, setDraft, type Thread, useChat } from './state.ts';

/** Everything the composer and the inspector show of the message that would be sent now. */
export interface Outgoing {
  key: string;
  draft: Draft;
  model: string;
  system: string;
  request: ChatRequest;
  /** Tokens, roughly; the studio counts the same way. */
  tokens: { system: number; thread: number; message: number; limit: number };
  /** Why it cannot be sent now. */
  off?: string;
  live?: Message;
}

export function useThread(): Thread | undefined {
  return useChat((state) => (state.selectedId === undefined ? undefined : state.threads.get(state.selectedId)));
}

/** The request that sending would make, and whether it may be sent. */
export function useOutgoing(): Outgoing {
  const key = useChat((state) => state.selectedId ?? NEW);
  const draft = useChat((state) => draftOf(state, key));
  const thread = useThread();
  const profile = useActiveProfile();
  return useMemo(() => {
    const models = modelsFor(KINDS.chat, profile?.models);
    const model = draft.model ?? thread?.conversation?.model ?? models[0]?.id ?? '';
    const system = draft.system ?? thread?.conversation?.system ?? '';
    const past = (thread?.messages ?? []).filter(({ text }) => text.trim() !== '');
    const first = system.trim() === '' ? [] : [{ role: 'system' as const, content: system }];
    const history = past.map(({ role, text }) => ({ role, content: text }));
    const messages = [...first, ...history, { role: 'user' as const, content: draft.text }];
    const request: ChatRequest = { kind: 'chat', model, messages, stream: true };
    const limit = profile?.limits.contextTokens ?? 0;
    const live = thread?.messages.find(({ state }) => state === 'streaming' || state === 'waiting');
    const tokens = {
      system: approximateTokens(system),
      thread: history.reduce((sum, { content }) => sum + approximateTokens(content), 0),
      message: approximateTokens(draft.text),
      limit,
    };
    return { key, draft, model, system, request, tokens, live, off: whyNot(request, draft, limit, live) };
  }, [key, draft, thread, profile]);
}

const NO_MEDIA = () => ({ status: 'missing', type: 'unknown' }) as const;

function whyNot(request: ChatRequest, draft: Draft, limit: number, live: Message | undefined): string | undefined {
  if (isBlank(draft.text)) return 'Write a message first.';
  if (request.model === '') return 'The profile has no chat model. Add one in Settings.';
  if (live) return 'The answer is still coming. Stop it, or wait for it.';
  const [reason] = readiness(request, NO_MEDIA, { contextTokens: limit });
  return reason && reasonText(reason);
}

/** Sends the message; a new conversation is made first. What was written stays in the box if it is refused. */
export async function sendMessage(
  { key, draft, model, system }: Outgoing,
  { projectId, shown, night }: { projectId: string | undefined; shown: ShownPrice | undefined; night: boolean },
): Promise<SendFailure> {
  const conversationId = key === NEW ? await created(projectId, model, system) : { id: key };
  if ('error' in conversationId) return conversationId.error;
  const { id } = conversationId;
  const answer = await sendOnce('chat.send', {
    conversationId: id,
    text: draft.text,
    model,
    system,
    stream: true,
    shown,
    ...(night ? { night } : {}),
  });
  if (!answer.ok) {
    if (key === NEW) setDraft(id, draft);
    if (key === NEW) pick(id);
    return answer.error;
  }
  setDraft(key, { text: '' });
  if (key === NEW) pick(id);
  await readThread(id);
  return undefined;
}

async function created(
  projectId: string | undefined,
  model: string,
  system: string,
): Promise<{ id: string } | { error: string }> {
  const answer = await call('chat.create', { projectId, model, ...(system.trim() === '' ? {} : { system }) });
  return answer.ok ? { id: answer.data.conversationId } : { error: answer.error.message };
}
