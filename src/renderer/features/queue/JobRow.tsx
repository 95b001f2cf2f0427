import { GripVertical } from 'lucide-react';
import { type DragEvent, memo } from 'react';
import { wordsOfDifferences } from '../../../shared/difference.ts';
import type { Job } from '../../../shared/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { formatNano } from '../../../shared/money.ts';
import { jobTitle, ROW_TITLE_LENGTH } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { formatWhen, Icon, PriceWords, Thumb } from '../../ui/index.ts';
import { StateCell } from './StateCell.tsx';
import { selectJob, WAITING_STATES } from './state.ts';
import { useIsTake, useTitleOf } from './takeNames.tsx';

const DRAG_TYPE = 'application/x-dailies-job';

/** The second line: what the request asks for, what the service said, or in what the result is not what was ordered. */
export function jobDetail(job: Job): string {
  if (job.state === 'failed' && job.error) return job.error.message;
  const unlike = wordsOfDifferences(job.differs) || job.money.note;
  if (job.state === 'succeeded' && unlike) return unlike;
  return kindOf(job).facts(job.request);
}

/** Drop a waiting job on another to put it before that one. */
function dragProps(job: Job) {
  if (!WAITING_STATES.includes(job.state)) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(DRAG_TYPE, job.id);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(DRAG_TYPE)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const id = event.dataTransfer.getData(DRAG_TYPE);
      event.preventDefault();
      if (id !== '' && id !== job.id) void call('jobs.move', { id, before: job.id });
    },
  };
}

export interface JobRowProps {
  job: Job;
  selected: boolean;
  /** `1st` in the waiting list; the time elsewhere. */
  end: string;
}

export const JobRow = memo(function JobRow({ job, selected, end }: JobRowProps) {
  const settled = job.money.chargedNano > 0 || ['failed', 'canceled', 'succeeded'].includes(job.state);
  const waits = WAITING_STATES.includes(job.state);
  const title = useTitleOf()(job, ROW_TITLE_LENGTH);
  // A take is titled by its shot; its prompt is in the second line.
  const saysPrompt = useIsTake(job.id) && job.state !== 'failed' && !job.differs;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list that holds the rows owns the keys.
    <div
      id={`job-${job.id}`}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      className={`qrow ${selected ? 'sel' : ''}`}
      onClick={() => selectJob(job.id)}
      {...dragProps(job)}
    >
      <span className={`hd ${waits ? '' : 'none'}`} aria-hidden="true">
        <Icon of={GripVertical} />
      </span>
      <Thumb asset={job.outputs[0]} />
      <div className="what">
        <div className="cut">{title}</div>
        <div className="cut t3">{saysPrompt ? jobTitle(job, ROW_TITLE_LENGTH) : jobDetail(job)}</div>
      </div>
      <span className="model t2 cut">{job.model ?? kindOf(job).words.title}</span>
      <div className="cell">
        <StateCell job={job} />
      </div>
      <span className="r">
        {job.money.uncertainNano > 0 ? (
          <span className="price in-doubt" title="In doubt">
            {formatNano(job.money.uncertainNano)}
            <span className="vh"> in doubt</span>
          </span>
        ) : settled ? (
          <PriceWords
            nano={job.money.chargedNano}
            lowNano={job.money.chargedLowNano}
            as="most"
            unpriced={job.money.unpriced ? 1 : 0}
          />
        ) : (
          <PriceWords
            nano={job.money.estimateNano}
            lowNano={job.money.estimateLowNano}
            unpriced={job.money.unpriced ? 1 : 0}
          />
        )}
      </span>
      <span className="r t3">{end}</span>
    </div>
  );
});

const ORDINALS = new Intl.PluralRules('en-GB', { type: 'ordinal' });
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** `1st`, `2nd`, `11th`. */
export const ordinal = (place: number): string => `${place}${ENDINGS[ORDINALS.select(place)] ?? 'th'}`;

export const endOf = (job: Job, now: number): string => formatWhen(job.finishedAt ?? job.sentAt ?? job.createdAt, now);
