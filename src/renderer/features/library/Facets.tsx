import { createContext, useContext, useState } from 'react';
import { VERDICTS, type Verdict } from '../../../shared/jobs/job.ts';
import { allKinds, makesFiles } from '../../../shared/kinds/index.ts';
import { ASSET_STATES, type FacetCount, type LibraryFacets } from '../../../shared/library/asset.ts';
import type { MediaClass } from '../../../shared/library/mediaRef.ts';
import { plural, t } from '../../../shared/text/texts.ts';
import { FOUND_AT_ONCE, REST_MS, useActiveProfile, useCall, useProject } from '../../app/index.ts';
import {
  Checkbox,
  DateFields,
  formatBytes,
  formatCount,
  Panel,
  Section,
  StorageGlyph,
  TextAction,
} from '../../ui/index.ts';
import { NOT_JUDGED, STORAGE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import { BinUse } from './Bin.tsx';
import { useLibraryFilter } from './filter.ts';
import styles from './library.module.css';
import { isRoleShown, narrow, setLibraryView, showOwnProject, showRole, useLibraryView } from './state.ts';

export const FILTERS_PANEL = 'library-filters';

export function Facets() {
  const data = useFacets();
  return (
    <Panel label={t`Filters`} side="left" className={styles.filt} id={FILTERS_PANEL}>
      <h2 className="vh">{t`Filters`}</h2>
      <IsMore value={data?.isMore === true}>
        <div className="scroll">
          <KindFacet counts={data?.type} />
          <VerdictFacet counts={data?.verdict} />
          <MarkFacet tags={data?.tag} starred={data?.starred} />
          <DateFacet />
          <StorageFacet counts={data?.state} />
          <ModelFacet counts={data?.model} />
          <ProjectFacet />
        </div>
      </IsMore>
      <DiskUse />
    </Panel>
  );
}

const IsMore = createContext(false);

/** Letters follow each other sooner: what is found comes with each of them, and is counted by facet after the last. */
const TYPING_MS = 250;
/** Of what was clicked, its counts are waited for. */
const CLICKED_MS = 100;

const CHANGES = ['asset.changed', 'job.changed'] as const;

/** What is found is counted so far while its words are typed, and all of it once typing rests: a count may be more until then. */
function useFacets(): LibraryFacets | undefined {
  const filter = useLibraryFilter();
  const asked = filter.text === undefined ? filter : { ...filter, upTo: FOUND_AT_ONCE };
  const debounceMs = filter.text === undefined ? CLICKED_MS : TYPING_MS;
  const soon = useCall('library.facets', asked, { on: CHANGES, debounceMs });
  const isMore = soon.data?.isMore === true && !soon.stale;
  const whole = useCall('library.facets', isMore ? filter : null, { on: CHANGES, debounceMs: REST_MS });
  return isMore && whole.data && !whole.stale ? whole.data : soon.data;
}

interface FacetProps {
  counts: FacetCount[] | undefined;
}

function Count({ counts, value }: FacetProps & { value: string }) {
  const found = counts?.find((one) => one.value === value)?.count ?? 0;
  const more = useContext(IsMore) ? '+' : '';
  return <span className={`t3 ${styles.count}`}>{counts ? formatCount(found) + more : ''}</span>;
}

const toggled = <T,>(list: readonly T[] | undefined, value: T): T[] =>
  list?.includes(value) ? list.filter((other) => other !== value) : [...(list ?? []), value];

export const CLASS_WORDS: Record<MediaClass, string> = { video: t`Video`, image: t`Image`, audio: t`Sound` };

const classesMade = (): MediaClass[] =>
  (Object.keys(CLASS_WORDS) as MediaClass[]).filter((type) => allKinds().some(({ makes }) => makes === type));

function KindFacet({ counts }: FacetProps) {
  const types = useLibraryView(({ filter }) => filter.types);
  return (
    <Section title={t`Kind`}>
      {classesMade().map((type) => (
        <Checkbox
          key={type}
          checked={types?.includes(type) ?? false}
          onChecked={() => narrow({ types: toggled(types, type) })}
        >
          <span className="grow">{CLASS_WORDS[type]}</span>
          <Count counts={counts} value={type} />
        </Checkbox>
      ))}
      <RoleCheck of="mask">{t`Masks`}</RoleCheck>
      <RoleCheck of="frame">{t`Automatic frames`}</RoleCheck>
    </Section>
  );
}

function RoleCheck({ of: role, children }: { of: 'mask' | 'frame'; children: string }) {
  const isShown = useLibraryView(isRoleShown(role));
  return (
    <Checkbox checked={isShown} onChecked={(next) => showRole(role, next)}>
      <span className="grow">{children}</span>
    </Checkbox>
  );
}

interface MarkFacetProps {
  tags: FacetCount[] | undefined;
  starred: FacetCount[] | undefined;
}

const FEW_TAGS = 8;

function MarkFacet({ tags, starred }: MarkFacetProps) {
  const isStarred = useLibraryView(({ filter }) => filter.starred === true);
  const chosen = useLibraryView(({ filter }) => filter.tags);
  const [isWhole, setWhole] = useState(false);
  const all = [...new Set([...(tags ?? []).map(({ value }) => value), ...(chosen ?? [])])];
  const shown = all.filter((tag, index) => isWhole || index < FEW_TAGS || chosen?.includes(tag));
  return (
    <Section title={t`Tags`}>
      <Checkbox checked={isStarred} onChecked={(next) => narrow({ starred: next || undefined })}>
        <span className="grow">{t`Starred`}</span>
        <Count counts={starred} value="true" />
      </Checkbox>
      {shown.map((tag) => (
        <Checkbox
          key={tag}
          checked={chosen?.includes(tag) ?? false}
          onChecked={() => narrow({ tags: toggled(chosen, tag) })}
        >
          <span className="grow cut" title={tag}>
            {tag}
          </span>
          <Count counts={tags} value={tag} />
        </Checkbox>
      ))}
      {shown.length < all.length && (
        <TextAction onClick={() => setWhole(true)}>{t`Show all ${formatCount(all.length)}`}</TextAction>
      )}
    </Section>
  );
}

function DateFacet() {
  const dates = useLibraryView((view) => view.dates);
  return (
    <Section title={t`Made`}>
      <DateFields label={t`Made`} dates={dates} onDates={(next) => setLibraryView({ dates: next })} />
    </Section>
  );
}

export const VERDICT_OPTIONS: { value: Verdict | 'none'; label: string }[] = [
  ...VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] })),
  { value: 'none', label: NOT_JUDGED },
];

function VerdictFacet({ counts }: FacetProps) {
  const chosen = useLibraryView(({ filter }) => filter.verdict);
  return (
    <Section title={t`Rating`}>
      {VERDICT_OPTIONS.map(({ value, label }) => (
        <Checkbox
          key={value}
          checked={chosen?.includes(value) ?? false}
          onChecked={() => narrow({ verdict: toggled(chosen, value) })}
        >
          <span className="grow">{label}</span>
          <Count counts={counts} value={value} />
        </Checkbox>
      ))}
    </Section>
  );
}

function StorageFacet({ counts }: FacetProps) {
  const states = useLibraryView(({ filter }) => filter.states);
  return (
    <Section title={t`Storage`}>
      {ASSET_STATES.map((state) => (
        <Checkbox
          key={state}
          checked={states?.includes(state) ?? false}
          onChecked={() => narrow({ states: toggled(states, state) })}
        >
          <span className="row grow">
            <StorageGlyph storage={{ state }} bare />
            <span aria-hidden="true">{STORAGE_WORDS[state]}</span>
          </span>
          <Count counts={counts} value={state} />
        </Checkbox>
      ))}
    </Section>
  );
}

const FEW_MODELS = 8;

/** Those that made something, and those that the active profile has. */
function ModelFacet({ counts }: FacetProps) {
  const chosen = useLibraryView(({ filter }) => filter.models);
  const [isWhole, setWhole] = useState(false);
  const known = (useActiveProfile()?.models ?? []).filter((model) =>
    allKinds().some((kind) => makesFiles(kind) && kind.pricing.name === model.kind),
  );
  const all = [...new Set([...(counts ?? []).map(({ value }) => value), ...known.map(({ id }) => id)])];
  const models = all.filter((id, index) => isWhole || index < FEW_MODELS || chosen?.includes(id));
  if (all.length === 0) return null;
  return (
    <Section title={t`Model`}>
      {models.map((id) => (
        <Checkbox
          key={id}
          checked={chosen?.includes(id) ?? false}
          onChecked={() => narrow({ models: toggled(chosen, id) })}
        >
          <span className="grow cut" title={id}>
            {id}
          </span>
          <Count counts={counts} value={id} />
        </Checkbox>
      ))}
      {models.length < all.length && (
        <TextAction onClick={() => setWhole(true)}>{t`Show all ${formatCount(all.length)}`}</TextAction>
      )}
    </Section>
  );
}

function ProjectFacet() {
  const project = useProject();
  const ownProject = useLibraryView((view) => view.ownProject);
  if (!project) return null;
  return (
    <Section title={t`Project`}>
      <Checkbox checked={ownProject} onChecked={showOwnProject}>
        <span className="grow cut">{t`Only ${project.name}`}</span>
      </Checkbox>
    </Section>
  );
}

function DiskUse() {
  const { data } = useCall('library.stats', {}, { on: ['asset.changed'] });
  if (!data) return null;
  const whole = data.bytes + data.freeBytes;
  return (
    <div className="stack pad top-line">
      <div className="row between">
        <span>{t`${formatBytes(data.bytes)} here`}</span>
        <span className="t3">{t`${formatBytes(data.freeBytes)} free`}</span>
      </div>
      <div className="meter" aria-hidden="true">
        <i className={styles.used} style={{ width: `${whole > 0 ? (data.bytes / whole) * 100 : 0}%` }} />
      </div>
      <span className="t3">{plural(data.assets, 'file')}</span>
      <BinUse />
    </div>
  );
}
