import { useRef } from 'react';
import type { Doubt } from '../../../shared/contract/events.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { isTerminal, type Job } from '../../../shared/jobs/job.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, cacheJobs, type Pages, useAction, useJob, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { sendOnce } from '../../spending/index.ts';
import {
  Button,
  EmptyState,
  formatCount,
  Panel,
  priceText,
  Reading,
  Refusal,
  Thumb,
  UncertainGlyph,
} from '../../ui/index.ts';
import { BilledField, leaveSettled, Traces } from './bill.tsx';
import { DoubtCase } from './DoubtCase.tsx';
import doubtsStyles from './doubts.module.css';
import { useDoubts } from './doubts.ts';
import { DoubtPrice, OpenCosts } from './OpenCosts.tsx';
import { PriceStops } from './prices/PriceStops.tsx';
import queueStyles from './queue.module.css';
import { DOUBT_INBOX, selectJob, useQueueView } from './state.ts';
import { useTitleOf } from './takeNames.tsx';

/**
 * Every open case with its known facts and options; below, ended jobs whose cost is still open. Real money first, test money separately.
 */
export function DoubtInbox() {
  const [real, test] = [useStake(false), useStake(true)];
  return (
    <Panel label={t`Unconfirmed`} id={DOUBT_INBOX} className={queueStyles.side}>
      <div className="bar">
        <span className={real || test ? 'st uncertain' : 't3'}>
          <UncertainGlyph />
        </span>
        <h2>{t`Unconfirmed`}</h2>
        {real && <StakeOf stake={real} />}
      </div>
      <div className="scroll">
        <PriceStops />
        <AskedAgain />
        <Cases play={false} isFirst isAlone={!test} />
        {test && (
          <>
            <div className={`grp ${doubtsStyles.opens}`}>
              <h3>{t`Test money`}</h3>
              <StakeOf stake={test} />
            </div>
            <Cases play isFirst={!real} isAlone={false} />
          </>
        )}
      </div>
    </Panel>
  );
}

/** The number of jobs and their money. */
const StakeOf = ({ stake: { count, nano, unpriced } }: { stake: Doubt }) => (
  <>
    <span className="t3">{formatCount(count)}</span>
    <span className="grow" />
    <span className={`price dash ${queueStyles.stake}`}>{priceText(nano, nano, 'range', unpriced)}</span>
  </>
);

interface CasesProps {
  play: boolean;
  /** Its cases take the keys while no job is selected. */
  isFirst: boolean;
  /** Nothing else is unconfirmed. */
  isAlone: boolean;
}

/** Unconfirmed jobs of real or of test money. */
function Cases({ play, isFirst, isAlone }: CasesProps) {
  const { cases, ended, again, small, pages } = useDoubts(play);
  const current = useCurrentCase(cases, isFirst);
  const shown = cases.length + ended.length + again.length + small.length;
  if (pages.loading || (shown === 0 && pages.error)) return <Reading of={pages} rows={2} media />;
  if (shown === 0 && !pages.hasMore)
    return isAlone && <EmptyState title={t`Nothing is unconfirmed`}>{t`Jobs without a reply appear here.`}</EmptyState>;
  return (
    <>
      {cases.map((job) => (
        <DoubtCase key={job.id} job={job} current={job.id === current} />
      ))}
      <SentAgain jobs={again} />
      <OpenCosts jobs={ended} isWhole={!pages.hasMore} />
      <SmallDoubts jobs={small} />
      <MoreDoubts pages={pages} />
    </>
  );
}

/** Loads the cases that are not read yet, of all groups. */
function MoreDoubts({ pages }: { pages: Pages }) {
  if (!pages.hasMore) return null;
  return (
    <div className="pad">
      <Button variant="ghost" onClick={pages.more}>
        {t`Show more`}
      </Button>
    </div>
  );
}

/** The studio's unconfirmed number and amount for real or test money, so that every page shows the same. */
function useStake(play: boolean): Doubt | undefined {
  const stake = useStudio(({ activeProfileId = '', queue }) =>
    isPlayMoney(activeProfileId) === play ? queue?.doubt : queue?.doubtElsewhere,
  );
  return stake && stake.count > 0 ? stake : undefined;
}

/** Running again: no action until they end. */
function SentAgain({ jobs }: { jobs: readonly Job[] }) {
  const titleOf = useTitleOf();
  if (jobs.length === 0) return null;
  return (
    <section aria-label={t`Sent again`}>
      {jobs.map((job) => (
        <article key={job.id} className="stack pad bottom-line" aria-label={t`Sent again: ${titleOf(job)}`}>
          <button type="button" className="row" onClick={() => selectJob(job.id)}>
            <Thumb asset={job.outputs[0]} />
            <span className="col grow">
              <b className="cut">{titleOf(job)}</b>
              <span className="t3 whole">{t`Sent again: you may be billed twice`}</span>
            </span>
            <DoubtPrice job={job} />
          </button>
        </article>
      ))}
    </section>
  );
}

/** The current case, and the order of the cases. */
interface ReadCases {
  readId?: string | undefined;
  order: readonly string[];
}

/**
 * The current case takes the keys 1, 2, 3: the selected one, or while nothing is selected the first one, whatever is added above it, and
 * the one below once it is gone. No case takes them while another job is selected, and no case of test money unless it is selected.
 */
function useCurrentCase(cases: readonly Job[], isFirst: boolean): string | undefined {
  const selectedId = useQueueView((state) => state.selectedId);
  const last = useRef<ReadCases>({ order: [] });
  const order = cases.map(({ id }) => id);
  const selected = order.find((id) => id === selectedId);
  // A list that is being read again is briefly empty: the current case is remembered.
  if (order.length > 0) last.current = { readId: selected ?? goneOnFrom(last.current, order), order };
  if (selectedId !== undefined || !isFirst) return selected;
  return order.find((id) => id === last.current.readId);
}

/** The previous case, or the first remaining one below it. */
function goneOnFrom({ readId, order: before }: ReadCases, now: readonly string[]): string | undefined {
  const from = readId === undefined ? -1 : before.indexOf(readId);
  return (from < 0 ? undefined : before.slice(from).find((id) => now.includes(id))) ?? now[0];
}

const LABEL = t`Second amount on the bill`;

/** The selected job, if it ended after its request was repeated: a bill that lists it twice shows that the gateway ignored the key. */
function AskedAgain() {
  const job = useJob(useQueueView((state) => state.selectedId));
  if (!job || !isTerminal(job.state) || job.money.uncertainNano > 0 || job.money.unpriced) return null;
  return job.attempts.some(({ again }) => again) ? <BilledTwice key={job.id} job={job} /> : null;
}

function BilledTwice({ job }: { job: Job }) {
  const title = useTitleOf()(job);
  const { refusal, run, isBusy, refuse } = useAction();
  const own = useRef<HTMLElement>(null);
  const add = async (billedNano: Nano) => {
    if (billedNano === 0) return refuse(t`${LABEL}: must be more than 0.`);
    const answer = await run(sendOnce('jobs.billedTwice', { id: job.id, billedNano }));
    if (!answer.ok) return;
    announce(`${title}: ${t`${formatNano(billedNano)} charged`}`);
    leaveSettled(job.id, own.current);
    cacheJobs([answer.data]);
  };
  return (
    <article ref={own} className="stack pad bottom-line" aria-label={t`Repeated: ${title}`}>
      <div className="row">
        <Thumb asset={job.outputs[0]} />
        <span className="col grow">
          <b className="cut">{title}</b>
          <span className="t3 whole">{t`${formatNano(job.money.chargedNano)} charged`}</span>
        </span>
      </div>
      <div className={`col gap ${doubtsStyles.billed}`}>
        <Traces job={job} />
        <BilledField
          label={LABEL}
          hint={t`Adds to the cost. Dailies no longer repeats requests at this gateway.`}
          action={t`Charge both`}
          error={refusal}
          busy={isBusy}
          onFault={refuse}
          onBilled={(nano) => void add(nano)}
        />
      </div>
    </article>
  );
}

/** Cases of less than a cent share one line with one action, so that they never hide larger ones. */
function SmallDoubts({ jobs }: { jobs: readonly Job[] }) {
  const { refusal, isBusy, run } = useAction();
  if (jobs.length === 0) return null;
  const stake = formatNano(jobs.reduce((sum, { money }) => sum + money.uncertainNano, 0));
  const close = async () => {
    const answers = Promise.all(jobs.map(closeAsBilled));
    const closed = await run(answers.then((all) => all.find((answer) => !answer.ok) ?? ok(null)));
    if (closed.ok) announce(t`${stake} charged`);
  };
  return (
    <section className="stack pad bottom-line" aria-label={t`Under a cent`}>
      <div className="row">
        <b>{t`${formatCount(jobs.length)} under a cent each`}</b>
        <span className="grow" />
        <span className="price in-doubt">{stake}</span>
      </div>
      <Button busy={isBusy} onClick={() => void close()}>
        {t`Close as billed`}
      </Button>
      <Refusal text={refusal} />
    </section>
  );
}

/** Closes the case by assuming that it was billed. */
async function closeAsBilled({ id, state, money }: Job): Promise<Result<unknown>> {
  if (!isTerminal(state)) {
    const lost = await sendOnce('jobs.resolve', { id, as: 'lost' });
    if (!lost.ok) return lost;
    cacheJobs([lost.data]);
  }
  if (money.uncertainNano === 0) return ok(null);
  const settled = await call('jobs.settleDoubt', { id, billedNano: money.uncertainNano });
  if (settled.ok) cacheJobs([settled.data]);
  return settled;
}
