import { type RefObject, useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { t } from '../../../shared/texts.ts';
import { isBehindModal, modalAround } from '../../ui/index.ts';
import { announce } from '../announce.ts';
import { chordOf } from './chords.ts';
import { chordNow, useKeyHint, useShortcut } from './shortcuts.ts';

/**
 * The chord that spends does what stands where the focus is: the innermost place around it, else the main button of the page. Where the
 * focus was moved by the program, as it is when a button goes that had it, nothing is spent until the person has moved it.
 */

interface SpendPlace {
  place: RefObject<Element | null>;
  /** It also serves a focus that is in no place. */
  isMain: boolean;
  press: () => void;
}

/** Those of inner components are first; of two that serve the whole page, the last does. */
const places: SpendPlace[] = [];

/** Where the person has put the focus, which may be gone by now. */
let chosen: Element | undefined;
/** A press that may move the focus is under way: the next move is its. */
let isByHand = false;
/** Where the focus was as a modal layer opened, and what was chosen there. */
let covered: { focus: EventTarget; chosen: Element | undefined } | undefined;
/** When the focus came back there, in the time of events. */
let returnedAt = Number.NEGATIVE_INFINITY;

/** A second press of the chord that has closed a layer is not meant for the page. */
const BOUNCE_MS = 1_000;

/** In a modal layer, all of it: one price, one button. */
const areaOf = ({ place }: SpendPlace): Element | null => modalAround(place.current) ?? place.current;

function innermostAt(target: EventTarget | null): SpendPlace | undefined {
  if (!(target instanceof Element)) return undefined;
  const around = places.filter((one) => areaOf(one)?.contains(target));
  return around.reduce<SpendPlace | undefined>(
    (inner, one) => (inner === undefined || areaOf(inner)?.contains(areaOf(one)) ? one : inner),
    undefined,
  );
}

const chosenAt = (target: EventTarget | null): Element | undefined => {
  const one = innermostAt(target);
  return (one && areaOf(one)) ?? undefined;
};

/** What the chord would press now; a price that a modal layer covers is not seen. */
function servingNow(): SpendPlace | undefined {
  const one = innermostAt(document.activeElement) ?? places.findLast(({ isMain, place }) => isMain && isSeen(place));
  return one && isSeen(one.place) ? one : undefined;
}

const isSeen = ({ current }: SpendPlace['place']): boolean => current !== null && !isBehindModal(current);

const isChosen = (one: SpendPlace | undefined): boolean =>
  chosen === undefined || (one !== undefined && areaOf(one) === chosen);

function offeredNow(): SpendPlace | undefined {
  const one = servingNow();
  return isChosen(one) ? one : undefined;
}

function pressServing({ timeStamp }: KeyboardEvent): void {
  isByHand = false;
  const one = servingNow();
  if (isChosen(one) && timeStamp - returnedAt >= BOUNCE_MS) one?.press();
  else announce(t`Nothing was sent: the focus is not where it was. Move it first.`);
}

/** A press was spent: what moves the focus from now on is its outcome, and not the person. */
export function endPress(): void {
  isByHand = false;
}

const heard = new Set<() => void>();
const tell = (): void => {
  for (const hear of heard) hear();
};

function hearKey(event: KeyboardEvent): void {
  const chord = chordOf(event);
  if (chord !== '') isByHand = chord !== chordNow('spend.go');
  // Who presses something else has seen where they are.
  if (isByHand) returnedAt = Number.NEGATIVE_INFINITY;
  tell();
}

function hearPointer({ target }: Event): void {
  isByHand = true;
  returnedAt = Number.NEGATIVE_INFINITY;
  chosen = chosenAt(target);
  tell();
}

function hearClick(): void {
  isByHand = true;
}

function hearFocus({ target, timeStamp }: Event): void {
  if (isByHand || chosen === undefined) chosen = chosenAt(target);
  else if (covered?.focus === target && modalAround(chosen ?? null)) {
    chosen = covered.chosen;
    returnedAt = timeStamp;
  }
  isByHand = false;
  tell();
}

/** Whoever writes knows where. Heard after the field itself: what is rendered before would put its old value back. */
function hearInput({ target }: Event): void {
  returnedAt = Number.NEGATIVE_INFINITY;
  chosen = chosenAt(target);
  tell();
}

/** The focus of a page goes into a layer, and comes back when that is left. */
function hearLeaving({ target, relatedTarget }: FocusEvent): void {
  const isCovered = relatedTarget instanceof Element && modalAround(relatedTarget) !== undefined;
  if (isCovered && target instanceof Element && !modalAround(target)) covered = { focus: target, chosen };
  // The focus is between two elements now.
  queueMicrotask(tell);
}

const LISTENERS = Object.entries({
  keydown: hearKey as (event: Event) => void,
  pointerdown: hearPointer,
  click: hearClick,
  focusin: hearFocus,
  focusout: hearLeaving as (event: Event) => void,
});

function add(one: SpendPlace): () => void {
  if (places.length === 0) for (const [type, hear] of LISTENERS) window.addEventListener(type, hear, true);
  if (places.length === 0) window.addEventListener('input', hearInput);
  places.push(one);
  if (chosen === undefined) chosen = chosenAt(document.activeElement);
  tell();
  return () => {
    places.splice(places.indexOf(one), 1);
    tell();
    if (places.length > 0) return;
    for (const [type, hear] of LISTENERS) window.removeEventListener(type, hear, true);
    window.removeEventListener('input', hearInput);
    chosen = undefined;
    covered = undefined;
    isByHand = false;
  };
}

interface SpendChordOptions {
  enabled?: boolean;
  /** It also serves a focus that is in no place. */
  isMain?: boolean;
}

/**
 * Runs `press` when the chord that spends is pressed while the focus is in `place`, or nowhere else where it is the main button of its page.
 * Answers the chord as it is printed on the button, while it would do that.
 */
export function useSpendChord(
  place: RefObject<Element | null>,
  press: () => void,
  { enabled = true, isMain = false }: SpendChordOptions = {},
): string | undefined {
  const latest = useRef(press);
  latest.current = press;
  const mine = useRef<SpendPlace>(undefined);
  useLayoutEffect(() => {
    if (!enabled) return;
    const one = { place, isMain, press: () => latest.current() };
    mine.current = one;
    const leave = add(one);
    return () => {
      mine.current = undefined;
      leave();
    };
  }, [place, enabled, isMain]);
  useShortcut('spend.go', pressServing, enabled);
  const subscribe = useCallback((hear: () => void) => {
    heard.add(hear);
    return () => void heard.delete(hear);
  }, []);
  const isOffered = useSyncExternalStore(subscribe, () => mine.current !== undefined && offeredNow() === mine.current);
  const hint = useKeyHint('spend.go');
  return isOffered ? hint : undefined;
}
