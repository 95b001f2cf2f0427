import { useMemo } from 'react';
import { retryOfferOf } from '../../../shared/gateway/idempotency.ts';
import type { ProfileView } from '../../../shared/gateway/profile.ts';
import { isTerminal, type Job } from '../../../shared/jobs/job.ts';
import { type Pages, useEntities, useJobPages, useNow, useStudio } from '../../app/index.ts';

/** A cent. A smaller unconfirmed amount does not get a case of its own. */
const CENT_NANO = 10_000_000;

/** The unconfirmed jobs of real or test money, by what can be done about them. Every job that the studio counts is in one of the four. */
export interface Doubts {
  /** The reply was lost; there are options to resolve it. */
  cases: Job[];
  /** Ended, and only the bill can tell the cost. */
  ended: Job[];
  /** Knowingly sent again and running; the earlier request may be billed as well. */
  again: Job[];
  /** Cases and ended jobs of less than a cent that the gateway can no longer be asked about; they share one line. */
  small: Job[];
  pages: Pages;
}

const isInDoubt = ({ state, money }: Job): boolean =>
  state === 'uncertain' || money.uncertainNano > 0 || money.unpriced === true;

const isSmall = ({ money }: Job): boolean => !money.unpriced && money.uncertainNano < CENT_NANO;

/** The task of a canceled job is looked up for this long only. */
const CANCELED_ASKED_MS = 24 * 3_600_000;

const isAskedFor = ({ state, remoteId, sentAt = 0 }: Job, now: number): boolean =>
  state === 'canceled' && remoteId !== undefined && now - sentAt < CANCELED_ASKED_MS;

/** Whether the gateway may still report the outcome and deliver a paid result. */
const mayBeAsked = (job: Job, profiles: readonly ProfileView[], now: number): boolean =>
  isAskedFor(job, now) ||
  (job.state === 'uncertain' &&
    (job.cannotLookUp === undefined ||
      retryOfferOf(
        job,
        profiles.find(({ id }) => id === job.profileId),
        now,
      ).can));

/** One list of the studio holds all of them, so that the inbox, its number and its money agree. */
export function useDoubts(play: boolean): Doubts {
  const pages = useJobPages({ costInDoubt: true, play });
  const known = useEntities((state) => state.jobs);
  const profiles = useStudio((state) => state.profiles);
  const now = useNow(30_000);
  const { ids } = pages;
  const parts = useMemo(() => {
    const all = ids.flatMap((id) => known.get(id) ?? []).filter(isInDoubt);
    const over = all.filter(({ state }) => state === 'uncertain' || isTerminal(state));
    const small = over.filter((job) => isSmall(job) && !mayBeAsked(job, profiles, now));
    const large = small.length > 1 ? over.filter((job) => !small.includes(job)) : over;
    return {
      cases: large.filter(({ state }) => state === 'uncertain'),
      ended: large.filter(({ state }) => isTerminal(state)),
      again: all.filter((job) => !over.includes(job)),
      small: small.length > 1 ? small : [],
    };
  }, [ids, known, profiles, now]);
  return { ...parts, pages };
}
