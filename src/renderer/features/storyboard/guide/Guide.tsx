import { Check, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { GuideSeen, GuideSettings } from '../../../../shared/settings.ts';
import { counted, t } from '../../../../shared/texts.ts';
import {
  announce,
  saveSettings,
  useCall,
  useIsPlay,
  useKeyHint,
  useNow,
  useShortcut,
  useStudio,
} from '../../../app/index.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { Button, formatSpan, Icon, IconButton, Kbd, Panel } from '../../../ui/index.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import { type BoardHandle, selectShot, useBoardView } from '../useBoard.ts';
import { AfterGuide } from './AfterGuide.tsx';
import { GuideMark } from './GuideMark.tsx';
import styles from './guide.module.css';
import { type GuideStep, guideSteps } from './steps.ts';

interface GuideProps {
  board: BoardHandle;
  player: ClipPlayer | undefined;
}

/** The guide of the sample film, on the real board: it opens and closes at will, and locks nothing. */
export function Guide({ board, player }: GuideProps) {
  const projectId = board.board?.projectId;
  const guide = useStudio(({ settings }) => settings?.guide);
  const isHere = guide !== undefined && guide.projectId === projectId;
  useShortcut('board.guide', () => guide && patch(guide, { isOpen: !guide.isOpen }), isHere);
  if (!isHere) return null;
  return guide.isOpen ? <OpenGuide board={board} player={player} guide={guide} /> : null;
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
  const [pointed, setPointed] = useState<GuideStep['id']>();
  const [skipped, setSkipped] = useState<readonly GuideStep['id'][]>([]);
  const now = steps.find(({ id, isDone }) => !isDone && !skipped.includes(id)) ?? next;
  useEffect(() => {
    if (next === undefined && guide.doneAt === undefined) patch(guide, { doneAt: Date.now() });
  }, [next, guide]);
  const hint = useKeyHint('board.guide');
  const show = (step: GuideStep) => {
    const target = step.shot === undefined ? undefined : board.shots[step.shot - 1];
    if (target) selectShot(target.shot.id);
    useBoardView.setState({ tab: step.shot === undefined ? 'board' : 'shot' });
    setPointed(step.id);
  };
  return (
    <Panel label={t`First film, a guide`} side="left" className={styles.guide}>
      <div className="bar">
        <h2>{t`Your first film`}</h2>
        <span className="grow" />
        <IconButton label={t`Close the guide`} onClick={() => patch(guide, { isOpen: false })}>
          <Icon of={X} />
        </IconButton>
      </div>
      <div className="scroll">
        {now ? (
          <Steps steps={steps} now={now} shots={board.shots.length} startedAt={guide.startedAt}>
            <Button className="grow" onClick={() => show(now)}>
              {t`Show me where`}
            </Button>
            <Button variant="ghost" onClick={() => setSkipped([...skipped, now.id])}>
              {t`Skip it`}
            </Button>
          </Steps>
        ) : (
          <AfterGuide board={board} guide={guide} />
        )}
      </div>
      <p className={`${styles.gfoot} t3`}>
        <Kbd>{hint}</Kbd> {t`opens this again`}
      </p>
      {now && pointed === now.id && (
        <GuideMark step={now} number={steps.indexOf(now) + 1} onClose={() => setPointed(undefined)} />
      )}
      <Announced now={now} />
    </Panel>
  );
}

/** A step that ticks is told once to who cannot see it. */
function Announced({ now }: { now: GuideStep | undefined }) {
  const before = useRef(now?.id);
  useEffect(() => {
    if (before.current !== now?.id) announce(now ? t`Next in the guide: ${now.title}.` : t`The guide is done.`);
    before.current = now?.id;
  }, [now]);
  return null;
}

interface StepsProps {
  steps: readonly GuideStep[];
  now: GuideStep;
  shots: number;
  startedAt: number;
  children: React.ReactNode;
}

function Steps({ steps, now, shots, startedAt, children }: StepsProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const isPlay = useIsPlay();
  const clock = useNow();
  return (
    <>
      <div className="sec">
        <p>
          {t`${counted(shots, 'shot')}, made on this machine. Touch anything: it is a copy${isPlay ? t`, and nothing costs money here.` : t`. Takes you make now go to your gateway, at the price shown.`}`}
        </p>
        <div className={`row between ${styles.gDone}`}>
          <span className="t2">{t`${done} of ${steps.length} done`}</span>
          <span className="t3">{formatSpan(Math.max(0, clock - startedAt))}</span>
        </div>
        <div className="prog" aria-hidden="true">
          <i style={{ width: `${(100 * done) / steps.length}%` }} />
        </div>
      </div>
      <ol>
        {steps.map((step, index) => (
          <Step key={step.id} step={step} number={index + 1} isNow={step.id === now.id} />
        ))}
      </ol>
      <div className={`sec ${styles.gFoot}`}>
        <p className="t3">{t`In any order. A step ticks when it is done, however you do it.`}</p>
        <div className="row">{children}</div>
      </div>
    </>
  );
}

function Step({ step, number, isNow }: { step: GuideStep; number: number; isNow: boolean }) {
  return (
    <li
      className={`${styles.gs} ${step.isDone ? styles.done : ''} ${isNow ? styles.now : ''}`}
      {...(isNow ? { 'aria-current': 'step' as const } : {})}
    >
      <span className={styles.gsn}>{step.isDone ? <Icon of={Check} /> : <b>{number}</b>}</span>
      <span className="grow">
        <b>{step.title}</b>
        {step.isDone && <span className="vh">{t`, done`}</span>}
        {isNow && <span className="t2">{step.hint}</span>}
      </span>
      {!step.isDone && <span className="t3">{step.time}</span>}
    </li>
  );
}
