import type { Job } from '../../../shared/job.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { formatNano } from '../../../shared/money.ts';
import { call, type Result } from '../../client/index.ts';
import { PriceOfJob, SpendAgainDialog, SpendDialog, shownOfJob } from '../../spending/index.ts';
import { useTitleOf } from './titles.tsx';

/** `again`: another job like it. `go`: the waiting one is tried. `once`: it is sent without a known price. `now`: out of its night. `resend`: in doubt, and sent again knowingly. */
export type OfferKind = 'again' | 'go' | 'once' | 'now' | 'resend';

/** What *Retry* would do with a job, where it would do anything. */
export function retryOf({ state, reason, money }: Job): OfferKind | undefined {
  if (state === 'failed' || state === 'canceled') return 'again';
  if (state !== 'blocked') return undefined;
  return reason === 'budget' && money.unpriced ? 'once' : 'go';
}

const OFFERS: Record<
  OfferKind,
  { title: string; label: string; send: (id: string, shown?: ShownPrice) => Promise<Result<unknown>> }
> = {
  again: { title: 'Order it again?', label: 'Order it again', send: (id, shown) => call('jobs.retry', { id, shown }) },
  go: { title: 'Try it now?', label: 'Try it now', send: (id, shown) => call('jobs.retry', { id, shown }) },
  once: {
    title: 'Send it without a known price?',
    label: 'Send it once',
    send: (id, shown) => call('jobs.allowUnpriced', { id, shown }),
  },
  now: {
    title: 'Run it now?',
    label: 'Run it now',
    send: (id, shown) => call('night.assign', { ids: [id], night: false, shown }),
  },
  resend: {
    title: 'Send it again knowingly?',
    label: 'Send it again',
    send: (id, shown) => call('jobs.resolve', { id, as: 'resend', shown }),
  },
};

/** What would be sent, with its price, before it is. */
export function Offer({ job, kind, onClose }: { job: Job; kind: OfferKind; onClose: () => void }) {
  const { title, label, send } = OFFERS[kind];
  const name = useTitleOf()(job);
  const onSend = async (shown: ShownPrice | undefined) => {
    const answer = await send(job.id, shown);
    return answer.ok ? undefined : answer.error;
  };
  const words = `${name}. ${wordsOf(job, kind)}`;
  const dialog = { title, label, onClose, children: words };
  if (kind === 'again') return <SpendAgainDialog {...dialog} onSend={onSend} job={job} />;
  const price = <PriceOfJob job={job} what={kind === 'resend' ? 'One more request' : 'It'} />;
  return <SpendDialog {...dialog} off={undefined} price={price} onSend={() => onSend(shownOfJob(job))} />;
}

function wordsOf({ money }: Job, kind: OfferKind): string {
  switch (kind) {
    case 'again':
      return 'A new job is made; this one stays as it ended.';
    case 'go':
      return 'It is tried at once, as far as the service and your caps let it.';
    case 'once':
      return 'A hard cap holds it back, since it cannot be counted against it. This one order is let through.';
    case 'now':
      return 'It leaves its night and is sent as soon as may be.';
    case 'resend': {
      if (money.unpriced) return 'It may be paid for twice. Same idempotency key.';
      const worst = formatNano(money.uncertainNano + money.estimateNano);
      return `It may be paid for twice: in the worst case ${worst} for the two. Same idempotency key.`;
    }
  }
}
