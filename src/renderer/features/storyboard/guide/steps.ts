import type { GuideSeen } from '../../../../shared/settings.ts';
import { t } from '../../../../shared/texts.ts';
import type { ShotView } from '../model/view.ts';

/** The steps of the first film. Each is read from the film itself, so that it ticks however it was done. */

export interface GuideStep {
  id: 'play' | 'look' | 'judge' | 'mend' | 'make' | 'export';
  title: string;
  hint: string;
  /** About how long it takes. */
  time: string;
  isDone: boolean;
  /** What is chosen to see where: a shot by its number, and whether the whole board plays. */
  shot?: number;
}

/** A step whose shot was removed from the film is left out. */
export function guideSteps(shots: readonly ShotView[], seen: readonly GuideSeen[]): GuideStep[] {
  const [third, fourth, fifth] = [shots[2], shots[3], shots[4]];
  const steps: (GuideStep | undefined)[] = [
    {
      id: 'play',
      title: t`Play it`,
      hint: t`All shots in order, each with the take that plays for it.`,
      time: '30 s',
      isDone: seen.includes('played'),
    },
    third && {
      id: 'look',
      title: t`Look at the takes of shot 3`,
      hint: t`Choose one, then the other. Each is kept with its seed and its price.`,
      time: '30 s',
      isDone: seen.includes('looked'),
      shot: 3,
    },
    third && {
      id: 'judge',
      title: t`Judge shot 3`,
      hint: t`Which of the two? Keep one. The kept take is circled.`,
      time: '1 min',
      isDone: third.takes.some(({ job }) => job?.verdict === 'keep'),
      shot: 3,
    },
    fourth && {
      id: 'mend',
      title: t`Mend the joint from 3 to 4`,
      hint: t`Shot 4 starts where a take of shot 3 ended that does not play any more. Redo it, or play that take.`,
      time: '1 min',
      isDone: fourth.joint?.isStale === false,
      shot: 4,
    },
    fifth && {
      id: 'make',
      title: t`Change the words of shot 5, make a take`,
      hint: t`The price stands at the button. In the sandbox it is test money.`,
      time: '1 min',
      isDone: fifth.takes.filter(({ job }) => job && !['failed', 'canceled'].includes(job.state)).length > 1,
      shot: 5,
    },
    {
      id: 'export',
      title: t`Export the film`,
      hint: t`The preflight says what there is to know. Then it is one MP4 on this disk, free.`,
      time: '30 s',
      isDone: seen.includes('exported'),
    },
  ];
  return steps.filter((step) => step !== undefined);
}
