import { X } from 'lucide-react';
import { type MouseEvent, useEffect } from 'react';
import { create } from 'zustand';
import { t } from '../../shared/text/texts.ts';
import { Icon, IconButton, Refusal, TextAction, toast } from '../ui/index.ts';
import { announce } from './announce.ts';

export interface Outcome {
  text: string;
  /** Undoes it. */
  undo?: () => void;
  /** Whether the text says why nothing was done. */
  isRefusal?: boolean;
  /** Whether the same click opens the place, which may not be shown yet. */
  isOpening?: boolean;
}

/** Outcomes by the place that shows them; absent for places that are not mounted. */
const useOutcomes = create<Readonly<Record<string, readonly Outcome[] | undefined>>>()(() => ({}));

const clear = (place: string, outcome: Outcome): void =>
  useOutcomes.setState((all) => ({ [place]: all[place]?.filter((other) => other !== outcome) }));

/**
 * Shows the outcome of a click where it was made (`<OutcomeLine>`), or as a toast if that place is no longer shown. Returns a function that
 * removes it.
 */
export function showOutcome(place: string, outcome: Outcome): () => void {
  const { text, undo, isOpening } = outcome;
  if (!isOpening && !useOutcomes.getState()[place]) {
    return toast(undo ? { text, action: { label: t`Undo`, onAction: undo } } : { text });
  }
  announce(text);
  useOutcomes.setState({ [place]: [outcome] });
  return () => clear(place, outcome);
}

/** Shows why a click did nothing, where it was made or, if that place is gone, as a toast. An undo that is offered there stays. */
export function refuseAt(place: string, text: string): void {
  if (!useOutcomes.getState()[place]) return void toast({ kind: 'fail', text });
  useOutcomes.setState((all) => ({
    [place]: [...(all[place] ?? []).filter(({ undo }) => undo), { text, isRefusal: true }],
  }));
}

/**
 * The outcome of the last click here, with Undo, until the next one or until the place is left. Screen readers have already announced it.
 */
export function OutcomeLine({ place }: { place: string }) {
  const outcomes = useOutcomes((all) => all[place]);
  useEffect(() => {
    useOutcomes.setState((all) => ({ [place]: all[place] ?? [] }));
    return () => useOutcomes.setState({ [place]: undefined });
  }, [place]);
  return outcomes?.map((outcome) => (
    <Line key={outcome.isRefusal ? 'refusal' : 'done'} outcome={outcome} onLeave={() => clear(place, outcome)} />
  ));
}

function Line({ outcome: { text, undo, isRefusal }, onLeave }: { outcome: Outcome; onLeave: () => void }) {
  const leave = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // Moves the focus to the surrounding panel: the buttons unmount with the focus.
    currentTarget.closest<HTMLElement>('[tabindex="-1"], [data-panel]')?.focus();
    onLeave();
  };
  return (
    <div className="outcome">
      {isRefusal ? <Refusal text={text} /> : <span className="t2">{text}</span>}
      {undo && (
        <TextAction
          onClick={(event) => {
            leave(event);
            undo();
          }}
        >
          {t`Undo`}
        </TextAction>
      )}
      <span className="grow" />
      <IconButton label={t`Dismiss`} onClick={leave}>
        <Icon of={X} />
      </IconButton>
    </div>
  );
}

/**
 * Announces what was put into a text box (`done`, a sentence without its end). If that replaced a draft, `undo` restores the draft and is
 * offered at the box (`place`). Returns a function that removes the offer.
 */
export function announceReplaced(place: string, done: string, undo: (() => void) | undefined): () => void {
  if (undo !== undefined)
    return showOutcome(place, { text: t`${done}. It replaced your draft.`, undo, isOpening: true });
  announce(done);
  return () => undefined;
}
