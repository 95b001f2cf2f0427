import { FileInput, Pause, Play, RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { LaneStatus } from '../../../shared/contract/events.ts';
import type { JobFilter } from '../../../shared/jobs/lists.ts';
import { type JobKind, kindOf, kindsWhere, laneNamed, makesFiles } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  refusalOf,
  refuseAt,
  takeQueue,
  useCall,
  useKeyHint,
  useProject,
  useShortcut,
  useStudio,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { untilAnswered } from '../../spending/index.ts';
import {
  Button,
  Chip,
  formatCount,
  Icon,
  Kbd,
  priceText,
  Select,
  Tabs,
  TextAction,
  TextInput,
} from '../../ui/index.ts';
import { openImport } from './batch/jobs.ts';
import { ManyDialog } from './ManyDialog.tsx';
import { PauseAll } from './PauseAll.tsx';
import styles from './queue.module.css';
import { OUTCOME, type QueueTab, setQueueView, useQueueView } from './state.ts';

/** Failed jobs are counted after no job has changed for this long. */
const COUNTED_AFTER_MS = 200;

/** Kinds that make files come first; chats outnumber everything else. */
const kindOptions = (): { value: JobKind | 'any'; label: string }[] => [
  { value: 'any', label: t`All kinds` },
  ...[...kindsWhere(makesFiles), ...kindsWhere((kind) => !makesFiles(kind))].map((value) => ({
    value,
    label: kindOf(value).words.title,
  })),
];

interface QueueBarProps {
  counts: Record<QueueTab, number | undefined>;
  /** The filter of the list, independent of the tab. */
  filter: JobFilter;
}

/** Filters, failed jobs, and the one switch for everything that runs. */
export function QueueBar({ counts, filter }: QueueBarProps) {
  const { tab, kind, ownProject } = useQueueView();
  const project = useProject();
  return (
    <div className={`bar ${styles.qbar}`}>
      <Tabs
        aria-label={t`Jobs shown`}
        value={tab}
        onValue={(next) => setQueueView({ tab: next })}
        items={[
          { value: 'all', label: t`All`, count: counts.all },
          { value: 'open', label: t`Open`, count: counts.open },
          { value: 'done', label: t`Done`, count: counts.done },
          { value: 'failed', label: t`Failed`, count: counts.failed },
        ]}
      />
      <span className={styles.qKind}>
        <Select
          aria-label={t`Kind`}
          options={kindOptions()}
          value={kind}
          onValue={(next) => setQueueView({ kind: next })}
        />
      </span>
      {project && (
        <Chip on={ownProject} onClick={() => setQueueView({ ownProject: !ownProject })}>
          {t`Only ${project.name}`}
        </Chip>
      )}
      <FindField />
      <div className={`row ${styles.qActs}`}>
        {counts.failed !== undefined && counts.failed > 0 && <RetryFailed filter={filter} />}
        <Button kbd={useKeyHint('queue.import')} onClick={openImport}>
          <Icon of={FileInput} />
          {t`Import`}
        </Button>
        <PauseAll />
      </div>
    </div>
  );
}

function FindField() {
  const text = useQueueView((view) => view.text);
  const field = useRef<HTMLInputElement>(null);
  const hint = useShortcut('queue.search', () => field.current?.focus());
  return (
    <span className={styles.qFind}>
      <TextInput
        ref={field}
        aria-label={t`Find`}
        placeholder={t`Find`}
        value={text}
        onValue={(next) => setQueueView({ text: next })}
        after={text === '' && <Kbd>{hint}</Kbd>}
      />
    </span>
  );
}

/** All listed failed jobs that were not requested again since, at one price. */
function RetryFailed({ filter }: { filter: JobFilter }) {
  const [open, setOpen] = useState(false);
  const of = { filter: { ...filter, states: ['failed' as const] } };
  const { data } = useCall('jobs.chosen', of, { on: ['job.changed'], debounceMs: COUNTED_AFTER_MS });
  const count = data?.ended ?? 0;
  return (
    <>
      {count > 0 && (
        <Button variant="ghost" onClick={() => setOpen(true)}>
          <Icon of={RotateCcw} />
          {t`Retry ${formatCount(count)} failed`}
        </Button>
      )}
      {open && <ManyDialog kind="retry" of={of} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Running jobs of each lane out of its limit, and which lanes are paused. */
export function LaneBar() {
  const lanes = useStudio((state) => state.queue?.lanes);
  if (!lanes || lanes.length === 0) return null;
  return (
    <section className={`bar ${styles.laneBar}`} aria-label={t`Requests at once`}>
      {lanes.map((lane) => (
        <LaneCount key={`${lane.kind} ${lane.profileId}`} lane={lane} />
      ))}
    </section>
  );
}

/** Pauses or resumes a lane. Resuming shows the price of what would be sent. */
function LaneCount({ lane }: { lane: LaneStatus }) {
  const activeId = useStudio((state) => state.activeProfileId);
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === lane.profileId));
  const words = laneNamed(lane.kind)?.words ?? lane.kind;
  const name = lane.profileId === activeId ? words : `${words} (${profile?.name ?? t`Removed gateway`})`;
  const counts = t`${lane.running} of ${lane.atOnce} running, ${formatCount(lane.waiting)} waiting`;
  const money = lane.paused && (lane.reservedNano > 0 || lane.unpriced > 0);
  const toggle = async () => {
    const { kind, profileId } = lane;
    const ask = () => call(lane.paused ? 'queue.resume' : 'queue.pause', { lane: { kind, profileId } });
    const answer = await untilAnswered(ask);
    if (answer.ok) takeQueue(answer.data);
    else refuseAt(OUTCOME, refusalOf(answer.error));
  };
  return (
    <TextAction
      aria-pressed={lane.paused}
      aria-label={lane.paused ? t`Resume ${name}, ${counts}` : t`Pause ${name}, ${counts}`}
      onClick={() => void toggle()}
    >
      <Icon of={lane.paused ? Play : Pause} />
      {t`${name} ${lane.running} of ${lane.atOnce}`}
      {lane.paused && <b>{t`Paused`}</b>}
      {money && (
        <span className="price t3">{priceText(lane.reservedNano, lane.reservedNano, 'range', lane.unpriced)}</span>
      )}
    </TextAction>
  );
}
