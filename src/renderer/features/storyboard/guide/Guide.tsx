import { Check, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { GuideSeen, GuideSettings } from '../../../../shared/settings.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { announce, saveSettings, useCall, useIsPlay, useKeyHint, useShortcut, useStudio } from '../../../app/index.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { Icon, IconButton, Kbd, Panel } from '../../../ui/index.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import { type BoardHandle, useBoardView } from '../useBoard.ts';
import { AfterGuide } from './AfterGuide.tsx';
import styles from './guide.module.css';
import { type GuideStep, guideSteps } from './steps.ts';

interface GuideProps {
  board: BoardHandle;
  player: ClipPlayer | undefined;
}

/** The guide of the sample film, beside the real board: it opens and closes at will, and locks nothing. */
export function Guide({ board, player }: GuideProps) {
  const guide = useStudio(({ settings }) => settings?.guide);
  const isHere = guide !== undefined && guide.projectId === board.board?.projectId;
  useShortcut('board.guide', () => guide && patch(guide, { isOpen: !guide.isOpen }), isHere);
  return isHere && guide.isOpen ? <OpenGuide board={board} player={player} guide={guide} /> : null;
}

const patch = (guide: GuideSettings, change: Partial<GuideSettings>): void =>
  void saveSettings({ guide: { ...guide, ...change } });

/** What only the page can see is written down once it was seen. */
function useSeen(guide: GuideSettings, { board, player }: GuideProps): void {
  const isPlaying = usePlayerValue(player, (state) => state.isPlaying);
  const third = board.shots[2]?.shot.id;
  const isLooking = useBoardView((view) => third !== undefined && view.takes[third] !== undefined);
  const hasLeft = useHasExport(guide.projectId);
  const fresh: GuideSeen | undefined = [
    { step: 'played' as const, isSeen: isPlaying },
    { step: 'looked' as const, isSeen: isLooking },
    { step: 'exported' as const, isSeen: hasLeft },
  ].find(({ step, isSeen }) => isSeen && !guide.seen.includes(step))?.step;
  useEffect(() => {
    if (fresh) patch(guide, { seen: [...guide.seen, fresh] });
  }, [fresh, guide]);
}

/** Whether an export of the film was made, from wherever it was asked for. */
function useHasExport(projectId: string): boolean {
  const { data } = useCall('exports.list', { projectId }, { on: ['export.changed'] });
  return data?.exports.some(({ state }) => state === 'done') ?? false;
}

function OpenGuide({ board, player, guide }: GuideProps & { guide: GuideSettings }) {
  useSeen(guide, { board, player });
  const steps = guideSteps(board.shots, guide.seen);
  const next = steps.find(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  const hint = useKeyHint('board.guide');
  useAnnounced(next);
  return (
    <Panel label={t`Your first film`} side="left" className={styles.guide}>
      <div className="bar">
        <h2>{t`Your first film`}</h2>
        <span className="grow" />
        <span className="t2">{t`${done} of ${steps.length} done`}</span>
        <IconButton
          label={t`Close the guide`}
          title={t`Close the guide, ${hint} opens it again`}
          onClick={() => patch(guide, { isOpen: false })}
        >
          <Icon of={X} />
        </IconButton>
      </div>
      <div className="prog" aria-hidden="true">
        <i style={{ width: `${(100 * done) / steps.length}%` }} />
      </div>
      <div className="scroll">
        {next ? (
          <Steps steps={steps} next={next} shots={board.shots.length} />
        ) : (
          <AfterGuide board={board} guide={guide} />
        )}
      </div>
      <p className={`t2 ${styles.foot}`}>
        <Kbd>{hint}</Kbd> {t`closes the guide and opens it again`}
      </p>
    </Panel>
  );
}

/** A step that ticks is told once to who cannot see it. */
function useAnnounced(next: GuideStep | undefined): void {
  const before = useRef(next?.id);
  useEffect(() => {
    if (before.current !== next?.id) announce(next ? t`Next in the guide: ${next.title}.` : t`The guide is done.`);
    before.current = next?.id;
  }, [next]);
}

interface StepsProps {
  steps: readonly GuideStep[];
  next: GuideStep;
  shots: number;
}

function Steps({ steps, next, shots }: StepsProps) {
  const isPlay = useIsPlay();
  return (
    <>
      <p className={styles.intro}>
        {isPlay
          ? t`${counted(shots, 'shot')}, made on this computer. Change anything: it is a copy, and you pay with test money.`
          : t`${counted(shots, 'shot')}, made on this computer. Change anything: it is a copy. New takes cost real money.`}
      </p>
      <ol>
        {steps.map((step, index) => (
          <Step key={step.id} step={step} number={index + 1} isNext={step.id === next.id} />
        ))}
      </ol>
      <p className={`t2 ${styles.intro}`}>{t`In any order. A step ticks when it is done, however you do it.`}</p>
    </>
  );
}

function Step({ step, number, isNext }: { step: GuideStep; number: number; isNext: boolean }) {
  const toBoard = () => useBoardView.setState({ tab: 'board' });
  return (
    <li aria-current={isNext ? 'step' : undefined} data-state={step.isDone ? 'done' : undefined}>
      <button type="button" onClick={step.go ?? toBoard}>
        {step.isDone ? <Icon of={Check} /> : <span>{number}</span>}
        <span>
          <b>{step.title}</b>
          {step.isDone && <span className="vh">{t`, done`}</span>}
          {isNext && <span className="t2">{step.hint}</span>}
        </span>
      </button>
    </li>
  );
}
