import type { GuideSeen } from '../../../../shared/settings.ts';
import { t } from '../../../../shared/texts.ts';
import { navigate } from '../../../app/index.ts';
import { openExport } from '../export/openExport.ts';
import type { ShotView } from '../model/view.ts';
import { selectShot } from '../useBoard.ts';

/** The steps of the first film. Each is read from the film itself, so that it ticks however it was done. */
export interface GuideStep {
  id: 'play' | 'look' | 'rate' | 'fix' | 'make' | 'export';
  title: string;
  hint: string;
  isDone: boolean;
  /** Leads to where it is done; the first is done on the board as it is. */
  go?: () => void;
}

/** A step whose shot was removed from the film is left out. */
export function guideSteps(shots: readonly ShotView[], seen: readonly GuideSeen[]): GuideStep[] {
  const [third, fourth, fifth] = [shots[2], shots[3], shots[4]];
  const select = ({ shot }: ShotView) => ({ go: () => selectShot(shot.id) });
  const steps: (GuideStep | undefined)[] = [
    {
      id: 'play',
      title: t`Play the film`,
      hint: t`All shots in order, each with its selected take.`,
      isDone: seen.includes('played'),
    },
    third && {
      id: 'look',
      title: t`Look at the takes of shot 3`,
      hint: t`One of them is black for half of its time.`,
      isDone: seen.includes('looked'),
      ...select(third),
    },
    third && {
      id: 'rate',
      title: t`Rate the takes of shot 3`,
      hint: t`Keep the better one. The quality check tells what is wrong with the other.`,
      isDone: third.takes.some(({ job }) => job?.verdict === 'keep'),
      go: () => navigate('review', { shot: third.shot.id }),
    },
    fourth && {
      id: 'fix',
      title: t`Fix the link from shot 3 to 4`,
      hint: t`Shot 4 continues from an old take of shot 3. Redo it, or use that take.`,
      isDone: fourth.joint?.isStale === false,
      ...select(fourth),
    },
    fifth && {
      id: 'make',
      title: t`Change the prompt of shot 5, make a take`,
      hint: t`The price stands at the button.`,
      isDone: fifth.takes.filter(({ job }) => job && !['failed', 'canceled'].includes(job.state)).length > 1,
      ...select(fifth),
    },
    {
      id: 'export',
      title: t`Export the film`,
      hint: t`One MP4 on this computer, free.`,
      isDone: seen.includes('exported'),
      go: openExport,
    },
  ];
  return steps.filter((step) => step !== undefined);
}
