import { useEffect } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { lastAsked } from '../../../shared/kinds/chat.ts';
import { isRequestOf, KINDS } from '../../../shared/kinds/index.ts';
import { isBlank } from '../../../shared/text/plainText.ts';
import { t } from '../../../shared/text/texts.ts';
import { announceReplaced, useRoute } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { type Draft, draftOf, isDrafted, NEW, pick, putDraft, setDraft, useChat } from './state.ts';

/** A text that was made here is opened with its words, model and options as it was made (`#/chat?recall=JOB`), in a new chat; nothing is sent. */
export function useRecalled(): void {
  const { params } = useRoute();
  const jobId = params.get('recall');
  useEffect(() => {
    if (!jobId) return;
    const left = new AbortController();
    void recall(jobId, left.signal);
    return () => left.abort();
  }, [jobId]);
}

/** Not for who has left for another chat or page before the answer is there (`left`). */
async function recall(id: string, left: AbortSignal): Promise<void> {
  // A list has the beginning of a long one.
  const answer = await call('jobs.get', { id });
  if (left.aborted) return;
  const draft = answer.ok ? draftOfRequest(answer.data.request) : undefined;
  if (!draft) {
    toast({ kind: 'fail', text: answer.ok ? t`This request is not a chat.` : answer.error.message });
    return pick(undefined);
  }
  replaceDraft(NEW, draft, t`Prompt loaded`);
  pick(undefined);
}

/** The message that was answered, and what it was answered by; what was said before it is in its own chat. */
function draftOfRequest(request: Job['request']): Required<Omit<Draft, 'offer'>> | undefined {
  if (!isRequestOf(KINDS.chat, request)) return undefined;
  const { messages, model, tools = [] } = request;
  const asked = lastAsked(request);
  return {
    text: asked?.content ?? '',
    pictures: (asked?.pictures ?? []).flatMap((picture) => ('assetId' in picture ? [picture.assetId] : [])),
    model,
    system: messages.find(({ role }) => role === 'system')?.content ?? '',
    director: tools.length > 0,
  };
}

export const outcomeOfBox = (id: string): string => `box of ${id}`;

/** Puts a draft into the box and says so (`done`, a sentence without its end); what had been begun there can be had back. */
function replaceDraft(id: string, draft: Draft, done: string): void {
  const before = draftOf(useChat.getState(), id);
  const isBegun = !isBlank(before.text) || (before.pictures?.length ?? 0) > 0;
  const isLost = isBegun && !isDrafted(id, draft);
  const undo = () => {
    giveBack(id, before, [...Object.keys(draft), 'offer']);
    before.offer?.();
  };
  const offer = () => {
    if (!isDrafted(id, draft)) return;
    const close = announceReplaced(outcomeOfBox(id), done, isLost ? undo : undefined);
    const stop = useChat.subscribe(() => {
      if (isDrafted(id, draft)) return;
      stop();
      close();
    });
  };
  setDraft(id, { ...draft, offer: isLost ? offer : undefined });
  offer();
}

/** What was set of the draft besides since then, such as another model, stays. */
function giveBack(id: string, before: Draft, fields: readonly string[]): void {
  const since = Object.entries(draftOf(useChat.getState(), id)).filter(([field]) => !fields.includes(field));
  const replaced = Object.entries(before).filter(([field]) => fields.includes(field));
  putDraft(id, { text: '', ...Object.fromEntries([...since, ...replaced]) });
}
