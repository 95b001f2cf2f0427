import { X } from 'lucide-react';
import type { MouseEvent } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { useNow, useProject } from '../../app/index.ts';
import { ANY_DATE, Icon, wordsOfDates } from '../../ui/index.ts';
import { STORAGE_WORDS } from '../../words/index.ts';
import { CLASS_WORDS, VERDICT_OPTIONS } from './Facets.tsx';
import { type LibraryView, narrow, setLibraryView, useLibraryView } from './state.ts';
import styles from './table.module.css';

interface Chip {
  id: string;
  label: string;
  remove: () => void;
}

/** The active filters, above the list. Each can be removed, or all together. The search has its own field. */
export function FilterChips() {
  const filter = useLibraryView((view) => view.filter);
  const dates = useLibraryView((view) => view.dates);
  const ownProject = useLibraryView((view) => view.ownProject);
  const project = useProject();
  const chips = [...chipsOf(filter), ...dateChips(dates, useNow(600_000))];
  if (ownProject && project) {
    chips.push({
      id: 'project',
      label: t`Only ${project.name}`,
      remove: () => setLibraryView({ ownProject: false }),
    });
  }
  if (chips.length === 0) return null;
  return (
    <fieldset className={`row wrap ${styles.chips}`}>
      <legend className="vh">{t`Filters`}</legend>
      {chips.map(({ id, label, remove }) => (
        <button
          key={id}
          type="button"
          className={styles.libChip}
          aria-label={t`Remove ${label}`}
          onClick={(event) => {
            keepFocus(event);
            remove();
          }}
        >
          <span className="cut">{label}</span>
          <Icon of={X} />
        </button>
      ))}
    </fieldset>
  );
}

type Narrowed = LibraryView['filter'];

function chipsOfList<K extends 'types' | 'verdict' | 'tags' | 'states' | 'models'>(
  filter: Narrowed,
  field: K,
  wordsOf: (value: NonNullable<Narrowed[K]>[number]) => string,
): Chip[] {
  const values: readonly NonNullable<Narrowed[K]>[number][] = filter[field] ?? [];
  return values.map((value) => ({
    id: `${field} ${value}`,
    label: wordsOf(value),
    remove: () => narrow({ [field]: values.filter((other) => other !== value) }),
  }));
}

const verdictWords = (verdict: string) => VERDICT_OPTIONS.find(({ value }) => value === verdict)?.label ?? verdict;

const chipsOf = (filter: Narrowed): Chip[] => [
  ...chipsOfList(filter, 'types', (type) => CLASS_WORDS[type]),
  ...chipsOfList(filter, 'verdict', verdictWords),
  ...(filter.starred ? [{ id: 'starred', label: t`Starred`, remove: () => narrow({ starred: undefined }) }] : []),
  ...chipsOfList(filter, 'tags', (tag) => tag),
  ...chipsOfList(filter, 'states', (state) => STORAGE_WORDS[state]),
  ...chipsOfList(filter, 'models', (model) => model),
];

const dateChips = (dates: LibraryView['dates'], now: number): Chip[] =>
  dates.span === 'any'
    ? []
    : [{ id: 'dates', label: wordsOfDates(dates, now), remove: () => setLibraryView({ dates: ANY_DATE }) }];

const panelOf = (element: HTMLElement) => element.closest<HTMLElement>('[data-panel]');

/** The focus moves to the neighbour of a removed chip; after the last chip, to the list. */
function keepFocus({ currentTarget: chip }: MouseEvent<HTMLButtonElement>): void {
  const chips = [...(chip.parentElement?.querySelectorAll<HTMLElement>(`.${styles.libChip}`) ?? [])];
  const at = chips.indexOf(chip);
  (chips[at + 1] ?? chips[at - 1] ?? panelOf(chip))?.focus();
}
