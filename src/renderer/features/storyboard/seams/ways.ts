import type { Shot } from '../../../../shared/board/board.ts';
import { lastFrameOf } from '../../../../shared/board/shotLinks.ts';
import type { SeamLimits } from '../../../../shared/film/continuityLimits.ts';
import type { MeasuredFile } from '../../../../shared/film/measures.ts';
import { LEVELLED_SECONDS } from '../../../../shared/film/sound/mixPlan.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import { t } from '../../../../shared/text/texts.ts';
import { formatStep } from '../../../ui/index.ts';
import type { Fitting } from '../link/chains.ts';
import type { LinkChoices } from '../link/linkChoices.ts';
import { type BoardEdit, patchShot, shotLike } from '../model/shots.ts';
import type { ShotOrder } from '../model/sync.ts';
import type { TakeView } from '../model/view.ts';
import { type SeamView, seamOf, sideOf } from './seam.ts';

/** An option to fix a jump. */
export interface Way {
  title: string;
  text: string;
  /** Why it is not possible. */
  off?: string;
  /** The option makes a take of this shot, requested with this change of the board; without it the option is free. */
  makes?: { shot: Shot; order: Pick<ShotOrder, 'start' | 'added'> };
  /** Free: applied at once. */
  edit?: BoardEdit;
  /** Free: selects the measured variation of a take for its shot. */
  plays?: { shotId: string; jobId: string; index: number };
}

interface Facts {
  /** The possible links of the second shot. */
  choices: LinkChoices | undefined;
  files: ReadonlyMap<string, MeasuredFile>;
  limits: SeamLimits;
  /** Names the shot that a transition adds. */
  newId: string;
  /** Takes of the second shot that start where they should, if the selected one does not. */
  fitting: Fitting;
  /** Why the board takes no more shots. */
  full: string | undefined;
}

/** An option with its number, which is also its key, in any order. */
export type NumberedWay = Way & { number: number };

/** The options, by how much of the visible jump they fix. A fitting existing take comes first, since it is free. */
export function waysOf(seam: SeamView, facts: Facts): NumberedWay[] {
  const { done } = facts.fitting;
  const free = done ? fitted(seam, done) : otherTake(seam, facts);
  const ways = [again(seam, facts), otherwise(seam, facts), between(seam, facts), free, levelled(seam)];
  const numbered = ways.map((way, index) => ({ ...way, number: index + 1 }));
  return done
    ? numbered.toSorted((one, other) => Number(other.number === FREE) - Number(one.number === FREE))
    : numbered;
}

/** The number of the option that selects a take. */
const FREE = 4;

/** A take that was remade for this link and is not selected yet. */
function fitted({ after }: SeamView, take: TakeView): Way {
  return { ...playing(after, take), text: '' };
}

const playing = ({ number, shot }: SeamView['after'], take: TakeView): Pick<Way, 'title' | 'plays'> => ({
  title: t`Use take ${take.number} of shot ${number}`,
  plays: { shotId: shot.id, jobId: take.jobId, index: take.clipIndex },
});

const AGAIN = {
  extend: t`Extend again`,
  continue: t`Continue again`,
  transition: t`Transition again`,
  cut: t`Make it again`,
};

/** A take of the second shot with that link, from the take selected before it, or the one that will be. */
function madeFrom(
  { before }: SeamView,
  { choices }: Facts,
  joint: 'continue' | 'extend' | 'transition',
): Pick<Way, 'makes' | 'off'> {
  const choice = choices?.choices.find((each) => each.kind === joint);
  if (!choices?.from || !choice) return { off: t`Shot ${before.number} has no take.` };
  if (choice.off) return { off: choice.off };
  const { shot } = choice;
  const { source, model } = shot;
  const media = joint === 'extend' ? { video: shot.video } : { image: shot.image };
  return { makes: { shot, order: { start: { joint, source, model, ...media } } } };
}

function again(seam: SeamView, facts: Facts): Way {
  const joint = seam.after.link?.kind ?? 'cut';
  const title = AGAIN[joint];
  if (joint === 'cut') return { title, text: '', off: t`Shot ${seam.after.number} starts on its own.` };
  const { coming } = facts.fitting;
  const text = coming ? t`Take ${coming.number} is already being made.` : '';
  return { title, text, ...madeFrom(seam, facts, joint) };
}

function otherwise(seam: SeamView, facts: Facts): Way {
  if (seam.after.link?.kind === 'continue') {
    const text = t`Motion and sound go on.`;
    return { title: t`Extend shot ${seam.before.number} instead`, text, ...madeFrom(seam, facts, 'extend') };
  }
  const text = t`Motion and sound restart.`;
  return { title: t`Continue from shot ${seam.before.number}`, text, ...madeFrom(seam, facts, 'continue') };
}

function between({ before, after }: SeamView, { newId, full }: Facts): Way {
  const title = t`Transition to shot ${after.number}`;
  const text = t`Adds a shot between them.`;
  const startsFrom = ['first', 'firstLast'].includes(after.shot.source) ? after.shot.image : undefined;
  if (!before.active) return { title, text, off: t`Shot ${before.number} has no take.` };
  if (full !== undefined) return { title, text, off: full };
  if (!startsFrom || 'frame' in startsFrom || isSameFrame(before, startsFrom)) {
    return { title, text, off: t`Shot ${after.number} needs a first frame.` };
  }
  const { takes, id: _, ...like } = shotLike(newId, before.shot);
  const transition = {
    ...like,
    prompt: after.shot.prompt,
    source: 'firstLast' as const,
    image: lastFrameOf(before.active),
    lastFrame: startsFrom,
  };
  const added = { shot: transition, before: after.shot.id };
  return { title, text, makes: { shot: { ...transition, id: newId, takes }, order: { added } } };
}

const isSameFrame = ({ active }: SeamView['before'], ref: MediaRef): boolean =>
  'assetId' in ref && ref.assetId === active?.clip?.lastFrameId;

interface Rival {
  take: TakeView;
  shot: SeamView['before'];
  value: number;
}

/** The take on this disk, of either shot, whose frames match best. */
function otherTake(seam: SeamView, { files, limits }: Facts): Way {
  const { before, after } = seam;
  const now = seam.seam.frames;
  const rivals = [before, after]
    .flatMap((shot) => shot.takes.filter(({ jobId }) => jobId !== shot.active?.jobId).map((take) => ({ shot, take })))
    .flatMap(({ shot, take }): Rival[] => {
      const side = sideOf(shot, take, { files, at: shot === before ? 'out' : 'in' });
      const sides = shot === before ? ([side, seam.sides[1]] as const) : ([seam.sides[0], side] as const);
      const { frames } = seamOf(sides[0], sides[1], limits);
      return frames.finding === 'none' ? [] : [{ shot, take, value: frames.value }];
    });
  const best = rivals.toSorted((one, other) => one.value - other.value)[0];
  if (!best || now.finding === 'none' || best.value >= now.value) {
    return { title: t`Use another take`, text: '', off: t`No other take here fits better.` };
  }
  const { shot, take } = best;
  return { ...playing(shot, take), text: t`Frames differ by ${best.value.toFixed(2)}.` };
}

/** Changes only the export, and is stored on the board. */
function levelled({ after, seam: { sound } }: SeamView): Way {
  const { id, isLevelled } = after.shot;
  if (isLevelled) {
    return { title: t`Leave the sound unchanged`, text: '', edit: patchShot(id, { isLevelled: undefined }) };
  }
  const title = t`Level the sound in the export`;
  if (sound.finding === 'none') return { title, text: '', off: sound.why ?? t`The sound is not measured.` };
  return {
    title,
    text: t`${formatStep(-sound.value, 'LU')} over the first ${LEVELLED_SECONDS} s.`,
    edit: patchShot(id, { isLevelled: true }),
  };
}
