import { Command } from 'cmdk';
import { CircleQuestionMark, type LucideIcon, Search } from 'lucide-react';
import { type KeyboardEvent, Suspense, use, useDeferredValue, useRef, useState } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { formatCount, formatWhen, Icon, JobStateGlyph, Kbd, Thumb } from '../../ui/index.ts';
import { announce } from '../announce.ts';
import { type HelpSection, readGuide, sectionsWith } from '../help/guide.ts';
import { openHelp } from '../help/openHelp.ts';
import { jobTitle } from '../jobTitle.ts';
import { ACTION_IDS, type ActionId } from '../keys/actions.ts';
import { printChord } from '../keys/chords.ts';
import { GROUPS } from '../keys/places.ts';
import { actionOf, chordNow, type Offer, useKeyHint, useLiveActions } from '../keys/shortcuts.ts';
import { spendWords, useSpendChord } from '../keys/spendChord.ts';
import { PAGES } from '../pages.tsx';
import { navigate } from '../route.ts';
import { useRunningWords } from '../runningWords.ts';
import { useListedJobs } from '../state/entities.ts';
import { openProject, useStudio } from '../state/studio.ts';
import { useCall } from '../state/useCall.ts';
import { type Findable, ranked } from './rank.ts';

const FOUND = 6;
const TYPING_MS = 120;

/** Only the shortcut for spending runs an action that spends; any other press announces its price. */
function useSpending(chosen: Entry | undefined, run: Run) {
  const place = useRef<HTMLDivElement>(null);
  const [asks, setAsks] = useState<string>();
  const chord = useKeyHint('spend.go');
  const ask = ({ label, off, spend }: Entry) => {
    const words = off ?? spendWords(label, spend?.price ?? '', chord);
    setAsks(words);
    announce(words);
  };
  const press = () => {
    if (!chosen?.spend) return;
    if (chosen.off === undefined) run(chosen.spend.onSend)();
    else ask(chosen);
  };
  useSpendChord(place, press, { isMain: true });
  return { asks, ask, place };
}

interface PaletteBodyProps {
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
}

/** The results for the text: pages, actions, projects, jobs and pictures. */
export function PaletteBody({ text, onText, onClose }: PaletteBodyProps) {
  const [value, setValue] = useState('');
  const [guide] = useState(readGuide);
  const query = useDeferredValue(text.trim());
  const asked = query.length > 1 ? { text: query, limit: FOUND } : null;
  const jobs = useCall('jobs.list', asked, { debounceMs: TYPING_MS }).data;
  const assets = useCall('library.list', asked, { debounceMs: TYPING_MS }).data;
  const entries = useEntries();
  const found = query === '' ? entries.filter(({ isElsewhere }) => !isElsewhere) : ranked(query, entries);
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const { asks, ask, place } = useSpending(
    found.find((entry) => entry.value === value),
    run,
  );
  return (
    <Command
      ref={place}
      className="pal"
      label={t`Find or run anything`}
      loop
      shouldFilter={false}
      value={value}
      onValueChange={setValue}
      onKeyDown={leaveChord}
    >
      <div className="q">
        <Icon of={Search} />
        <Command.Input
          className="grow"
          value={text}
          onValueChange={onText}
          placeholder={t`Find or run anything`}
          autoFocus
        />
        <Kbd>Esc</Kbd>
      </div>
      <Command.List className="pal-list">
        <Command.Empty className="pal-none">{t`No page, command, project, job or file matches.`}</Command.Empty>
        {[...Map.groupBy(found, ({ heading }) => (query === '' ? heading : t`Commands`))].map(([heading, of]) => (
          <Command.Group key={heading} heading={heading} className="pal-group">
            {of.map((entry) => (
              <EntryLine key={entry.value} entry={entry} onChoose={entry.spend ? () => ask(entry) : run(entry.run)} />
            ))}
          </Command.Group>
        ))}
        <Suspense>{query !== '' && <HelpGroup words={query} guide={guide} run={run} />}</Suspense>
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

/** Sections of the guide that have the words. */
function HelpGroup({ words, guide, run }: { words: string; guide: Promise<readonly HelpSection[]>; run: Run }) {
  const found = sectionsWith(words, use(guide));
  if (found.length === 0) return null;
  return (
    <Command.Group heading={t`Help`} className="pal-group">
      {found.slice(0, FOUND).map(({ topic, topicTitle, title, anchor }) => (
        <Command.Item
          key={`${topic} ${anchor}`}
          className="o"
          value={`help ${topic} ${anchor}`}
          onSelect={run(() => openHelp(topic, anchor))}
        >
          <Icon of={CircleQuestionMark} />
          <span className="grow cut">{title}</span>
          {anchor !== '' && <span className="t3">{topicTitle}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

type Run = (action: () => void) => () => void;

/** The list treats every Enter as a selection; Enter with a modifier is the spending chord. */
function leaveChord(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.preventDefault();
}

/** Enter alone never sends: it announces the price. */
function EntryLine({ entry, onChoose }: { entry: Entry; onChoose: () => void }) {
  const { value, label, icon, where, keys, spend } = entry;
  const chord = useKeyHint('spend.go');
  return (
    <Command.Item className="o" value={value} onSelect={onChoose}>
      {icon && <Icon of={icon} />}
      <span className="grow">{label}</span>
      {where !== undefined && <span className="t3">{where}</span>}
      {spend && <span className={spend.isUnpriced ? 'price unknown' : 'price'}>{spend.price}</span>}
      {(spend || keys) && <Kbd>{spend ? chord : keys}</Kbd>}
    </Command.Item>
  );
}

function JobGroup({ jobs, total, run }: { jobs: readonly Job[]; total: number; run: Run }) {
  const known = useListedJobs(jobs);
  return (
    <Command.Group heading={t`Jobs, ${formatCount(total)} found`} className="pal-group">
      {known.map((job) => (
        <Command.Item
          key={job.id}
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
    <Command.Group heading={t`Library, ${formatCount(total)} found`} className="pal-group">
      {assets.map((asset) => (
        <Command.Item
          key={asset.id}
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

/** A row of the palette. */
interface Entry extends Findable, Offer {
  label: string;
  /** Identifies the row in the list. */
  value: string;
  icon?: LucideIcon | undefined;
  /** Its heading while nothing is typed. */
  heading: string;
  /** Where it is. */
  where?: string | undefined;
  keys?: string;
  run: () => void;
}

const iconOf = (id: ActionId): LucideIcon | undefined => PAGES.find(({ action }) => action === id)?.icon;

/** An action of the current page, or its main button. */
const isOfPage = (id: ActionId): boolean => actionOf(id).group !== 'everywhere' || id === 'spend.offered';

function entryOf(id: ActionId, run: () => void, more: Partial<Entry> = {}): Entry {
  const { label, words } = actionOf(id);
  const named = more.label ?? label;
  const icon = iconOf(id);
  const heading = icon ? t`Pages` : t`Everywhere`;
  const keys = printChord(chordNow(id));
  return { words, icon, heading, keys, run, ...more, label: named, value: `${named} ${id}` };
}

/** An action that the current page does not offer: it runs everywhere, or goes to its page. */
function entryElsewhere(id: ActionId): Entry[] {
  const { run, group } = actionOf(id);
  const { page, title } = GROUPS[group];
  if (run) return [entryOf(id, run)];
  return page ? [entryOf(id, () => navigate(page), { where: t`Go to ${title}`, isElsewhere: true })] : [];
}

function entryHere({ id, run, ...offer }: ReturnType<typeof useLiveActions>[number]): Entry {
  const heading = isOfPage(id) ? { heading: t`On this page` } : {};
  return entryOf(id, () => run(new KeyboardEvent('keydown')), { ...offer, ...heading });
}

/** Everything in the palette, in the order of its headings; actions of other pages only for a query. */
function useEntries(): Entry[] {
  const live = useLiveActions().filter(({ id }) => !actionOf(id).keyOnly);
  const projects = useStudio((state) => state.projects);
  const isLive = new Set(live.map(({ id }) => id));
  const here = live.filter(({ id }) => isOfPage(id)).map(entryHere);
  const others = ACTION_IDS.filter((id) => !isLive.has(id) && !actionOf(id).keyOnly).flatMap(entryElsewhere);
  return [
    ...here.filter(({ spend }) => spend),
    ...here.filter(({ spend }) => !spend),
    ...others.filter(({ isElsewhere }) => !isElsewhere),
    ...live.filter(({ id }) => !isOfPage(id)).map(entryHere),
    ...projects.map(({ id, name }) => ({
      label: t`Open ${name}`,
      value: `project ${id}`,
      heading: t`Projects`,
      words: name,
      run: () => void openProject(id),
    })),
    ...others.filter(({ isElsewhere }) => isElsewhere),
  ];
}
