import { GripVertical } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { resultWords } from '../../../shared/jobs/resultWords.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { jobTitle, ROW_TITLE_LENGTH } from '../../app/index.ts';
import { formatWhen, Icon, PriceWords, Thumb } from '../../ui/index.ts';
import { dragProps } from './dragging.ts';
import styles from './queue.module.css';
import { StateCell } from './StateCell.tsx';
import { WAITING_STATES } from './state.ts';
import { useProjectTakes, useTitleOf } from './takeNames.tsx';

/** The gateway's note, or how the result differs from the request. */
export function jobWarning(job: Job): string | undefined {
  if ((job.state === 'failed' || job.state === 'running') && job.error) return job.error.message;
  if (job.state !== 'succeeded') return undefined;
  const { statedNano, chargedNano, note } = job.money;
  // A charge stated by the gateway is reported once, where its price is decided.
  return resultWords(job) || (statedNano === undefined || statedNano !== chargedNano ? note : undefined);
}

/** The second line: the warning, or what the request asks for. */
export const jobDetail = (job: Job): string => jobWarning(job) ?? kindOf(job).facts(job.request);

export interface JobRowProps {
  job: Job;
  /** The job is selected. */
  selected: boolean;
  /** The keys act on this job. */
  active: boolean;
  /** A dragged job would be inserted before this one. */
  drop: boolean;
  /** `#1` in the waiting list; the time elsewhere. */
  end: string;
  onPick: (event: MouseEvent, id: string) => void;
}

export const JobRow = memo(function JobRow({ job, selected, active, drop, end, onPick }: JobRowProps) {
  const waits = WAITING_STATES.includes(job.state);
  const title = useTitleOf()(job, ROW_TITLE_LENGTH);
  // A take is titled by its shot; its prompt is in the second line.
  const warning = jobWarning(job);
  const saysPrompt = useProjectTakes().has(job.id) && warning === undefined;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list that holds the rows owns the keys.
    <div
      id={`job-${job.id}`}
      role="option"
      aria-selected={selected}
      className={`hovers ${styles.qrow} ${selected ? 'is-picked' : ''} ${active ? styles.active : ''} ${drop ? styles.drop : ''}`}
      onClick={(event) => onPick(event, job.id)}
      {...dragProps(job)}
    >
      <span className={`${styles.hd} ${waits ? '' : styles.none}`} aria-hidden="true">
        <Icon of={GripVertical} />
      </span>
      <Thumb asset={job.outputs[0]} />
      <div>
        <div className="cut">{title}</div>
        <div className={`t3 ${warning === undefined ? 'cut' : 'whole'}`}>
          {saysPrompt ? jobTitle(job, ROW_TITLE_LENGTH) : jobDetail(job)}
        </div>
      </div>
      <span className={`${styles.model} t2 cut`}>{job.model ?? kindOf(job).words.title}</span>
      <div className={styles.cell}>
        <StateCell job={job} />
      </div>
      <span className="r">
        <RowPrice job={job} />
      </span>
      <span className="r t3">{end}</span>
    </div>
  );
});

function RowPrice({ job: { money, state } }: { job: Job }) {
  const { unpriced } = money;
  if (money.uncertainNano > 0)
    return (
      <span className="price in-doubt" title={t`Unconfirmed`}>
        {formatNano(money.uncertainNano)}
        <span className="vh"> {t`Unconfirmed`}</span>
      </span>
    );
  const isSettled = money.chargedNano > 0 || ['failed', 'canceled', 'succeeded'].includes(state);
  return isSettled ? (
    <PriceWords nano={money.chargedNano} lowNano={money.chargedLowNano} as="most" unpriced={unpriced} />
  ) : (
    <PriceWords nano={money.estimateNano} lowNano={money.estimateLowNano} unpriced={unpriced} />
  );
}

export const endOf = (job: Job, now: number): string => formatWhen(job.finishedAt ?? job.sentAt ?? job.createdAt, now);
