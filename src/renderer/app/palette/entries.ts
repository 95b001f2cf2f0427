import type { LucideIcon } from 'lucide-react';
import { t } from '../../../shared/texts.ts';
import { ACTION_IDS, type ActionId } from '../keys/actions.ts';
import { printChord } from '../keys/chords.ts';
import { GROUPS } from '../keys/places.ts';
import { actionOf, chordNow, type Offer, useLiveActions } from '../keys/shortcuts.ts';
import { PAGES } from '../pages.tsx';
import { navigate } from '../route.ts';
import { openProject, useStudio } from '../state/studio.ts';
import type { Findable } from './rank.ts';

/** A line of the palette. */
export interface Entry extends Findable, Offer {
  label: string;
  /** Identifies the line in the list. */
  value: string;
  icon?: LucideIcon | undefined;
  /** Its heading while nothing is typed. */
  heading: string;
  /** The way to it. */
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
export function useEntries(): Entry[] {
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
