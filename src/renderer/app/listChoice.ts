import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Result } from '../../shared/contract/result.ts';
import { announce } from './announce.ts';
import { type Choice, NOTHING_CHOSEN, only, toggled } from './choice.ts';
import { refuseAt } from './outcome.tsx';
import type { RangeEnd } from './state/idsBetween.ts';

/** The selection state of a long list. */
export interface ChoiceView<Filter> {
  /** The item that keys act on. */
  selectedId?: string | undefined;
  /** All selected items. */
  choice: Choice<Filter>;
  /** The start of a range selection. */
  anchorId?: string | undefined;
}

interface Store<Filter> {
  getState: () => ChoiceView<Filter>;
  setState: (part: Partial<ChoiceView<Filter>>) => void;
}

/** The shown list. */
interface Shown {
  /** Undefined if that part of the list has not been read. */
  placeOf: (id: string) => number | undefined;
  /** The ids between two ends, both included. */
  idsOf: (first: RangeEnd, last: RangeEnd) => Promise<Result<string[]>>;
}

interface Words {
  /** Where an error is shown. */
  place: string;
  chosen: (count: number) => string;
  tooMany: string;
}

/** How a key moves in a list: selecting only the new item, extending the range, or keeping the selection. */
type Step = 'only' | 'range' | 'go';

type Keys = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>;

export function stepOf({ shiftKey, ctrlKey, metaKey }: Keys): Step {
  if (shiftKey) return 'range';
  return ctrlKey || metaKey ? 'go' : 'only';
}

/** The most ids that a call takes. */
const MOST_IDS = 10_000;

/** Selects in a long list by clicks and keys. */
export function listChoice<Filter>({ getState, setState }: Store<Filter>, { place, chosen, tooMany }: Words) {
  const select = (id: string | undefined): void =>
    setState({ selectedId: id, anchorId: id, choice: id === undefined ? NOTHING_CHOSEN : only(id) });
  const goTo = (selectedId: string): void => setState({ selectedId });
  const toggle = (id: string): void =>
    setState({ selectedId: id, anchorId: id, choice: toggled(getState().choice, id) });
  const upTo = async (list: Shown, id: string): Promise<void> => {
    goTo(id);
    const { anchorId = id } = getState();
    const here = { at: list.placeOf(id) ?? 0, id };
    const start = { at: list.placeOf(anchorId) ?? here.at, id: anchorId };
    const [first, last] = start.at < here.at ? [start, here] : [here, start];
    if (last.at - first.at >= MOST_IDS) return refuseAt(place, tooMany);
    const ids = await list.idsOf(first, last);
    // A later key or click came first.
    if (getState().selectedId !== id) return;
    if (!ids.ok) return refuseAt(place, ids.error.message);
    if (ids.data.length > MOST_IDS) return refuseAt(place, tooMany);
    setState({ choice: { ids: new Set(ids.data) } });
    announce(chosen(ids.data.length));
  };
  const step = (list: Shown, id: string, how: Step): void => {
    if (how === 'only') select(id);
    else if (how === 'go') goTo(id);
    else void upTo(list, id);
  };
  /** A click selects one item, with Ctrl adds or removes one, with Shift extends the range to it. */
  const pick = (list: Shown, event: Keys, id: string): void => {
    if (stepOf(event) === 'go') toggle(id);
    else step(list, id, stepOf(event));
  };
  /** Selects by the rule of the list, which includes items that have not been read. */
  const all = (filter: Filter, total: number): void => {
    setState({ choice: { ids: new Set(), all: { filter, except: new Set(), total } } });
    announce(chosen(total));
  };
  return { select, goTo, toggle, step, pick, all };
}

/** Goes to the item at an index, once that part of the list has been read. */
export function useStepTo(
  idAt: (place: number) => string | undefined,
  step: (id: string, how: Step) => void,
): (place: number, how: Step) => void {
  const [awaited, setAwaited] = useState<{ place: number; how: Step }>();
  const id = awaited && idAt(awaited.place);
  const arrive = useEffectEvent(step);
  useEffect(() => {
    if (id === undefined || !awaited) return;
    arrive(id, awaited.how);
    setAwaited(undefined);
  }, [id, awaited]);
  return (place, how) => {
    const here = idAt(place);
    if (here === undefined) setAwaited({ place, how });
    else step(here, how);
  };
}

/** Clears the selection when another list is shown: nothing may happen to items out of sight. */
export function useForgottenChoice(list: object, forget: () => void): void {
  const view = JSON.stringify(list);
  const last = useRef(view);
  const onOther = useEffectEvent(forget);
  useEffect(() => {
    if (last.current === view) return;
    last.current = view;
    onOther();
  }, [view]);
}
