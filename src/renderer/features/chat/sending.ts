import { useMemo, useRef } from 'react';
import type { Message } from '../../../shared/chat/conversation.ts';
import { DIRECTOR_TOOLS, offersTools } from '../../../shared/chat/director/tools.ts';
import { sentMessages } from '../../../shared/chat/modelMessages.ts';
import type { ModelLimits } from '../../../shared/gateway/modelFacts.ts';
import { readiness } from '../../../shared/jobs/readiness.ts';
import type { ChatMessage, ChatRequest } from '../../../shared/kinds/chat.ts';
import { approximateTokens, contextOf } from '../../../shared/kinds/chat.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import type { LookUpMedia } from '../../../shared/library/mediaRef.ts';
import { isBlank } from '../../../shared/text/nulCharacters.ts';
import { t } from '../../../shared/text/texts.ts';
import { useActiveProfile, useEntities, useModelLimits, useProjectId } from '../../app/index.ts';
import { useKnownMedia } from '../../media/useMedia.ts';
import { reasonText } from '../../words/index.ts';
import { type Draft, draftOf, NEW, type Thread, useChat } from './state.ts';

export interface ChatSettings {
  key: string;
  model: string;
  system: string;
  /** The model of the chat is offered the director's tools. */
  mayDraft: boolean;
}

/** Approximate tokens, counted as the studio counts them. */
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
  /** The answer that the next message waits for: still coming, or scheduled for an overnight run. */
  awaited: 'coming' | 'planned' | undefined;
}

const threadOf = ({ selectedId, threads }: Pick<ReturnType<typeof useChat.getState>, 'selectedId' | 'threads'>) =>
  selectedId === undefined ? undefined : threads.get(selectedId);

/** The thread that is shown. A new object with every piece of an answer: use {@link useOfThread} to depend on a part only. */
export const useThread = (): Thread | undefined => useChat(threadOf);

/** A part of the thread, selected by `read`. Components are drawn again only when the part changes. */
export const useOfThread = <Part>(read: (thread: Thread | undefined) => Part): Part =>
  useChat((state) => read(threadOf(state)));

export const threadNow = (): Thread | undefined => threadOf(useChat.getState());

/** The settings for the next message of the chat with this key. Unchanged while the user types. */
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

/** A growing answer is counted again after this many characters. */
const STEP = 2_000;

const grewLittle = (before: Message, after: Message | undefined): boolean =>
  before.id === after?.id &&
  isLive(before) &&
  before.state === after.state &&
  Math.abs(after.text.length - before.text.length) < STEP;

/**
 * The messages that are counted for the next one. The previous list is reused while only a growing answer changed by less than a step.
 * Nothing is sent until that answer is complete, and then it is counted in full.
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

/** A message loads the job that it waits for. Until a job is loaded, its answer counts as coming. */
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
