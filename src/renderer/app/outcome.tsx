import { X } from 'lucide-react';
import { useEffect } from 'react';
import { create } from 'zustand';
import { t } from '../../shared/texts.ts';
import { Icon, IconButton, Refusal, TextAction, toast } from '../ui/index.ts';
import { announce } from './announce.ts';

export interface Outcome {
  text: string;
  /** Takes it back. */
  undo?: () => void;
  /** Why it did nothing. */
  isRefusal?: boolean;
}

/** By the place where it is shown. */
const useOutcomes = create<Readonly<Record<string, Outcome | undefined>>>()(() => ({}));

const clear = (place: string): void => useOutcomes.setState({ [place]: undefined });

/** Says what the click just made did, and shows it where that was made (`<OutcomeLine>`). Answers what takes this one away again. */
export function showOutcome(place: string, outcome: Outcome): () => void {
  announce(outcome.text);
  useOutcomes.setState({ [place]: outcome });
  return () => {
    if (useOutcomes.getState()[place] === outcome) clear(place);
  };
}

/** How many lines show a place. */
const shown = new Map<string, number>();

/** Says why the click just made did nothing, where it was made; elsewhere to who has left that place by then. */
export function refuseAt(place: string, text: string): void {
  if (shown.get(place)) useOutcomes.setState({ [place]: { text, isRefusal: true } });
  else toast({ kind: 'fail', text });
}

export const useOutcome = (place: string): Outcome | undefined => useOutcomes((outcomes) => outcomes[place]);

/** What the click just made here did, with its Undo; until the next one, or until its place is left. Screen readers have heard it. */
export function OutcomeLine({ place }: { place: string }) {
  const outcome = useOutcome(place);
  useEffect(() => {
    shown.set(place, (shown.get(place) ?? 0) + 1);
    return () => {
      shown.set(place, (shown.get(place) ?? 1) - 1);
      clear(place);
    };
  }, [place]);
  if (outcome === undefined) return null;
  const { text, undo, isRefusal } = outcome;
  return (
    <div className="outcome">
      {isRefusal ? <Refusal text={text} /> : <span className="t2">{text}</span>}
      {undo && (
        <TextAction
          onClick={() => {
            clear(place);
            undo();
          }}
        >
          {t`Undo`}
        </TextAction>
      )}
      <span className="grow" />
      <IconButton label={t`Dismiss`} onClick={() => clear(place)}>
        <Icon of={X} />
      </IconButton>
    </div>
  );
}
