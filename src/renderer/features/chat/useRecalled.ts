import { useEffect } from 'react';
import type { Job } from '../../../shared/job.ts';
import { lastAsked } from '../../../shared/kinds/chat.ts';
import { isRequestOf, KINDS } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/texts.ts';
import { useRoute } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { replaceDraft } from './replaceDraft.ts';
import { type Draft, NEW, pick } from './state.ts';

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
    toast({ kind: 'fail', text: answer.ok ? t`This request made no text.` : answer.error.message });
    return pick(undefined);
  }
  replaceDraft(NEW, draft, t`The prompt is recalled`);
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
