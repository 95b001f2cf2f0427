import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { ok, type Result } from '../../../shared/contract/result.ts';
import {
  type AssetFilter,
  cacheAssets,
  type Days,
  idsBetween,
  type Listing,
  PER_READING,
  stepOf,
  useStepTo,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { type AssetChoice, assetChoice, chooseNone, type LibrarySort, useLibraryView } from './state.ts';

export interface ShownList {
  list: Listing<Days>;
  filter: AssetFilter;
  sort: LibrarySort;
}

const LISTED = ['choice', 'filter', 'ownProject', 'dates'] as const;

/** Selects by the rule of the list and not by its assets, so that unread ones are included. */
export async function chooseAll({ list, filter }: ShownList): Promise<void> {
  const before = useLibraryView.getState();
  const total = list.isMore ? await countOf(filter) : list.total;
  // The selection or the list changed while the assets were counted.
  if (total === 0 || LISTED.some((part) => useLibraryView.getState()[part] !== before[part])) return;
  assetChoice.all(filter, total);
}

async function countOf(filter: AssetFilter): Promise<number> {
  const answer = await call('library.list', { ...filter, limit: 1 });
  return answer.ok ? answer.data.total : 0;
}

export function toggleAll(shown: ShownList): void {
  const { all } = useLibraryView.getState().choice;
  if (all && all.except.size === 0) chooseNone();
  else void chooseAll(shown);
}

const rangeOf = (shown: ShownList): Parameters<typeof assetChoice.pick>[0] => ({
  placeOf: shown.list.indexOf,
  idsOf: (first, last) => idsBetween(shown.list, readIds(shown), { first, last }),
});

export const pick = (shown: ShownList, event: MouseEvent | KeyboardEvent, id: string): void =>
  assetChoice.pick(rangeOf(shown), event, id);

const readIds =
  ({ filter, sort }: ShownList) =>
  async (offset: number, limit: number): Promise<Result<string[]>> => {
    const answer = await call('library.list', { ...filter, sort, offset, limit });
    if (!answer.ok) return answer;
    cacheAssets(answer.data.assets);
    return ok(answer.data.assets.map(({ id }) => id));
  };

/** The ids of all selected assets; those of a rule are read, however many. */
export async function idsOf({ ids, all }: AssetChoice): Promise<Result<string[]>> {
  if (!all) return ok([...ids]);
  const found: string[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const answer = await call('library.list', { ...all.filter, limit: PER_READING, ...(cursor ? { cursor } : {}) });
    if (!answer.ok) return answer;
    found.push(...answer.data.assets.flatMap(({ id }) => (all.except.has(id) ? [] : id)));
    cursor = answer.data.nextCursor;
  }
  return ok(found);
}

/** When another list is shown, only one asset stays selected. */
export function forgetMany(): void {
  const { choice } = useLibraryView.getState();
  if (choice.all || choice.ids.size > 1) chooseNone();
}

interface Keys {
  shown: ShownList;
  /** The index that a key leads to; undefined if it leads nowhere. */
  stepFrom(at: number | undefined, key: string): number | undefined;
  reveal(place: number): void;
  onOpen(): void;
}

/** Arrows move, Shift extends the selection, Ctrl keeps it, Space toggles, Enter opens. */
export function useListKeys({ shown, stepFrom, reveal, onOpen }: Keys): (event: KeyboardEvent) => void {
  const goTo = useStepTo(
    (place) => shown.list.at(place)?.id,
    (id, how) => assetChoice.step(rangeOf(shown), id, how),
  );
  const placeOf = usePlaceOf(shown);
  return (event) => {
    // The table head has its own buttons.
    if (event.altKey || (event.target as Element).closest('button')) return;
    const { selectedId: id } = useLibraryView.getState();
    const here = id === undefined ? undefined : placeOf(id);
    if (id !== undefined && !(event.key === ' ' && here?.isGone) && actOn(id, event, onOpen)) return;
    const next = MOVING_KEYS.includes(event.key) ? stepOn(here, event.key, shown.list.total, stepFrom) : undefined;
    if (next === undefined) return;
    event.preventDefault();
    goTo(next, stepOf(event));
    reveal(next);
  };
}

interface Place {
  at: number;
  /** The asset has left the list; this is the index of the one after it. */
  isGone: boolean;
}

interface Stood {
  id: string;
  at: number;
  after: string[];
  listed: string;
}

const MOST_AFTER = 100;

/** The index of an asset. If it left the list, for example by Delete, the index of the nearest remaining asset after it. */
function usePlaceOf({ list, filter, sort }: ShownList): (id: string) => Place | undefined {
  const selectedId = useLibraryView((view) => view.selectedId);
  const last = useRef<Stood>(undefined);
  const listed = JSON.stringify([filter, sort]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state changes with every change of the list.
  useEffect(() => {
    // A list that is shown only until the next one is read gives no index.
    const at = selectedId === undefined || list.stale ? undefined : list.indexOf(selectedId);
    if (selectedId !== undefined && at !== undefined)
      last.current = { id: selectedId, at, after: idsAfter(list, at), listed };
  }, [selectedId, list.state, list.stale, listed]);
  return (id) => {
    const at = list.indexOf(id);
    if (at !== undefined) return { at, isGone: false };
    const stood = last.current;
    if (stood?.id !== id || stood.listed !== listed || list.stale) return undefined;
    const next = stood.after.flatMap((other) => list.indexOf(other) ?? [])[0];
    // Assets that have not been read may still be in the list.
    return { at: next ?? stood.at, isGone: next !== undefined || stood.at >= list.total };
  };
}

function idsAfter(list: ShownList['list'], at: number): string[] {
  const ids: string[] = [];
  for (let id = list.at(at + 1)?.id; id !== undefined && ids.length < MOST_AFTER; id = list.at(at + 1 + ids.length)?.id)
    ids.push(id);
  return ids;
}

/** After an asset left the list, the forward arrow selects the one that took its index. */
function stepOn(here: Place | undefined, key: string, total: number, stepFrom: Keys['stepFrom']): number | undefined {
  const isForward = key === 'ArrowRight' || key === 'ArrowDown';
  const isBack = key === 'ArrowLeft' || key === 'ArrowUp';
  if (here?.isGone && total > 0 && (isForward || (isBack && here.at >= total))) return Math.min(here.at, total - 1);
  return stepFrom(here?.at, key);
}

const MOVING_KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

/** Handles a key for the current asset; false if there is none for it. */
function actOn(id: string, event: KeyboardEvent, onOpen: () => void): boolean {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) onOpen();
  else if (event.key === ' ') assetChoice.toggle(id);
  else return false;
  event.preventDefault();
  return true;
}
