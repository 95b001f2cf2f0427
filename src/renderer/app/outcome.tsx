import { X } from 'lucide-react';
import { type MouseEvent, useEffect } from 'react';
import { create } from 'zustand';
import { t } from '../../shared/text/texts.ts';
import { Icon, IconButton, Refusal, TextAction, toast } from '../ui/index.ts';
import { announce } from './announce.ts';

export interface Outcome {
  text: string;
  /** Takes it back. */
  undo?: () => void;
  /** Why it did nothing. */
  isRefusal?: boolean;
  /** The same click opens its place, which may not be shown yet. */
  isOpening?: boolean;
}

/** By the place where they are shown; none of a place that is not there. */
const useOutcomes = create<Readonly<Record<string, readonly Outcome[] | undefined>>>()(() => ({}));

const clear = (place: string, outcome: Outcome): void =>
  useOutcomes.setState((all) => ({ [place]: all[place]?.filter((other) => other !== outcome) }));

/**
 * Says what the click just made did, where that was made (`<OutcomeLine>`); elsewhere to who has left that place by then. Answers what takes
 * this one away again.
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

/** Says why the click just made did nothing, where it was made; elsewhere to who has left that place by then. What can be taken back there still can. */
export function refuseAt(place: string, text: string): void {
  if (!useOutcomes.getState()[place]) return void toast({ kind: 'fail', text });
  useOutcomes.setState((all) => ({
    [place]: [...(all[place] ?? []).filter(({ undo }) => undo), { text, isRefusal: true }],
  }));
}

/** What the click just made here did, with its Undo; until the next one, or until its place is left. Screen readers have heard it. */
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
    // Keys go on in what it stands in: the buttons go away with the focus.
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
 * Says what was put into a box (`done`, a sentence without its end). Where that took the place of something begun, `undo` gives it back:
 * it is offered at the box (`place`). Answers what takes the offer away.
 */
export function announceReplaced(place: string, done: string, undo: (() => void) | undefined): () => void {
  if (undo !== undefined)
    return showOutcome(place, { text: t`${done}. It replaced your draft.`, undo, isOpening: true });
  announce(done);
  return () => undefined;
}
