import { Dialog } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { formatWhen, Icon, JobStateGlyph, Kbd, Thumb } from '../../ui/index.ts';
import { useCommandList } from '../commands.ts';
import { jobTitle } from '../jobTitle.ts';
import type { KeyActionId } from '../keys/actions.ts';
import { useKeyHint } from '../keys/shortcuts.ts';
import { PAGES } from '../pages.tsx';
import { navigate } from '../route.ts';
import { openProject, useStudio } from '../state/studio.ts';
import { useCall } from '../state/useCall.ts';

/** Everything by name: pages, actions, projects, jobs and pictures. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="pal-layer" aria-label="Find or run anything">
          <PaletteBody onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const run = (deed: () => void) => () => {
    onClose();
    deed();
  };
  return (
    <Command className="pal" label="Find or run anything" loop>
      <div className="q">
        <Icon of={Search} />
        <Command.Input
          className="grow"
          value={text}
          onValueChange={setText}
          placeholder="Find or run anything"
          autoFocus
        />
        <Kbd>Esc</Kbd>
      </div>
      <Command.List className="pal-list">
        <Command.Empty className="pal-none">Nothing is called that.</Command.Empty>
        <PageGroup run={run} />
        <CommandGroups run={run} />
        <ProjectGroup run={run} />
        {query.length > 1 && <JobGroup query={query} run={run} />}
        {query.length > 1 && <AssetGroup query={query} run={run} />}
      </Command.List>
    </Command>
  );
}

type Run = (deed: () => void) => () => void;

function Hint({ action }: { action: KeyActionId }) {
  return <Kbd>{useKeyHint(action)}</Kbd>;
}

function PageGroup({ run }: { run: Run }) {
  return (
    <Command.Group heading="Pages" className="pal-group">
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

function CommandGroups({ run }: { run: Run }) {
  const byOwner = useCommandList((state) => state.byOwner);
  const commands = [...byOwner.values()].flat();
  if (commands.length === 0) return null;
  return (
    <Command.Group heading="Commands" className="pal-group">
      {commands.map((command) => (
        <Command.Item
          key={command.id}
          className="o"
          value={`${command.label} ${command.id}`}
          keywords={command.keywords}
          onSelect={run(command.run)}
        >
          <span className="grow">{command.label}</span>
          {command.group && <span className="t3">{command.group}</span>}
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
    <Command.Group heading="Projects" className="pal-group">
      {projects.map(({ id, name }) => (
        <Command.Item key={id} className="o" value={`project ${name} ${id}`} onSelect={run(() => void openProject(id))}>
          <span className="grow">Open {name}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

const FOUND = 6;
const TYPING_MS = 120;

/** Found by the studio, so they are shown whatever the list's own matching thinks of them. */
function JobGroup({ query, run }: { query: string; run: Run }) {
  const { data } = useCall('jobs.list', { text: query, limit: FOUND }, { debounceMs: TYPING_MS });
  if (!data || data.jobs.length === 0) return null;
  return (
    <Command.Group heading={`Jobs, ${data.total} found`} className="pal-group" forceMount>
      {data.jobs.map((job) => (
        <Command.Item
          key={job.id}
          forceMount
          className="o"
          value={`job ${job.id}`}
          onSelect={run(() => navigate('queue', { job: job.id }))}
        >
          <Thumb asset={job.outputs[0]} small />
          <span className="grow cut">{jobTitle(job)}</span>
          <JobStateGlyph state={job.state} progress={job.progress} />
          <span className="t3">{formatWhen(job.createdAt, Date.now())}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function AssetGroup({ query, run }: { query: string; run: Run }) {
  const { data } = useCall('library.list', { text: query, limit: FOUND }, { debounceMs: TYPING_MS });
  if (!data || data.assets.length === 0) return null;
  return (
    <Command.Group heading={`Library, ${data.total} found`} className="pal-group" forceMount>
      {data.assets.map((asset) => (
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
