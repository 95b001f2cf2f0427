import type { Job } from '../../../shared/job.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { formatNano } from '../../../shared/money.ts';
import { t } from '../../../shared/texts.ts';
import type { Result } from '../../client/index.ts';
import { PriceOfJob, SpendAgainDialog, SpendDialog, sendOnce, shownOfJob } from '../../spending/index.ts';
import { useTitleOf } from './takeNames.tsx';

/** `retryAsNew`: another job like it. `unblock`: the waiting one is tried. `allowUnpriced`: it is sent without a known price. `leaveNight`: it leaves its night and runs now. `resend`: in doubt, and sent again knowingly. */
export type SendJobKind = 'retryAsNew' | 'unblock' | 'allowUnpriced' | 'leaveNight' | 'resend';

/** What *Retry* would do with a job, where it would do anything. */
export function retryOf({ state, reason, money }: Job): SendJobKind | undefined {
  if (state === 'failed' || state === 'canceled') return 'retryAsNew';
  if (state !== 'blocked') return undefined;
  return reason === 'budget' && money.unpriced ? 'allowUnpriced' : 'unblock';
}

const DIALOGS: Record<
  SendJobKind,
  {
    title: string;
    label: string;
    send: (id: string, shown: ShownPrice | undefined, night: boolean) => Promise<Result<unknown>>;
  }
> = {
  retryAsNew: {
    title: t`Request it again?`,
    label: t`Request it again`,
    send: (id, shown, night) => sendOnce('jobs.retry', { id, shown, ...(night ? { night } : {}) }),
  },
  unblock: {
    title: t`Try it now?`,
    label: t`Try it now`,
    send: (id, shown, night) =>
      night ? sendOnce('night.assign', { ids: [id], night, shown }) : sendOnce('jobs.retry', { id, shown }),
  },
  allowUnpriced: {
    title: t`Send it without a known price?`,
    label: t`Send it once`,
    send: (id, shown) => sendOnce('jobs.allowUnpriced', { id, shown }),
  },
  leaveNight: {
    title: t`Run it now?`,
    label: t`Run it now`,
    send: (id, shown) => sendOnce('night.assign', { ids: [id], night: false, shown }),
  },
  resend: {
    title: t`Send it again knowingly?`,
    label: t`Send it again`,
    send: (id, shown) => sendOnce('jobs.resolve', { id, as: 'resend', shown }),
  },
};

/** What would be sent, with its price, before it is. */
export function SendJobDialog({ job, kind, onClose }: { job: Job; kind: SendJobKind; onClose: () => void }) {
  const { title, label, send } = DIALOGS[kind];
  const name = useTitleOf()(job);
  const onSend = async (shown: ShownPrice | undefined, night: boolean) => {
    const answer = await send(job.id, shown, night);
    return answer.ok ? undefined : answer.error;
  };
  const words = `${name}. ${wordsOf(job, kind)}`;
  const dialog = { title, label, onClose, children: words };
  if (kind === 'retryAsNew') return <SpendAgainDialog {...dialog} onSend={onSend} job={job} />;
  const price = <PriceOfJob job={job} what={kind === 'resend' ? t`One more request` : t`It`} />;
  const order = (night: boolean) => () => onSend(shownOfJob(job), night);
  const tonight = { what: name, shown: shownOfJob(job), payer: job.profileId, onSend: order(true) };
  const sends = { onSend: order(false), ...(kind === 'unblock' ? { tonight } : {}) };
  return <SpendDialog {...dialog} {...sends} off={undefined} price={price} />;
}

function wordsOf({ money }: Job, kind: SendJobKind): string {
  switch (kind) {
    case 'retryAsNew':
      return t`A new job is made; this one stays as it ended.`;
    case 'unblock':
      return t`It is tried at once, as far as the service and your caps let it.`;
    case 'allowUnpriced':
      return t`A hard cap holds it back, since it cannot be counted against it. This one request is let through.`;
    case 'leaveNight':
      return t`It leaves its night and is sent as soon as may be.`;
    case 'resend': {
      if (money.unpriced) return t`It may be paid for twice. Same idempotency key.`;
      const worst = formatNano(money.uncertainNano + money.estimateNano);
      return t`It may be paid for twice: in the worst case ${worst} for the two. Same idempotency key.`;
    }
  }
}
