import { ASSET_STATES, type AssetState } from '../../../shared/asset.ts';
import { allKinds, makesFiles } from '../../../shared/kinds/index.ts';
import type { MediaClass } from '../../../shared/mediaRef.ts';
import { useActiveProfile, useCall, useProject } from '../../app/index.ts';
import { Checkbox, formatBytes, formatCount, Panel, Radios, Section, StorageGlyph } from '../../ui/index.ts';
import { type LibraryFilter, useLibraryFilter } from './filter.ts';
import { setLibraryView, useLibraryView } from './state.ts';

/** The id of the panel. */
export const FILTERS_PANEL = 'library-filters';

/** What the library is narrowed by, and how much room it takes. */
export function Facets() {
  return (
    <Panel label="Filters" side="left" className="filt" id={FILTERS_PANEL}>
      <h2 className="vh">Filters</h2>
      <div className="scroll">
        <KindFacet />
        <VerdictFacet />
        <StorageFacet />
        <ModelFacet />
        <ProjectFacet />
      </div>
      <DiskUse />
    </Panel>
  );
}

/** How many there would be with one filter set differently. */
function Count({ change }: { change: Partial<LibraryFilter> }) {
  const filter = useLibraryFilter();
  const { data } = useCall(
    'library.list',
    { ...filter, ...change, limit: 1 },
    { on: ['asset.changed', 'job.changed'], debounceMs: 100 },
  );
  return <span className="t3 count">{data ? formatCount(data.total) : ''}</span>;
}

const toggled = <T,>(list: readonly T[], value: T): T[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value];

const CLASS_WORDS: Record<MediaClass, string> = { video: 'Video', image: 'Image', audio: 'Sound' };

/** What can come to be in the library. */
const classesMade = (): MediaClass[] =>
  (Object.keys(CLASS_WORDS) as MediaClass[]).filter((type) => allKinds().some(({ makes }) => makes === type));

function KindFacet() {
  const { types, working } = useLibraryView();
  return (
    <Section title="Kind">
      {classesMade().map((type) => (
        <Checkbox
          key={type}
          checked={types.includes(type)}
          onChecked={() => setLibraryView({ types: toggled(types, type) })}
        >
          <span className="grow">{CLASS_WORDS[type]}</span>
          <Count change={{ types: [type] }} />
        </Checkbox>
      ))}
      <Checkbox checked={working} onChecked={(next) => setLibraryView({ working: next })}>
        <span className="grow">Masks, frames</span>
      </Checkbox>
    </Section>
  );
}

const VERDICTS = [
  { value: 'any', label: 'Any' },
  { value: 'keep', label: 'Keep' },
  { value: 'maybe', label: 'Maybe' },
  { value: 'no', label: 'No' },
  { value: 'none', label: 'Not judged' },
] as const;

function VerdictFacet() {
  const verdict = useLibraryView((view) => view.verdict);
  const options = VERDICTS.map((option) => ({
    ...option,
    note: option.value === 'any' ? undefined : <Count change={{ verdict: option.value }} />,
  }));
  return (
    <Section title="Verdict">
      <Radios
        aria-label="Verdict"
        options={options}
        value={verdict}
        onValue={(next) => setLibraryView({ verdict: next })}
      />
    </Section>
  );
}

const STORAGE_NAMES: Record<AssetState, string> = { local: 'On disk', remote: 'At gateway', expired: 'Given up' };

function StorageFacet() {
  const storage = useLibraryView((view) => view.storage);
  return (
    <Section title="Custody">
      {ASSET_STATES.map((state) => (
        <Checkbox
          key={state}
          checked={storage.includes(state)}
          onChecked={() => setLibraryView({ storage: toggled(storage, state) })}
        >
          <span className="row grow">
            <StorageGlyph storage={{ state }} now={0} bare />
            <span aria-hidden="true">{STORAGE_NAMES[state]}</span>
          </span>
          <Count change={{ states: [state] }} />
        </Checkbox>
      ))}
    </Section>
  );
}

function ModelFacet() {
  const model = useLibraryView((view) => view.model);
  const known = useActiveProfile()?.models ?? [];
  const models = known.filter((model) =>
    allKinds().some((kind) => makesFiles(kind) && kind.pricing.name === model.kind),
  );
  if (models.length === 0) return null;
  const options = [
    { value: 'any', label: 'Any' },
    ...models.map(({ id }) => ({ value: id, label: id, note: <Count change={{ models: [id] }} /> })),
  ];
  return (
    <Section title="Model">
      <Radios aria-label="Model" options={options} value={model} onValue={(next) => setLibraryView({ model: next })} />
    </Section>
  );
}

function ProjectFacet() {
  const project = useProject();
  const ownProject = useLibraryView((view) => view.ownProject);
  if (!project) return null;
  return (
    <Section title="Project">
      <Checkbox checked={ownProject} onChecked={(next) => setLibraryView({ ownProject: next })}>
        <span className="grow cut">Only {project.name}</span>
      </Checkbox>
    </Section>
  );
}

function DiskUse() {
  const { data } = useCall('library.stats', {}, { on: ['asset.changed'] });
  if (!data) return null;
  const whole = data.bytes + data.freeBytes;
  return (
    <div className="disk">
      <div className="row between">
        <span>{formatBytes(data.bytes)} here</span>
        <span className="t3">{formatBytes(data.freeBytes)} free</span>
      </div>
      <div className="meter" aria-hidden="true">
        <i className="used" style={{ width: `${whole > 0 ? (data.bytes / whole) * 100 : 0}%` }} />
      </div>
      <span className="t3">{formatCount(data.assets)} in the library</span>
    </div>
  );
}
