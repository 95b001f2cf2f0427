import { useMemo, useRef } from 'react';
import type { Message } from '../../../shared/chat/conversation.ts';
import { DIRECTOR_TOOLS, offersTools } from '../../../shared/chat/director/tools.ts';
import { sentMessages } from '../../../shared/chat/thread.ts';
import type { ModelLimits } from '../../../shared/gateway/modelFacts.ts';
import { readiness } from '../../../shared/jobs/readiness.ts';
import type { ChatMessage, ChatRequest } from '../../../shared/kinds/chat.ts';
import { approximateTokens, contextOf } from '../../../shared/kinds/chat.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import type { LookUpMedia } from '../../../shared/library/mediaRef.ts';
import { isBlank } from '../../../shared/text/plainText.ts';
import { t } from '../../../shared/text/texts.ts';
import { useActiveProfile, useEntities, useModelLimits, useProjectId } from '../../app/index.ts';
import { useKnownMedia } from '../../media/useMedia.ts';
import { reasonText } from '../../words/index.ts';
import { type Draft, draftOf, NEW, type Thread, useChat } from './state.ts';

export interface ChatSettings {
  key: string;
  model: string;
  system: string;
  /** Its model is offered the director's tools. */
  mayDraft: boolean;
}

/** Tokens, roughly; the studio counts the same way. */
export interface Tokens {
  system: number;
  thread: number;
  message: number;
  limit: number;
}

export interface Outgoing extends ChatSettings {
  draft: Draft;
  request: ChatRequest;
  tokens: Tokens;
  off: string | undefined;
  /** What the next message waits for: an answer that is still coming, or one that is planned for its night. */
  awaited: 'coming' | 'planned' | undefined;
}

const threadOf = ({ selectedId, threads }: Pick<ReturnType<typeof useChat.getState>, 'selectedId' | 'threads'>) =>
  selectedId === undefined ? undefined : threads.get(selectedId);

/** The thread that is shown. It is another one with every piece of an answer: what needs a part of it takes {@link useOfThread}. */
export const useThread = (): Thread | undefined => useChat(threadOf);

/** A part of the thread that is shown, such as `read` finds it there; what uses it is drawn anew only when that is another one. */
export const useOfThread = <Part>(read: (thread: Thread | undefined) => Part): Part =>
  useChat((state) => read(threadOf(state)));

export const threadNow = (): Thread | undefined => threadOf(useChat.getState());

/** What is set for the next message, in the chat with this key. It stays the same while one types. */
export function useChatSettings(): ChatSettings {
  const key = useChat((state) => state.selectedId ?? NEW);
  const ownModel = useChat((state) => draftOf(state, key).model);
  const ownSystem = useChat((state) => draftOf(state, key).system);
  const ownDirector = useChat((state) => draftOf(state, key).director);
  const projectId = useProjectId();
  const conversation = useOfThread((thread) => thread?.conversation);
  const profile = useActiveProfile();
  const model = ownModel ?? conversation?.model ?? modelsFor(KINDS.chat, profile?.models)[0]?.id ?? '';
  const mayDraft = offersTools(key === NEW ? { projectId, director: ownDirector ?? false } : conversation);
  return { key, model, system: ownSystem ?? conversation?.system ?? '', mayDraft };
}

const tokensOf = (message: Message): number =>
  contextOf({ messages: sentMessages([message], { system: undefined, hasTools: true }) });

const NOTHING_SAID: readonly Message[] = [];

const isLive = ({ state }: Message): boolean => state === 'streaming' || state === 'waiting';

/** So many characters of an answer that is still coming are counted at once. */
const STEP = 2_000;

const grewLittle = (before: Message, after: Message | undefined): boolean =>
  before.id === after?.id &&
  isLive(before) &&
  before.state === after.state &&
  Math.abs(after.text.length - before.text.length) < STEP;

/**
 * The messages that are counted for the next one: the ones that were, for as long as nothing but an answer that is still coming has grown,
 * and that by less than a step. Until it has come nothing is sent, and then it is counted whole.
 */
export function countedOf(before: readonly Message[], now: readonly Message[]): readonly Message[] {
  if (before.length !== now.length) return now;
  return before.every((message, at) => message === now[at] || grewLittle(message, now[at])) ? before : now;
}

export function useCounted(): readonly Message[] {
  const counted = useRef(NOTHING_SAID);
  return useOfThread((thread) => {
    counted.current = countedOf(counted.current, thread?.messages ?? NOTHING_SAID);
    return counted.current;
  });
}

const useSaid = (): readonly Message[] => {
  const messages = useCounted();
  return useMemo(
    () => messages.filter(({ text, toolResults }) => text.trim() !== '' || toolResults !== undefined),
    [messages],
  );
};

export function useTokens({ key, system, model, mayDraft }: ChatSettings): Tokens {
  const text = useChat((state) => draftOf(state, key).text);
  const pictures = useChat((state) => draftOf(state, key).pictures);
  const said = useSaid();
  const limit = useModelLimits()(model).contextTokens;
  const thread = useMemo(() => said.reduce((sum, message) => sum + tokensOf(message), 0), [said]);
  const asked = approximateTokens(system) + (mayDraft ? contextOf({ messages: [], tools: DIRECTOR_TOOLS }) : 0);
  return { system: asked, thread, message: contextOf({ messages: [saidNow(text, pictures)] }), limit };
}

const saidNow = (content: string, pictures: Draft['pictures'] = []): ChatMessage => ({
  role: 'user',
  content,
  ...(pictures.length === 0 ? {} : { pictures: pictures.map((assetId) => ({ assetId })) }),
});

export function useOutgoing(): Outgoing {
  const settings = useChatSettings();
  const { key, model, system, mayDraft } = settings;
  const draft = useChat((state) => draftOf(state, key));
  const awaited = useAwaited();
  const said = useSaid();
  const tokens = useTokens(settings);
  const limitsOf = useModelLimits();
  const limits = useMemo(() => limitsOf(model), [limitsOf, model]);
  const past = useMemo(() => sentMessages(said, { system, hasTools: mayDraft }), [system, said, mayDraft]);
  const request = useMemo((): ChatRequest => {
    const messages = [...past, saidNow(draft.text, draft.pictures)];
    return { kind: 'chat', model, messages, ...(mayDraft ? { tools: DIRECTOR_TOOLS } : {}), stream: true };
  }, [past, model, draft.text, draft.pictures, mayDraft]);
  const { lookUp } = usePicturesOf(request);
  const off = useMemo(
    () => whyNot(request, draft, { limits, lookUp, awaited }),
    [request, draft, limits, lookUp, awaited],
  );
  return { key, draft, model, system, mayDraft, request, tokens, awaited, off };
}

/** The messages read the jobs that they wait for; until one is read its answer is taken for one that is coming. */
function useAwaited(): Outgoing['awaited'] {
  const jobOf = ({ state, jobId }: Message) => (state === 'waiting' ? (jobId ?? '-') : '-');
  const open = useOfThread((thread) => thread?.messages.filter(isLive).map(jobOf).join(' ') ?? '');
  const isPlanned = useEntities(({ jobs }) => open.split(' ').every((id) => jobs.get(id)?.reason === 'window'));
  if (open === '') return undefined;
  return isPlanned ? 'planned' : 'coming';
}

export const usePicturesOf = (request: ChatRequest) =>
  useKnownMedia(KINDS.chat.mediaRefs(request).map(({ ref }) => ref));

function whyNot(
  request: ChatRequest,
  draft: Draft,
  { limits, lookUp, awaited }: { limits: ModelLimits; lookUp: LookUpMedia; awaited: Outgoing['awaited'] },
): string | undefined {
  if (isBlank(draft.text)) return t`Write a message first.`;
  if (request.model === '') return t`This gateway lists no chat model. Add one in Settings.`;
  if (awaited === 'coming') return t`The answer is still coming. Wait, or stop it.`;
  if (awaited === 'planned')
    return t`Your last message waits for tonight’s run. Cancel it in Queue, or branch from an earlier message.`;
  const [reason] = readiness(request, lookUp, limits);
  return reason && reasonText(reason);
}
