import type { ComponentProps } from 'react';
import type { BlockReason, Job } from '../../../shared/jobs/job.ts';
import { priceKindOf } from '../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Result } from '../../client/index.ts';
import {
  ConfirmPriceDialog,
  type PriceNow,
  PriceOfJob,
  PriceRow,
  SpendAgainDialog,
  SpendDialog,
  sendOnce,
  shownOfJob,
  usePriceAgain,
} from '../../spending/index.ts';
import { useTitleOf } from './takeNames.tsx';

/**
 * `retryAsNew`: requests the same again as a new job. `unblock`: tries the waiting job. `allowUnpriced`: sends it without a known price.
 * `leaveNight`: takes it out of its overnight run and runs it now. `resend`: knowingly sends an unconfirmed job again. `confirmPrice`:
 * confirms a risen price.
 */
export type SendJobKind = 'retryAsNew' | 'unblock' | 'allowUnpriced' | 'leaveNight' | 'resend' | 'confirmPrice';

/** The other reasons wait for a job, a time, the user's pause or a price decision, so a try would change nothing. */
const TRIED: readonly BlockReason[] = ['budget', 'offline', 'rate', 'key', 'auth', 'quota'];

/** The effect of *Retry* on a job; undefined if there is none. */
export function retryOf({ state, reason, money }: Job): SendJobKind | undefined {
  if (state === 'failed' || state === 'canceled') return 'retryAsNew';
  if (reason === 'priceRose') return 'confirmPrice';
  if (state !== 'blocked' || reason === undefined || !TRIED.includes(reason)) return undefined;
  return reason === 'budget' && money.unpriced ? 'allowUnpriced' : 'unblock';
}

const DIALOGS: Record<
  Exclude<SendJobKind, 'confirmPrice'>,
  {
    label: string;
    send: (id: string, shown: ShownPrice | undefined, night: boolean) => Promise<Result<unknown>>;
  }
> = {
  retryAsNew: {
    label: t`Request it again`,
    send: (id, shown, night) => sendOnce('jobs.retry', { id, shown, ...(night ? { night } : {}) }),
  },
  unblock: {
    label: t`Try it now`,
    send: (id, shown, night) =>
      night ? sendOnce('night.assign', { ids: [id], night, shown }) : sendOnce('jobs.retry', { id, shown }),
  },
  allowUnpriced: {
    label: t`Send without a price`,
    send: (id, shown) => sendOnce('jobs.allowUnpriced', { id, shown }),
  },
  leaveNight: {
    label: t`Run now`,
    send: (id, shown) => sendOnce('night.assign', { ids: [id], night: false, shown }),
  },
  resend: {
    label: t`Send again anyway`,
    send: (id, shown) => sendOnce('jobs.resolve', { id, as: 'resend', shown }),
  },
};

/** Shows the request and its price before it is sent. */
export function SendJobDialog({ kind, ...of }: { job: Job; kind: SendJobKind; onClose: () => void }) {
  if (kind === 'confirmPrice') return <ConfirmPriceDialog jobs={[of.job]} onClose={of.onClose} />;
  return <SendingDialog kind={kind} {...of} />;
}

interface SendingDialogProps {
  job: Job;
  kind: Exclude<SendJobKind, 'confirmPrice'>;
  onClose: () => void;
}

function SendingDialog({ job, kind, onClose }: SendingDialogProps) {
  const { label, send } = DIALOGS[kind];
  const name = useTitleOf()(job);
  const onSend = async (shown: ShownPrice | undefined, night: boolean) => {
    const answer = await send(job.id, shown, night);
    return answer.ok ? undefined : answer.error;
  };
  const dialog = { label, onClose };
  if (kind === 'resend') return <ResendDialog {...dialog} name={name} onSend={onSend} job={job} />;
  const children = [`${name}.`, WORDS[kind]].filter(Boolean).join(' ');
  if (kind === 'retryAsNew')
    return (
      <SpendAgainDialog {...dialog} onSend={onSend} job={job}>
        {children}
      </SpendAgainDialog>
    );
  const price = <PriceOfJob job={job} what={t`Price`} />;
  const order = (night: boolean) => () => onSend(shownOfJob(job), night);
  const tonight = { what: name, shown: shownOfJob(job), payer: job.profileId, onSend: order(true) };
  const sends = { onSend: order(false), ...(kind === 'unblock' ? { tonight } : {}) };
  return (
    <SpendDialog {...dialog} {...sends} off={undefined} price={price}>
      {children}
    </SpendDialog>
  );
}

type ResendDialogProps = Omit<ComponentProps<typeof SpendAgainDialog>, 'children'> & { name: string };

/** One more request like the first, at the current price. */
function ResendDialog({ name, job, onSend, ...dialog }: ResendDialogProps) {
  const now = usePriceAgain(job.id);
  const worst = worstForTwo(job, now);
  const what = t`One more request`;
  const price = <PriceRow what={what} now={now} kind={priceKindOf(job.kind)} profileId={job.profileId} />;
  return (
    <SpendDialog {...dialog} off={now.off} price={price} onSend={() => onSend(now.shown, false)}>
      {`${name}. ${paidTwice(worst)}`}
    </SpendDialog>
  );
}

export const paidTwice = (worst: string | undefined): string =>
  worst === undefined ? t`You may pay twice.` : t`You may pay twice, at most ${worst} in all.`;

/** The most that an unconfirmed job costs if it is sent again and both are billed; undefined while one of the prices is unknown. */
export function worstForTwo({ money }: Job, { price }: PriceNow): string | undefined {
  if (!price || price.unpriced > 0 || money.unpriced) return undefined;
  return formatNano(money.uncertainNano + price.estimateNano);
}

export const NEW_JOB = t`Makes a new job and keeps the old one.`;
export const JOINS_NIGHT = t`Counts towards the run’s budget.`;
export const LEAVES_NIGHT = t`Leaves the overnight run and is sent now.`;

const WORDS: Record<Exclude<SendJobKind, 'resend' | 'confirmPrice'>, string> = {
  retryAsNew: NEW_JOB,
  unblock: '',
  allowUnpriced: t`No price is set, so a limit stops it. This allows one request.`,
  leaveNight: LEAVES_NIGHT,
};
