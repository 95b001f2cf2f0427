import { Pause, Play } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { type JobKind, kindOf, kindsWhere, makesFiles } from '../../../shared/kinds/index.ts';
import {
  type Command,
  takeQueue,
  useCall,
  useCommands,
  useKeyHint,
  useProject,
  useShortcut,
  useStudio,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, Chip, Icon, Select, Tabs, TextInput, toast } from '../../ui/index.ts';
import { type QueueTab, setQueueView, useQueueView } from './state.ts';
import { useIsPlay, waitingMoney } from './waitingMoney.ts';

/** What makes files first: there are far more chats than anything else. */
const kindOptions = (): { value: JobKind | 'any'; label: string }[] => [
  { value: 'any', label: 'Any kind' },
  ...[...kindsWhere(makesFiles), ...kindsWhere((kind) => !makesFiles(kind))].map((value) => ({
    value,
    label: kindOf(value).words.title,
  })),
];

/** Filters, and the one switch over everything that runs. */
export function QueueBar({ counts }: { counts: Record<QueueTab, number | undefined> }) {
  const { tab, kind, ownProject, text } = useQueueView();
  const project = useProject();
  return (
    <div className="bar qbar">
      <Tabs
        aria-label="Which jobs"
        value={tab}
        onValue={(next) => setQueueView({ tab: next })}
        items={[
          { value: 'all', label: 'All', count: counts.all },
          { value: 'open', label: 'Open', count: counts.open },
          { value: 'done', label: 'Done', count: counts.done },
          { value: 'failed', label: 'Failed', count: counts.failed },
        ]}
      />
      <span className="q-kind">
        <Select
          aria-label="Kind"
          options={kindOptions()}
          value={kind}
          onValue={(next) => setQueueView({ kind: next })}
        />
      </span>
      {project && (
        <Chip on={ownProject} onClick={() => setQueueView({ ownProject: !ownProject })}>
          Only {project.name}
        </Chip>
      )}
      <span className="q-find">
        <TextInput
          aria-label="Find by prompt"
          placeholder="Find by prompt"
          value={text}
          onValue={(next) => setQueueView({ text: next })}
        />
      </span>
      <span className="grow" />
      <PauseAll />
    </div>
  );
}

const PAUSE_UNKNOWN = 'The button says whether the queue is paused as soon as the studio tells it.';

function PauseAll() {
  const paused = useStudio((state) => state.queue?.paused ?? false);
  // Resuming sends jobs, so the button shows their price.
  const { data } = useCall('jobs.list', paused ? { order: 'queue', limit: 1 } : null, { on: ['ledger.changed'] });
  const isPlay = useIsPlay();
  const money = paused ? waitingMoney(data?.waiting, isPlay) : undefined;
  const hint = useKeyHint('queue.pause');
  const toggle = async () => {
    const answer = await call(paused ? 'queue.resume' : 'queue.pause');
    if (answer.ok) takeQueue(answer.data);
    else toast({ kind: 'fail', text: `${answer.error.message} ${PAUSE_UNKNOWN}` });
  };
  useShortcut('queue.pause', () => void toggle());
  // One command, the one that the button is: what goes on has its price in the palette too.
  const label = `${paused ? 'Resume' : 'Pause'} all jobs${money === undefined ? '' : `, ${money}`}`;
  const latest = useRef(toggle);
  latest.current = toggle;
  const commands = useMemo(
    (): Command[] => [{ id: 'queue.pause', label, action: 'queue.pause', run: () => void latest.current() }],
    [label],
  );
  useCommands('queue', commands);
  return (
    <Button kbd={hint} onClick={() => void toggle()}>
      <Icon of={paused ? Play : Pause} />
      {paused ? 'Resume all' : 'Pause all'}
      {money !== undefined && <span className="price t3">{money}</span>}
    </Button>
  );
}
