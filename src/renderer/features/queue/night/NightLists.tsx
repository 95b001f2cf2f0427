import { GripVertical } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { AddedFit, AddedUnfit, DryRun, DryRunJob, UnfitJob } from '../../../../shared/jobs/night.ts';
import { kindOf } from '../../../../shared/kinds/index.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, only, ROW_TITLE_LENGTH, useJob, useLongList, useShortcut } from '../../../app/index.ts';
import { useNightOrder } from '../../../spending/index.ts';
import {
  Button,
  EmptyState,
  formatClock,
  formatCount,
  formatSpan,
  Icon,
  listBox,
  PriceTag,
  priceText,
  Reading,
  rich,
  Thumb,
} from '../../../ui/index.ts';
import { moveChosen } from '../dragging.ts';
import queueStyles from '../queue.module.css';
import { useTitleOf } from '../takeNames.tsx';
import nightStyles from './night.module.css';
import { WaysToFit } from './WaysToFit.tsx';

type Row =
  | { type: 'head'; title: string; note: string; end?: string }
  | { type: 'fit'; job: DryRunJob }
  | { type: 'unfit'; job: UnfitJob }
  /** A job that would be added with the plan and is not in the queue yet. */
  | { type: 'new'; key: string; job: AddedFit | AddedUnfit };

interface NightListsProps {
  dry: DryRun;
  /** Tries a plan with this budget. */
  onCap: (capNano: number) => void;
}

const HEAD_PX = 28;
const ROW_PX = 44;

/**
 * The jobs that would be sent, in order, and those that would not fit: by how much, with one fix each. Drag, or Alt with the arrows,
 * reorders.
 */
export function NightLists({ dry, onCap }: NightListsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = rowsOf(dry);
  const [chosen, setChosen] = useState<string>();
  const { items, height, scrollToIndex } = useLongList({
    count: rows.length,
    scroller,
    rowPx: ROW_PX,
    estimateSize: (index) => (rows[index]?.type === 'head' ? HEAD_PX : ROW_PX),
    rest: { overscan: 8, initialRect: { width: 800, height: 800 } },
  });
  const keys = rows.flatMap((row) => keyOf(row) ?? []);
  useReorder(
    rows.flatMap((row) => (isQueued(row) ? [row.job.jobId] : [])),
    chosen,
  );
  const list = listBox({
    ids: keys,
    chosen,
    onChoose: setChosen,
    onOpen: (key) => {
      const row = rows.find((one) => keyOf(one) === key);
      if (row && isQueued(row)) navigate('queue', { job: row.job.jobId });
    },
    elementId: (key) => `night-${key}`,
    show: (key) => scrollToIndex(rows.findIndex((one) => keyOf(one) === key)),
  });
  if (keys.length === 0) return <NoLines />;
  return (
    <div
      ref={scroller}
      className={`scroll panel-ring ${queueStyles.qlist}`}
      role="listbox"
      aria-label={t`Jobs of the run`}
      {...list}
    >
      <div className="qspace" style={{ height }}>
        {items.map(({ key, index, start }) => (
          <div key={key} className="qitem" data-index={index} style={{ transform: `translateY(${start}px)` }}>
            <Line row={rows[index]} chosen={chosen} onChoose={setChosen} firstId={dry.fits[0]?.jobId} onCap={onCap} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A list box must not be empty. */
function NoLines() {
  const isOrdered = useNightOrder(({ order }) => order !== undefined);
  if (isOrdered) return <Reading of={{}} rows={6} media />;
  return (
    <EmptyState title={t`No jobs tonight`}>{rich`Press ${<i>{t`Schedule tonight`}</i>} beside any price.`}</EmptyState>
  );
}

const NONE_ADDED = { fits: [], fitCount: 0, unfit: [], unfitCount: 0 };

function rowsOf({ fits, unfit, added = NONE_ADDED, totalNano, totalLowNano, unpriced, ...counts }: DryRun): Row[] {
  const fitCount = counts.fitCount + added.fitCount;
  const unfitCount = counts.unfitCount + added.unfitCount;
  const countOf = (listed: number, count: number) =>
    count > listed ? t`${formatCount(listed)} of ${formatCount(count)} listed` : formatCount(count);
  return [
    {
      type: 'head',
      title: t`In the run`,
      note: countOf(fits.length + added.fits.length, fitCount),
      end: unpriced > 0 ? priceText(totalNano, totalLowNano, 'most', unpriced) : t`${formatNano(totalNano)} at most`,
    },
    ...fits.map((job): Row => ({ type: 'fit', job })),
    ...added.fits.map((job, n): Row => ({ type: 'new', key: `fit-${n}`, job })),
    ...(unfitCount === 0
      ? []
      : [
          {
            type: 'head' as const,
            title: t`Does not fit`,
            note: countOf(unfit.length + added.unfit.length, unfitCount),
          },
        ]),
    ...unfit.map((job): Row => ({ type: 'unfit', job })),
    ...added.unfit.map((job, n): Row => ({ type: 'new', key: `unfit-${n}`, job })),
  ];
}

const Head = ({ row: { title, note, end } }: { row: Extract<Row, { type: 'head' }> }) => (
  <div className="grp" role="presentation">
    {title} <span className="t3">{note}</span>
    <span className="grow" />
    {end && <span>{end}</span>}
  </div>
);

/** Moves the selected job past its neighbour. */
function useReorder(ids: readonly string[], chosen: string | undefined): void {
  const move = (by: 1 | -1) => {
    const at = ids.indexOf(chosen ?? '');
    const [from, to] = [ids[at], ids[at + by]];
    if (from === undefined || to === undefined) return;
    void moveChosen(only(by < 0 ? from : to), { before: by < 0 ? to : from });
  };
  useShortcut('queue.earlier', () => move(-1));
  useShortcut('queue.later', () => move(1));
}

const DRAG_TYPE = 'application/x-dailies-job';

const dragProps = (id: string) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(DRAG_TYPE, id);
    event.dataTransfer.effectAllowed = 'move' as const;
  },
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes(DRAG_TYPE)) event.preventDefault();
  },
  onDrop: (event: DragEvent) => {
    const moved = event.dataTransfer.getData(DRAG_TYPE);
    event.preventDefault();
    if (moved !== '' && moved !== id) void moveChosen(only(moved), { before: id });
  },
});

type QueuedRow = Extract<Row, { type: 'fit' | 'unfit' }>;

const isQueued = (row: Row): row is QueuedRow => row.type === 'fit' || row.type === 'unfit';

/** The key of a row that can be focused; headings have none. */
const keyOf = (row: Row): string | undefined =>
  isQueued(row) ? row.job.jobId : row.type === 'new' ? row.key : undefined;

interface LineProps extends Omit<JobLineProps, 'row' | 'isChosen' | 'onChoose'> {
  row: Row | undefined;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

function Line({ row, chosen, onChoose, ...line }: LineProps) {
  if (row === undefined) return null;
  if (row.type === 'head') return <Head row={row} />;
  const key = keyOf(row) ?? '';
  return <JobLine {...line} row={row} isChosen={key === chosen} onChoose={() => onChoose(key)} />;
}

interface JobLineProps {
  row: Exclude<Row, { type: 'head' }>;
  isChosen: boolean;
  onChoose: () => void;
  firstId: string | undefined;
  onCap: (capNano: number) => void;
}

/** The budget that a new job needs to fit, if only money is missing. */
const capFor = ({ type, job }: JobLineProps['row']): number | undefined =>
  type === 'new' && 'reason' in job && job.cure?.type === 'cap' ? job.cure.capNano : undefined;

/** The second line: what the job lacks, or its request. */
function detailOf(row: JobLineProps['row'], job: Job | undefined): string | undefined {
  if ('reason' in row.job) return row.job.message;
  return row.type === 'new' ? t`Scheduled with this plan` : job && kindOf(job).facts(job.request);
}

/** A job that is scheduled with the plan is not in the queue yet, so it can be neither moved nor opened. */
function JobLine({ row, isChosen, onChoose, firstId, onCap }: JobLineProps) {
  const { nano, lowNano, unpriced } = row.job;
  const jobId = isQueued(row) ? row.job.jobId : undefined;
  const job = useJob(jobId);
  const titleOf = useTitleOf();
  const isUnfit = 'reason' in row.job;
  const capNano = capFor(row);
  const title = job ? titleOf(job, ROW_TITLE_LENGTH) : '…';
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list that holds the rows owns the keys.
    <div
      id={`night-${keyOf(row)}`}
      role="option"
      aria-selected={isChosen}
      className={`hovers ${queueStyles.qrow} ${nightStyles.nrow} ${isChosen ? 'is-picked' : ''}`}
      onClick={onChoose}
      {...(jobId === undefined ? {} : { onDoubleClick: () => navigate('queue', { job: jobId }), ...dragProps(jobId) })}
    >
      <span className={`${queueStyles.hd} ${nightStyles.hd}`} aria-hidden="true">
        {jobId !== undefined && <Icon of={GripVertical} />}
      </span>
      <Thumb asset={job?.outputs[0]} />
      <div>
        <div className="cut">{'title' in row.job ? row.job.title : title}</div>
        <div className={isUnfit ? 't3' : 'cut t3'}>{detailOf(row, job)}</div>
      </div>
      <span className={`${nightStyles.model} t2 cut`}>{job && (job.model ?? kindOf(job).words.title)}</span>
      <span className="t2 num">{'reason' in row.job ? lackOf(row.job) : spanOf(row.job)}</span>
      <span className="r">
        <PriceTag nano={nano} lowNano={lowNano} unpriced={unpriced} />
      </span>
      <span className="r">
        {row.type === 'unfit' && <WaysToFit unfit={row.job} firstId={firstId} onCap={onCap} />}
        {capNano !== undefined && (
          <Button variant="ghost" onClick={() => onCap(capNano)}>{t`Set run budget to ${formatNano(capNano)}`}</Button>
        )}
      </span>
    </div>
  );
}

/** A job with only a known price has no time. */
const spanOf = ({ startsAt, endsAt }: Pick<DryRunJob, 'startsAt' | 'endsAt'>): string =>
  startsAt === endsAt ? '' : t`${formatClock(startsAt)} to ${formatClock(endsAt)}`;

const lackOf = ({ byNano, byMs }: Pick<UnfitJob, 'byNano' | 'byMs'>): string =>
  byNano !== undefined ? t`By ${formatNano(byNano)}` : byMs !== undefined ? t`By ${formatSpan(byMs)}` : '';
