import { useRef, useState } from 'react';
import { type RetryOffer, retryOfferOf } from '../../../shared/gateway/idempotency.ts';
import type { Job, JobAttempt } from '../../../shared/jobs/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, useAction, useNow, useShortcut, useStudio } from '../../app/index.ts';
import { sendOnce, shownOfJob, usePriceAgain, useSpendKey } from '../../spending/index.ts';
import {
  formatClockSeconds,
  formatStamp,
  Kbd,
  PriceTag,
  priceText,
  Refusal,
  TextAction,
  Thumb,
} from '../../ui/index.ts';
import { attemptWords } from '../../words/index.ts';
import styles from './doubts.module.css';
import { jobDetail } from './JobRow.tsx';
import { paidTwice, SendJobDialog, worstForTwo } from './SendJobDialog.tsx';
import { selectJob } from './state.ts';
import { useTitleOf } from './takeNames.tsx';

/** A job whose reply was lost: the known facts, then the options. */
export function DoubtCase({ job, current }: { job: Job; current: boolean }) {
  const title = useTitleOf()(job);
  const isShownAbove = job.attempts.some(
    ({ message }) => message !== undefined && job.error?.message.endsWith(message),
  );
  return (
    <article className="stack pad bottom-line" aria-label={t`Unconfirmed: ${title}`}>
      <button type="button" className="row" onClick={() => selectJob(job.id)} aria-pressed={current}>
        <Thumb asset={job.outputs[0]} />
        <span className="col grow">
          <b className="cut">{title}</b>
          <span className="t3 whole">
            {job.model ?? kindOf(job).words.title}, {jobDetail(job)}
          </span>
        </span>
      </button>
      <ol className={styles.tline}>
        {job.attempts.map((attempt) => (
          <AttemptLine key={attempt.at} attempt={attempt} />
        ))}
        {job.kept && (
          <li>
            <span>{t`Idempotency key`}</span>
            <span className="mono cut">{job.kept.key}</span>
          </li>
        )}
        {job.remoteId && (
          <li>
            <span>{t`Task`}</span>
            <span className="mono cut" title={job.remoteId}>
              {job.remoteId}
            </span>
          </li>
        )}
        <li>
          <span>{t`Unconfirmed`}</span>
          <span>{job.money.unpriced ? t`No price set` : formatNano(job.money.uncertainNano)}</span>
        </li>
      </ol>
      <p className="t2">
        {!isShownAbove && job.error && `${job.error.message} `}
        {t`No reply from the gateway. The result may exist and be billed.`}
      </p>
      <DoubtActions job={job} keys={current} />
    </article>
  );
}

const AttemptLine = ({ attempt }: { attempt: JobAttempt }) => (
  <li>
    <span className="mono">{formatClockSeconds(attempt.at)}</span>
    <span>
      {attemptWords(attempt)}
      {attempt.requestId && <span className="mono"> {attempt.requestId}</span>}
    </span>
  </li>
);

type ResolveAs = 'again' | 'lookup' | 'lost';

/** Look it up, count it as lost, or knowingly send it again, each with its worst-case cost. */
function DoubtActions({ job, keys }: { job: Job; keys: boolean }) {
  const [chosen, choose] = useState<ResolveAs>();
  const [found, setFound] = useState<string>();
  const { refusal, isBusy, run } = useAction();
  const [offered, setOffered] = useState(false);
  const resolve = async (as: ResolveAs) => {
    choose(as);
    const shown = as === 'again' ? { shown: shownOfJob(job) } : {};
    const answer = await run(sendOnce('jobs.resolve', { id: job.id, as, ...shown }));
    if (answer.ok && as === 'lookup' && answer.data.state === 'uncertain')
      setFound(t`Nothing was found. Nothing was sent or billed.`);
  };
  const asking = useAskAgain(job);
  const way = (as: ResolveAs) => ({ busy: isBusy && chosen === as, onChoose: () => void resolve(as), keys });
  return (
    <>
      <div className="ways">
        {asking.isDocumented && <AgainWay {...way('again')} job={job} asking={asking} />}
        <DoubtAction
          {...way('lookup')}
          action="doubt.lookup"
          title={job.remoteId ? t`Check again` : t`Ask the gateway`}
          cost={<span className="t3">{t`Free`}</span>}
          off={job.cannotLookUp}
        >
          {t`If the gateway has the result, it is downloaded and charged.`}
        </DoubtAction>
        <DoubtAction
          {...way('lost')}
          {...asking.wait}
          action="doubt.lost"
          title={t`Mark as lost`}
          cost={<span className="t3">{t`Free`}</span>}
        >
          {t`Ends the job. Its cost stays unconfirmed until the bill.`}
        </DoubtAction>
        <ResendWay job={job} keys={keys} asking={asking} onChoose={() => setOffered(true)} />
      </div>
      {!asking.isDocumented && job.kept && (
        <p className="t3">
          <TextAction onClick={() => navigate('settings')}>{t`My gateway supports idempotency keys`}</TextAction>
        </p>
      )}
      {offered && <SendJobDialog job={job} kind="resend" onClose={() => setOffered(false)} />}
      <Refusal text={refusal} />
      {found && (
        <p className="t2" role="status">
          {found}
        </p>
      )}
    </>
  );
}

type Asking = ReturnType<typeof useAskAgain>;

/** Whether the request may be repeated, by what the gateway documents. */
function useAskAgain(job: Job) {
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === job.profileId));
  const now = useNow(30_000);
  const isNow = job.attempts.at(-1)?.outcome === 'sending';
  return {
    offer: retryOfferOf(job, profile, now),
    isDocumented: profile?.idempotency.kind === 'documented',
    isNow,
    wasAsked: job.attempts.some(({ again }) => again),
    /** Other actions are off meanwhile. */
    wait: isNow ? { off: t`Asking…` } : {},
  };
}

type AskingProps = Pick<DoubtActionProps, 'keys' | 'onChoose'> & { job: Job; asking: Asking };

/** The same bytes under the same key. The price is shown, because a request that never arrived is made now. */
function AgainWay({ job, asking: { offer, isNow }, busy, ...way }: AskingProps & { busy: boolean }) {
  const { estimateNano, estimateLowNano, unpriced } = job.money;
  const cost = <PriceTag nano={estimateNano} lowNano={estimateLowNano} unpriced={unpriced} />;
  return (
    <DoubtAction
      {...way}
      busy={busy || isNow}
      action="doubt.again"
      title={isNow ? t`Asking…` : t`Repeat with the same key`}
      cost={cost}
      price={priceText(estimateNano, estimateLowNano, 'range', unpriced)}
      off={offer.can ? undefined : offer.why}
    >
      {offer.can && cannotCostTwice(offer)}
    </DoubtAction>
  );
}

function ResendWay({ job, asking: { offer, wasAsked, wait }, ...way }: AskingProps) {
  const now = usePriceAgain(job.id);
  const worst = worstForTwo(job, now);
  const off = offer.can && !wasAsked ? { off: t`Repeat with the same key first: you cannot pay twice.` } : wait;
  return (
    <DoubtAction
      {...way}
      {...off}
      busy={false}
      action="doubt.resend"
      title={t`Send again anyway`}
      cost={
        now.price && (
          <PriceTag nano={now.price.estimateNano} lowNano={now.price.lowNano} unpriced={now.price.unpriced} />
        )
      }
    >
      {paidTwice(worst)}
    </DoubtAction>
  );
}

const cannotCostTwice = ({ source, until }: Extract<RetryOffer, { can: true }>): string =>
  t`According to ${sourceWords(source)}, it cannot cost twice until ${formatStamp(until)}.`;

/** An address without its scheme, or the entered text. */
function sourceWords(source: string): string {
  const url = URL.parse(source);
  return url ? `${url.host}${url.pathname.replace(/\/$/, '')}` : source;
}

interface WayProps {
  title: string;
  cost: React.ReactNode;
  children: React.ReactNode;
  busy: boolean;
  /** Why the action is off, shown instead of its effect. */
  off?: string | undefined;
  onChoose: () => void;
}

interface DoubtActionProps extends WayProps {
  action: `doubt.${'again' | 'lookup' | 'lost' | 'resend'}`;
  /** The action spends at once, so its key only focuses its button. */
  price?: string;
  keys: boolean;
}

/** An option with its key. */
function DoubtAction({ action, price, keys, ...way }: DoubtActionProps) {
  const { title, busy, off, onChoose } = way;
  const button = useRef<HTMLButtonElement>(null);
  const isHeard = keys && !busy && off === undefined;
  useShortcut(action, onChoose, isHeard && price === undefined);
  const spend =
    price === undefined ? undefined : { label: title, price, off, isHeard, isBusy: busy, onSpend: onChoose };
  const hint = useSpendKey(action, button, spend);
  return <Way {...way} button={button} hint={keys && off === undefined && <Kbd>{hint}</Kbd>} />;
}

/** An option: the title is the button, with its cost at the end. */
export function Way({
  title,
  cost,
  children,
  busy,
  off,
  onChoose,
  button,
  hint,
}: WayProps & { button?: React.Ref<HTMLButtonElement>; hint?: React.ReactNode }) {
  return (
    <div className={`way ${off === undefined ? '' : styles.off}`}>
      <div className="row">
        <button ref={button} type="button" className="way-do" onClick={onChoose} disabled={busy || off !== undefined}>
          {title}
          {hint}
        </button>
        <span className="grow" />
        {off === undefined && cost}
      </div>
      <div className="t2">{off ?? children}</div>
    </div>
  );
}
