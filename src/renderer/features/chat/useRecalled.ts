import { useEffect } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { lastUserMessage } from '../../../shared/kinds/chat.ts';
import { isRequestOf, KINDS } from '../../../shared/kinds/index.ts';
import { isBlank } from '../../../shared/text/nulCharacters.ts';
import { t } from '../../../shared/text/texts.ts';
import { announceReplaced, useRoute } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { type Draft, draftOf, isDrafted, NEW, pick, putDraft, setDraft, useChat } from './state.ts';

/** Opens a text job with its prompt, model and options in a new chat (`#/chat?recall=JOB`). Nothing is sent. */
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

/** Does nothing if the user left for another chat or page before the answer came (`left`). */
async function recall(id: string, left: AbortSignal): Promise<void> {
  // A list holds only the beginning of a long request.
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

/** The last message of the request, with its model and options; earlier messages stay in their own chat. */
function draftOfRequest(request: Job['request']): Required<Omit<Draft, 'offer'>> | undefined {
  if (!isRequestOf(KINDS.chat, request)) return undefined;
  const { messages, model, tools = [] } = request;
  const asked = lastUserMessage(request);
  return {
    text: asked?.content ?? '',
    pictures: (asked?.pictures ?? []).flatMap((picture) => ('assetId' in picture ? [picture.assetId] : [])),
    model,
    system: messages.find(({ role }) => role === 'system')?.content ?? '',
    director: tools.length > 0,
  };
}

export const outcomeOfBox = (id: string): string => `box of ${id}`;

/** Puts a draft into the box and reports it (`done`, a sentence without its end), with a way to restore the previous draft. */
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

/** Restores the fields of the draft. Other settings changed since then, such as the model, stay. */
function giveBack(id: string, before: Draft, fields: readonly string[]): void {
  const since = Object.entries(draftOf(useChat.getState(), id)).filter(([field]) => !fields.includes(field));
  const replaced = Object.entries(before).filter(([field]) => fields.includes(field));
  putDraft(id, { text: '', ...Object.fromEntries([...since, ...replaced]) });
}
