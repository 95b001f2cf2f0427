import type { SeamLimits } from '../../../shared/film/continuityLimits.ts';
import type { MeasuredFile } from '../../../shared/film/measures.ts';
import { t } from '../../../shared/text/texts.ts';
import { formatStep } from '../../ui/index.ts';
import { LINK_NAMES } from '../storyboard/link/linkChoices.ts';
import { playedShots, type ShotView, type TakeView } from '../storyboard/model/view.ts';
import { FIGURES, type Seam, type SeamMeasure, seamOf, sideOf } from '../storyboard/seams/seam.ts';

/** How far a take is from its neighbours in the film, beside the same of the kept take. */

type Files = ReadonlyMap<string, MeasuredFile>;

export interface LinkLine {
  key: string;
  /** `From shot 2, cut`, and under it `Loudness`. */
  place: string;
  /** Whether this is the loudness at the link of the line before. */
  isSound: boolean;
  finding: SeamMeasure['finding'];
  /** `ΔE 4.2`, `−0.4 LU`; empty if it is not measured. */
  figure: string;
  /** Why it is not measured, or the kept take's figure. */
  note: string;
}

interface TakeOfShot {
  shots: readonly ShotView[];
  shot: ShotView;
  take: TakeView;
  /** The take it is compared with, if that is another one. */
  beside: TakeView | undefined;
  files: Files;
  limits: SeamLimits;
}

/** The clips whose measurements the lines need. */
export function clipsAtLinks({ shots, shot, take, beside }: Omit<TakeOfShot, 'files' | 'limits'>): string[] {
  const { before, after } = neighboursOf(shots, shot);
  return [take, beside, before?.active, after?.active].flatMap((each) => each?.clip?.sha256 ?? []);
}

/** Colour and loudness at the links to the shots before and after; none for a skipped shot. */
export function linkLines({ shots, shot, take, beside, files, limits }: TakeOfShot): LinkLine[] {
  const { before, after } = neighboursOf(shots, shot);
  const sideAt = (view: ShotView, of: TakeView | undefined, at: 'in' | 'out') => sideOf(view, of, { files, at });
  const seamAt = (of: TakeView, view: ShotView, isBefore: boolean) =>
    isBefore
      ? seamOf(sideAt(view, view.active, 'out'), sideAt(shot, of, 'in'), limits)
      : seamOf(sideAt(shot, of, 'out'), sideAt(view, view.active, 'in'), limits);
  const linesAt = (place: string, view: ShotView, isBefore: boolean) => {
    const kept = beside && { seam: seamAt(beside, view, isBefore), number: beside.number };
    return linesOf(place, seamAt(take, view, isBefore), kept);
  };
  return [
    ...(before ? linesAt(t`From shot ${before.number}: ${nameOf(shot)}`, before, true) : []),
    ...(after ? linesAt(t`To shot ${after.number}: ${nameOf(after)}`, after, false) : []),
  ];
}

const nameOf = ({ link }: ShotView): string => LINK_NAMES[link?.kind ?? 'cut'];

function neighboursOf(shots: readonly ShotView[], shot: ShotView) {
  const played = playedShots(shots);
  const at = played.findIndex((view) => view.shot.id === shot.shot.id);
  return at < 0 ? { before: undefined, after: undefined } : { before: played[at - 1], after: played[at + 1] };
}

function linesOf(place: string, seam: Seam, kept: { seam: Seam; number: number } | undefined) {
  const line = (name: 'colour' | 'sound', title: string): LinkLine => {
    const { finding, why = '' } = seam[name];
    const said = { key: `${place} ${name}`, place: title, isSound: name === 'sound', finding };
    if (finding === 'none') return { ...said, figure: '', note: why };
    const figure = FIGURES[name](seam[name].value);
    return { ...said, figure, note: kept ? besideNote(name, figure, kept) : '' };
  };
  const colour = line('colour', place);
  // One line suffices if nothing is measured.
  return seam.frames.finding === 'none' ? [colour] : [colour, line('sound', t`Loudness`)];
}

/** Figures without their unit, beside a figure that has it. */
const BARE = {
  colour: (value: number) => value.toFixed(1),
  sound: (value: number) => formatStep(value),
} as const;

function besideNote(name: 'colour' | 'sound', figure: string, { seam, number }: { seam: Seam; number: number }) {
  if (seam[name].finding === 'none') return `${t`Take ${number}`}: ${t`Not measured`}`;
  const { value } = seam[name];
  return FIGURES[name](value) === figure ? t`Same as take ${number}` : `${t`Take ${number}`}: ${BARE[name](value)}`;
}
