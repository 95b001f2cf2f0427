import { Dialog } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import type { Job } from '../../../shared/job.ts';
import { t } from '../../../shared/texts.ts';
import { formatCount, formatWhen, Icon, JobStateGlyph, Kbd, Thumb, useOpener } from '../../ui/index.ts';
import { announce } from '../announce.ts';
import { type Command as RunCommand, useCommandList } from '../commands.ts';
import { jobTitle } from '../jobTitle.ts';
import type { KeyActionId } from '../keys/actions.ts';
import { useKeyHint } from '../keys/shortcuts.ts';
import { useSpendChord } from '../keys/spendChord.ts';
import { spendWords } from '../keys/spendWords.ts';
import { PAGES } from '../pages.tsx';
import { navigate } from '../route.ts';
import { useRunningWords } from '../runningWords.ts';
import { useListedJobs } from '../state/entities.ts';
import { openProject, useStudio } from '../state/studio.ts';
import { useCall } from '../state/useCall.ts';

const FOUND = 6;
const TYPING_MS = 120;

/** Everything by name: pages, actions, projects, jobs and pictures. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const finalFocus = useOpener(open);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="pal-layer" finalFocus={finalFocus} aria-label={t`Find or run anything`}>
          <PaletteBody onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Commands that spend are run by the chord that spends alone; any other press says what it would send. */
function useSpendCommands(value: string, run: Run) {
  const place = useRef<HTMLDivElement>(null);
  const [asks, setAsks] = useState<string>();
  const spends = useKeyHint('spend.go');
  const ask = (command: RunCommand) => {
    const words = command.off ?? spendWords(command.label, command.price ?? '', spends);
    setAsks(words);
    announce(words);
  };
  const byOwner = useCommandList((state) => state.byOwner);
  useSpendChord(place, () => {
    const chosen = [...byOwner.values()].flat().find((command) => valueOfCommand(command) === value);
    if (chosen?.price === undefined) return;
    if (chosen.off === undefined) run(chosen.run)();
    else ask(chosen);
  });
  return { asks, ask, place };
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [value, setValue] = useState('');
  const query = useDeferredValue(text.trim());
  const asked = query.length > 1 ? { text: query, limit: FOUND } : null;
  const jobs = useCall('jobs.list', asked, { debounceMs: TYPING_MS }).data;
  const assets = useCall('library.list', asked, { debounceMs: TYPING_MS }).data;
  const nothing = !jobs?.total && !assets?.total;
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const { asks, ask, place } = useSpendCommands(value, run);
  // The list takes every Enter for a choice; with a modifier it is meant for the chord.
  const leaveChord = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.preventDefault();
  };
  return (
    <Command
      ref={place}
      className="pal"
      label={t`Find or run anything`}
      loop
      value={value}
      onValueChange={setValue}
      onKeyDown={leaveChord}
    >
      <div className="q">
        <Icon of={Search} />
        <Command.Input
          className="grow"
          value={text}
          onValueChange={setText}
          placeholder={t`Find or run anything`}
          autoFocus
        />
        <Kbd>Esc</Kbd>
      </div>
      <Command.List className="pal-list">
        {nothing && (
          <Command.Empty className="pal-none">{t`No page, command, project, job or file has these words.`}</Command.Empty>
        )}
        <PageGroup run={run} />
        <CommandGroups run={run} onAsk={ask} />
        <ProjectGroup run={run} />
        {jobs && jobs.jobs.length > 0 && <JobGroup jobs={jobs.jobs} total={jobs.total} run={run} />}
        {assets && assets.assets.length > 0 && <AssetGroup assets={assets.assets} total={assets.total} run={run} />}
      </Command.List>
      {asks !== undefined && (
        <p className="pal-asks" role="status">
          {asks}
        </p>
      )}
    </Command>
  );
}

type Run = (action: () => void) => () => void;

function SpendHint({ price, isUnknown }: { price: string; isUnknown: boolean }) {
  const hint = useKeyHint('spend.go');
  return (
    <>
      <span className={isUnknown ? 'price unknown' : 'price'}>{price}</span>
      <Kbd>{hint}</Kbd>
    </>
  );
}

function Hint({ action }: { action: KeyActionId }) {
  return <Kbd>{useKeyHint(action)}</Kbd>;
}

function PageGroup({ run }: { run: Run }) {
  return (
    <Command.Group heading={t`Pages`} className="pal-group">
      {PAGES.map(({ id, label, icon, action }) => (
        <Command.Item key={id} className="o" value={`page ${id} ${label}`} onSelect={run(() => navigate(id))}>
          <Icon of={icon} />
          <span className="grow">{label}</span>
          <Hint action={action} />
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** What the list of the palette calls it. */
const valueOfCommand = ({ label, id }: RunCommand): string => `${label} ${id}`.trim();

function CommandGroups({ run, onAsk }: { run: Run; onAsk: (command: RunCommand) => void }) {
  const byOwner = useCommandList((state) => state.byOwner);
  const commands = [...byOwner.values()].flat();
  if (commands.length === 0) return null;
  return (
    <Command.Group heading={t`Commands`} className="pal-group">
      {commands.map((command) => (
        <Command.Item
          key={command.id}
          className="o"
          value={valueOfCommand(command)}
          keywords={command.keywords}
          // A key that bounces, or Enter pressed once too often, sends nothing.
          onSelect={command.price === undefined ? run(command.run) : () => onAsk(command)}
        >
          <span className="grow">{command.label}</span>
          {command.group && <span className="t3">{command.group}</span>}
          {command.price !== undefined && <SpendHint price={command.price} isUnknown={command.isUnpriced === true} />}
          {command.action && <Hint action={command.action} />}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function ProjectGroup({ run }: { run: Run }) {
  const projects = useStudio((state) => state.projects);
  if (projects.length === 0) return null;
  return (
    <Command.Group heading={t`Projects`} className="pal-group">
      {projects.map(({ id, name }) => (
        <Command.Item key={id} className="o" value={`project ${name} ${id}`} onSelect={run(() => void openProject(id))}>
          <span className="grow">{t`Open ${name}`}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** Found by the studio, so they are shown whatever the list's own matching thinks of them. */
function JobGroup({ jobs, total, run }: { jobs: readonly Job[]; total: number; run: Run }) {
  const known = useListedJobs(jobs);
  return (
    <Command.Group heading={t`Jobs, ${formatCount(total)} found`} className="pal-group" forceMount>
      {known.map((job) => (
        <Command.Item
          key={job.id}
          forceMount
          className="o"
          value={`job ${job.id}`}
          onSelect={run(() => navigate('queue', { job: job.id }))}
        >
          <Thumb asset={job.outputs[0]} small />
          <span className="grow cut">{jobTitle(job)}</span>
          <FoundState job={job} />
          <span className="t3">{formatWhen(job.createdAt, Date.now())}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function FoundState({ job }: { job: Job }) {
  const running = useRunningWords(job);
  return (
    <JobStateGlyph state={job.state} progress={job.progress}>
      {running}
    </JobStateGlyph>
  );
}

function AssetGroup({ assets, total, run }: { assets: readonly Asset[]; total: number; run: Run }) {
  return (
    <Command.Group heading={t`Library, ${formatCount(total)} found`} className="pal-group" forceMount>
      {assets.map((asset) => (
        <Command.Item
          key={asset.id}
          forceMount
          className="o"
          value={`asset ${asset.id}`}
          onSelect={run(() => navigate('library', { asset: asset.id }))}
        >
          <Thumb asset={asset} small />
          <span className="grow cut">{asset.name}</span>
          <span className="t3">{asset.model ?? asset.mime}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
