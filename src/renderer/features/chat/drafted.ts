import { useEffect, useMemo } from 'react';
import type { Message } from '../../../shared/conversation.ts';
import { canBeApproved, type Draft, sumOfDrafts } from '../../../shared/director/draft.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { t } from '../../../shared/texts.ts';
import { announce, showRefusal, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { LOOK_MS, type SendFailure, sendOnce } from '../../spending/index.ts';
import { useOfThread } from './sending.ts';
import { type Drafted, NONE_DRAFTED, useChat } from './state.ts';

/** What models have drafted in the chat that is shown, and what the user makes of it. */

/** Reads the drafts of the chat, and again when the board, a price or the gateway is another one. */
export function useDraftedRead(): void {
  const conversationId = useChat((state) => state.selectedId);
  const hasSome = useOfThread(
    (thread) => thread?.messages.some(({ toolResults }) => toolResults !== undefined) === true,
  );
  const { data, stale, outdated } = useCall('director.drafts', hasSome && conversationId ? { conversationId } : null, {
    on: ['drafts.changed', 'board.changed', 'profiles.changed', 'settings.changed'],
  });
  useEffect(() => {
    const drafts = data?.drafts.filter((draft) => draft.conversationId === conversationId) ?? [];
    useChat.setState(({ drafted }) => ({
      drafted: { drafts, isOld: stale || outdated, fresh: freshAfter(drafted, drafts) },
    }));
  }, [data, stale, outdated, conversationId]);
  const fresh = useChat((state) => state.drafted.fresh);
  useEffect(() => {
    if (fresh.size === 0) return;
    const seen = () => useChat.setState(({ drafted }) => ({ drafted: { ...drafted, fresh: NONE_DRAFTED.fresh } }));
    const timer = setTimeout(seen, LOOK_MS);
    return () => clearTimeout(timer);
  }, [fresh]);
}

/** A program may change its draft right before the key is pressed. Of a chat that is opened, nothing is fresh. */
function freshAfter({ drafts: before, fresh }: Drafted, now: readonly Draft[]): ReadonlySet<string> {
  if (before.length === 0) return NONE_DRAFTED.fresh;
  const seen = new Map(before.map(({ id, quoteId }) => [id, quoteId]));
  const changed = now.filter((draft) => canBeApproved(draft) && seen.get(draft.id) !== draft.quoteId);
  return changed.length === 0 ? fresh : new Set([...fresh, ...changed.map(({ id }) => id)]);
}

/** Those of one answer. */
export function useDraftsOf({ id }: Message): Draft[] {
  const drafts = useChat((state) => state.drafted.drafts);
  return useMemo(() => drafts.filter(({ messageId }) => messageId === id), [drafts, id]);
}

/** Why these cannot be approved now. */
export function whyNotApproved(chosen: readonly Draft[], { drafts: all, isOld, fresh }: Drafted): string | undefined {
  if (chosen.length === 0) return t`Choose a draft first.`;
  if (isOld) return t`The drafts are being read again.`;
  const unseen = chosen.find(({ id }) => fresh.has(id));
  if (unseen) return t`“${unseen.title}” has changed just now. Look at it first.`;
  const ids = new Set(chosen.map(({ id }) => id));
  const waiting = new Set(all.filter(({ state }) => state === 'open').map(({ id }) => id));
  const alone = chosen.find(({ needs = [] }) => needs.some((id) => !ids.has(id) && waiting.has(id)));
  if (!alone) return undefined;
  const other = all.find(({ id }) => alone.needs?.includes(id) && !ids.has(id));
  return t`“${alone.title}” starts from “${other?.title}”. Choose that too, or decline it first.`;
}

export const approvable = (drafts: readonly Draft[]): Draft[] => drafts.filter(canBeApproved);

export const priceOfDrafts = (drafts: readonly Draft[]): ShownPrice => sumOfDrafts(drafts);

export async function approve(drafts: readonly Draft[], night: boolean): Promise<SendFailure> {
  const ids = drafts.map(({ id }) => id);
  // A program may change its draft while the button is pressed: what is approved is what was seen.
  const quotes = drafts.flatMap(({ quoteId }) => quoteId ?? []);
  const order = { ids, quotes, shown: priceOfDrafts(drafts), ...(night ? { night } : {}) };
  const answer = await sendOnce('director.approve', order);
  if (!answer.ok) return answer.error;
  const made = answer.data.jobs.length;
  announce(t`Approved ${made === 1 ? t`one draft` : t`${made} drafts`}${night ? t` for tonight` : ''}`);
  return undefined;
}

export async function decline(drafts: readonly Draft[]): Promise<void> {
  const answer = await call('director.decline', { ids: drafts.map(({ id }) => id) });
  if (!answer.ok) return showRefusal(answer.error);
  announce(t`Declined ${drafts.length === 1 ? `“${drafts[0]?.title}”` : t`${drafts.length} drafts`}`);
}
