import { useEffect, useMemo } from 'react';
import type { Message } from '../../../shared/chat/conversation.ts';
import { canBeApproved, type Draft, sumOfDrafts } from '../../../shared/chat/director/draft.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, showRefusal, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { LOOK_MS, type SendFailure, sendOnce } from '../../spending/index.ts';
import { useOfThread } from './sending.ts';
import { type Drafted, NONE_DRAFTED, useChat } from './state.ts';

/** Reads the drafts of the chat, and reads them again when the board, a price or the gateway changes. */
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

/**
 * A program may change its draft right before the key is pressed, so changed drafts are marked as fresh. In a chat that was just opened,
 * none is.
 */
function freshAfter({ drafts: before, fresh }: Drafted, now: readonly Draft[]): ReadonlySet<string> {
  if (before.length === 0) return NONE_DRAFTED.fresh;
  const seen = new Map(before.map(({ id, quoteId }) => [id, quoteId]));
  const changed = now.filter((draft) => canBeApproved(draft) && seen.get(draft.id) !== draft.quoteId);
  return changed.length === 0 ? fresh : new Set([...fresh, ...changed.map(({ id }) => id)]);
}

export function useDraftsOf({ id }: Message): Draft[] {
  const drafts = useChat((state) => state.drafted.drafts);
  return useMemo(() => drafts.filter(({ messageId }) => messageId === id), [drafts, id]);
}

export function whyNotApproved(chosen: readonly Draft[], { drafts: all, isOld, fresh }: Drafted): string | undefined {
  if (chosen.length === 0) return t`Select a draft first.`;
  if (isOld) return t`Updating the drafts…`;
  const unseen = chosen.find(({ id }) => fresh.has(id));
  if (unseen) return t`“${unseen.title}” has just changed. Check it first.`;
  const ids = new Set(chosen.map(({ id }) => id));
  const waiting = new Set(all.filter(({ state }) => state === 'open').map(({ id }) => id));
  const alone = chosen.find(({ needs = [] }) => needs.some((id) => !ids.has(id) && waiting.has(id)));
  if (!alone) return undefined;
  const other = all.find(({ id }) => alone.needs?.includes(id) && !ids.has(id));
  return t`“${alone.title}” starts from “${other?.title}”. Select that too, or decline it first.`;
}

/** A usable draft describes a shot or an image; the others are mistakes of the model. */
export const isTaken = ({ shot, image }: Draft): boolean => shot !== undefined || image !== undefined;

export function nameOf(draft: Draft): string {
  const { kind, title, shot } = draft;
  if (!isTaken(draft)) return t`Not drafted: ${title}`;
  if (kind === 'changeShot') return shot ? t`Change shot ${shot.number}: ${title}` : t`Change a shot`;
  return kind === 'newShot' && shot ? t`New shot ${shot.number}: ${title}` : title;
}

/** Sends the selected drafts, or adds their shots to the board without sending anything (`unmade`). */
export async function approve(
  drafts: readonly Draft[],
  how: { night?: true; unmade?: true } = {},
): Promise<SendFailure> {
  const ids = drafts.map(({ id }) => id);
  // A program may change its draft while the button is pressed: only the drafts that were shown are approved.
  const quotes = drafts.flatMap(({ quoteId }) => quoteId ?? []);
  const shown = how.unmade ? {} : { shown: sumOfDrafts(drafts) };
  const answer = await sendOnce('director.approve', { ids, quotes, ...shown, ...how });
  if (!answer.ok) return answer.error;
  announce(saidOf(ids.length, how));
  return undefined;
}

const saidOf = (count: number, { night, unmade }: { night?: true; unmade?: true }): string => {
  if (unmade) return t`${counted(count, 'shot')} added to the board. Nothing was sent.`;
  return night ? t`${counted(count, 'draft')} approved for tonight` : t`${counted(count, 'draft')} approved`;
};

export async function decline(drafts: readonly Draft[]): Promise<void> {
  const answer = await call('director.decline', { ids: drafts.map(({ id }) => id) });
  if (answer.ok) announce(t`${counted(drafts.length, 'draft')} declined`);
  else showRefusal(answer.error);
}
