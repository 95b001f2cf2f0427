import { isSame } from '../board/boardChanges.ts';
import type { Job } from '../jobs/job.ts';
import { kindOf } from '../kinds/index.ts';
import { t } from '../text/texts.ts';
import { isPlayMoney, type Profile } from './profile.ts';

/**
 * Whether a request with a lost reply may be sent again under its idempotency key, as the gateway documents. Pages and core both use
 * {@link retryOfferOf}, so that they cannot disagree.
 */

export type RetryOffer = { can: true; source: string; until: number; night: boolean } | { can: false; why: string };

const STREAMED = t`Gateways keep no chat answers, so it cannot be fetched again.`;
const SET_BACK = t`This computer’s clock was set back since. The gateway may have forgotten the key.`;
const NOT_KEPT = t`The request was not kept, so it cannot be repeated exactly.`;

/** Until when and by which source it may be sent again, or why not. */
export function retryOfferOf(
  { state, kind, profileId, kept }: Pick<Job, 'state' | 'kind' | 'profileId' | 'kept'>,
  profile: Pick<Profile, 'baseUrl' | 'idempotency'> | undefined,
  now: number,
): RetryOffer {
  const no = (why: string): RetryOffer => ({ can: false, why });
  if (state !== 'uncertain') return no(t`Only unconfirmed jobs can be repeated.`);
  if (!profile) return no(t`Its gateway was removed.`);
  const { idempotency } = profile;
  if (idempotency.kind === 'none') return no(t`Its gateway documents no idempotency keys.`);
  if (!kept) return no(kindOf({ kind }).makes === 'text' ? STREAMED : NOT_KEPT);
  // The built-in sandbox has another port each time.
  if (kept.baseUrl !== profile.baseUrl && !isPlayMoney(profileId))
    return no(t`The address of its gateway was changed since.`);
  if (kept.otherAccount) return no(t`The API key of its gateway was changed since.`);
  if (kept.clockSetBack) return no(SET_BACK);
  if (now < kept.at) return no(t`This computer’s clock is set to before it was sent.`);
  const until = lastAsk(kept.at, idempotency.windowHours);
  if (now >= until) return no(t`The gateway forgets the job’s key after ${hoursWords(idempotency.windowHours)}.`);
  return { can: true, source: idempotency.source, until, night: idempotency.night };
}

interface Stated {
  baseUrl: string;
  idempotency?: object | undefined;
}

/**
 * Whether the documentation still belongs to the old address: the form sends every field, changed or not. `night` is the user's choice, not
 * the gateway's.
 */
export function documentsOldAddress(now: Stated, before: Stated): boolean {
  const wordOf = ({ idempotency }: Stated) => ({ ...idempotency, night: undefined });
  return now.baseUrl !== before.baseUrl && isSame(wordOf(now), wordOf(before));
}

const HOUR_MS = 3_600_000;
const MARGIN_MS = 60_000;

/** A request may arrive late, so the last one is sent a minute, or a tenth of the window, before its end. */
function lastAsk(at: number, windowHours: number): number {
  const windowMs = windowHours * HOUR_MS;
  return Math.floor(at + windowMs - Math.min(MARGIN_MS, windowMs / 10));
}

/** `24 h`, `5 min` */
export function hoursWords(hours: number): string {
  if (hours >= 1) return `${Math.round(hours * 10) / 10} h`;
  return `${Math.round(hours * 60)} min`;
}
