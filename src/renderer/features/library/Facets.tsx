import { createContext, type ReactNode, useContext, useState } from 'react';
import { VERDICTS, type Verdict } from '../../../shared/jobs/job.ts';
import { allKinds, makesFiles } from '../../../shared/kinds/index.ts';
import { ASSET_STATES, type Asset, type FacetCount, type LibraryFacets } from '../../../shared/library/asset.ts';
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
import { isRoleShown, narrow, setLibraryView, showRole, useLibraryView } from './state.ts';

/** The number of tags and models shown at first; the rest is shown on demand. */
const FEW = 8;

export const FILTERS_PANEL = 'library-filters';

export function Facets() {
  const data = useFacets();
  const tags = useTags(data?.tag);
  const models = useModels(data?.model);
  return (
    <Panel label={t`Filters`} side="left" className={styles.filt} id={FILTERS_PANEL}>
      <h2 className="vh">{t`Filters`}</h2>
      <IsMore value={data?.isMore === true}>
        <div className="scroll">
          <Facet title={t`Kind`} field="types" values={classesMade()} counts={data?.type} wordsOf={classWords}>
            <RoleCheck of="mask">{t`Masks`}</RoleCheck>
            <RoleCheck of="frame">{t`Automatic frames`}</RoleCheck>
          </Facet>
          <Facet
            title={t`Rating`}
            field="verdict"
            values={VERDICT_OPTIONS.map(({ value }) => value)}
            counts={data?.verdict}
            wordsOf={verdictWords}
          />
          <Facet
            title={t`Tags`}
            field="tags"
            values={tags}
            counts={data?.tag}
            few={FEW}
            first={<StarredCheck counts={data?.starred} />}
          />
          <DateFacet />
          <Facet title={t`Storage`} field="states" values={ASSET_STATES} counts={data?.state} wordsOf={storageWords} />
          {models.length > 0 && (
            <Facet title={t`Model`} field="models" values={models} counts={data?.model} few={FEW} />
          )}
          <ProjectFacet />
        </div>
      </IsMore>
      <DiskUse />
    </Panel>
  );
}

const IsMore = createContext(false);

/** Delay after typing. Letters come faster than this: results update with each letter, counts only after the last one. */
const TYPING_MS = 250;
/** A click waits only this long for its counts. */
const CLICKED_MS = 100;

const CHANGES = ['asset.changed', 'job.changed'] as const;

/** While a search is typed, counts are limited and may be too low; all matches are counted once typing pauses. */
function useFacets(): LibraryFacets | undefined {
  const filter = useLibraryFilter();
  const asked = filter.text === undefined ? filter : { ...filter, upTo: FOUND_AT_ONCE };
  const debounceMs = filter.text === undefined ? CLICKED_MS : TYPING_MS;
  const soon = useCall('library.facets', asked, { on: CHANGES, debounceMs });
  const isMore = soon.data?.isMore === true && !soon.stale;
  const whole = useCall('library.facets', isMore ? filter : null, { on: CHANGES, debounceMs: REST_MS });
  return isMore && whole.data && !whole.stale ? whole.data : soon.data;
}

type Counts = FacetCount[] | undefined;

function Count({ counts, value }: { counts: Counts; value: string }) {
  const found = counts?.find((one) => one.value === value)?.count ?? 0;
  const more = useContext(IsMore) ? '+' : '';
  return <span className={`t3 ${styles.count}`}>{counts ? formatCount(found) + more : ''}</span>;
}

const toggled = <T,>(list: readonly T[] | undefined, value: T): T[] =>
  list?.includes(value) ? list.filter((other) => other !== value) : [...(list ?? []), value];

export const CLASS_WORDS: Record<MediaClass, string> = { video: t`Video`, image: t`Image`, audio: t`Sound` };

const classWords = (value: string) => CLASS_WORDS[value as MediaClass];

const classesMade = (): MediaClass[] =>
  (Object.keys(CLASS_WORDS) as MediaClass[]).filter((type) => allKinds().some(({ makes }) => makes === type));

interface FacetProps {
  title: string;
  field: 'types' | 'verdict' | 'tags' | 'states' | 'models';
  values: readonly string[];
  counts: Counts;
  /** Label to show instead of the value. */
  wordsOf?: (value: string) => ReactNode;
  /** The number of values shown at first, besides the selected ones. */
  few?: number;
  /** Content above the values. */
  first?: ReactNode;
  /** Content below the values. */
  children?: ReactNode;
}

/** One filter: its values, each with its number of assets. */
function Facet({ title, field, values, counts, wordsOf, few = values.length, first, children }: FacetProps) {
  const chosen: readonly string[] | undefined = useLibraryView(({ filter }) => filter[field]);
  const [isWhole, setWhole] = useState(false);
  const shown = values.filter((value, index) => isWhole || index < few || chosen?.includes(value));
  return (
    <Section title={title}>
      {first}
      {shown.map((value) => (
        <Checkbox
          key={value}
          checked={chosen?.includes(value) ?? false}
          onChecked={() => narrow({ [field]: toggled(chosen, value) })}
        >
          <span className={wordsOf ? 'row grow' : 'grow cut'} title={wordsOf ? undefined : value}>
            {wordsOf?.(value) ?? value}
          </span>
          <Count counts={counts} value={value} />
        </Checkbox>
      ))}
      {children}
      {shown.length < values.length && (
        <TextAction onClick={() => setWhole(true)}>{t`Show all ${formatCount(values.length)}`}</TextAction>
      )}
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

function StarredCheck({ counts }: { counts: Counts }) {
  const isStarred = useLibraryView(({ filter }) => filter.starred === true);
  return (
    <Checkbox checked={isStarred} onChecked={(next) => narrow({ starred: next || undefined })}>
      <span className="grow">{t`Starred`}</span>
      <Count counts={counts} value="true" />
    </Checkbox>
  );
}

/** Tags in use, and selected ones. */
function useTags(counts: Counts): string[] {
  const chosen = useLibraryView(({ filter }) => filter.tags);
  return [...new Set([...(counts ?? []).map(({ value }) => value), ...(chosen ?? [])])];
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

const verdictWords = (value: string) => VERDICT_OPTIONS.find((option) => option.value === value)?.label;

const storageWords = (value: string) => {
  const state = value as Asset['state'];
  return (
    <>
      <StorageGlyph storage={{ state }} bare />
      <span aria-hidden="true">{STORAGE_WORDS[state]}</span>
    </>
  );
};

/** Models that made something, and those that the active profile has. */
function useModels(counts: Counts): string[] {
  const known = (useActiveProfile()?.models ?? []).filter((model) =>
    allKinds().some((kind) => makesFiles(kind) && kind.pricing.name === model.kind),
  );
  return [...new Set([...(counts ?? []).map(({ value }) => value), ...known.map(({ id }) => id)])];
}

function ProjectFacet() {
  const project = useProject();
  const ownProject = useLibraryView((view) => view.ownProject);
  if (!project) return null;
  return (
    <Section title={t`Project`}>
      <Checkbox checked={ownProject} onChecked={(next) => setLibraryView({ ownProject: next })}>
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
