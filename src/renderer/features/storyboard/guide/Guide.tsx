import { Check, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { GuideSeen, GuideSettings } from '../../../../shared/contract/settings.ts';
import { isPlayMoney } from '../../../../shared/gateway/profile.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import {
  announce,
  navigate,
  newFilm,
  saveSettings,
  useAction,
  useCall,
  useIsPlay,
  useKeyHint,
  useOneAtATime,
  useShortcut,
  useStudio,
} from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { Icon, IconButton, Panel, PriceTag, ProgressBar, Refusal } from '../../../ui/index.ts';
import { openExport } from '../export/useExports.ts';
import { quantityOfShot } from '../model/draft.ts';
import type { ShotView } from '../model/view.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import { type BoardHandle, selectShot, useBoardView } from '../useBoard.ts';
import styles from './guide.module.css';

interface GuideProps {
  board: BoardHandle;
  player: ClipPlayer | undefined;
}

/** The guide of the sample film, beside the real board: opens and closes freely, and blocks nothing. */
export function Guide({ board, player }: GuideProps) {
  const guide = useStudio(({ settings }) => settings?.guide);
  const isHere = guide !== undefined && guide.projectId === board.board?.projectId;
  useShortcut('board.guide', () => guide && patch(guide, { isOpen: !guide.isOpen }), isHere);
  return isHere && guide.isOpen ? <OpenGuide board={board} player={player} guide={guide} /> : null;
}

const patch = (guide: GuideSettings, change: Partial<GuideSettings>): void =>
  void saveSettings({ guide: { ...guide, ...change } });

/** Records steps that only the page can observe. */
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

/** Whether the film was exported, from anywhere. */
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
        <IconButton label={t`Close the guide`} tip={hint} onClick={() => patch(guide, { isOpen: false })}>
          <Icon of={X} />
        </IconButton>
      </div>
      <ProgressBar percent={(100 * done) / steps.length} />
      <div className="scroll">
        {next ? <Steps steps={steps} next={next} /> : <AfterGuide board={board} guide={guide} />}
      </div>
    </Panel>
  );
}

/** Announces a completed step once to screen readers. */
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
}

function Steps({ steps, next }: StepsProps) {
  const isPlay = useIsPlay();
  return (
    <>
      <p className={styles.intro}>
        {isPlay
          ? t`This is a copy: change anything. You pay with test money.`
          : t`This is a copy: change anything. New takes cost real money.`}
      </p>
      <ol>
        {steps.map((step, index) => (
          <Step key={step.id} step={step} number={index + 1} isNext={step.id === next.id} />
        ))}
      </ol>
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
          {step.isDone && <span className="vh"> {t`Done`}</span>}
          {isNext && <span className="t2">{step.hint}</span>}
        </span>
      </button>
    </li>
  );
}

/** The steps of the first film. Each reads the film itself, so it completes however it was done. */
interface GuideStep {
  id: 'play' | 'look' | 'rate' | 'fix' | 'make' | 'export';
  title: string;
  hint: string;
  isDone: boolean;
  /** Goes to the place of the step; the first one is done on the board itself. */
  go?: () => void;
}

/** Leaves out steps whose shot was removed. */
function guideSteps(shots: readonly ShotView[], seen: readonly GuideSeen[]): GuideStep[] {
  const [third, fourth, fifth] = [shots[2], shots[3], shots[4]];
  const select = ({ shot }: ShotView) => ({ go: () => selectShot(shot.id) });
  const steps: (GuideStep | undefined)[] = [
    {
      id: 'play',
      title: t`Play the film`,
      hint: t`Every shot, with its selected take.`,
      isDone: seen.includes('played'),
    },
    third && {
      id: 'look',
      title: t`Look at the takes of shot 3`,
      hint: t`One take is black for half its length.`,
      isDone: seen.includes('looked'),
      ...select(third),
    },
    third && {
      id: 'rate',
      title: t`Rate the takes of shot 3`,
      hint: t`Keep the better one. The quality check explains the other.`,
      isDone: third.takes.some(({ job }) => job?.verdict === 'keep'),
      go: () => navigate('review', { shot: third.shot.id }),
    },
    fourth && {
      id: 'fix',
      title: t`Fix the link from shot 3 to 4`,
      hint: t`Shot 4 continues from an old take. Make it again.`,
      isDone: fourth.link?.isStale === false,
      ...select(fourth),
    },
    fifth && {
      id: 'make',
      title: t`Change the prompt of shot 5, make a take`,
      hint: t`The price is beside the button.`,
      isDone: fifth.takes.filter(({ job }) => job && !['failed', 'canceled'].includes(job.state)).length > 1,
      ...select(fifth),
    },
    {
      id: 'export',
      title: t`Export film`,
      hint: t`One MP4 on this computer, free.`,
      isDone: seen.includes('exported'),
      go: openExport,
    },
  ];
  return steps.filter((step) => step !== undefined);
}

interface AfterGuideProps {
  board: BoardHandle;
  guide: GuideSettings;
}

/** The outcome of the guide, its price in real money, and three next steps. */
export function AfterGuide({ board, guide }: AfterGuideProps) {
  const { refusal, run } = useAction();
  const keep = async () => {
    const answer = await run(call('projects.rename', { id: guide.projectId, name: t`My film` }));
    if (answer.ok) await saveSettings({ guide: { ...guide, isOpen: false } });
  };
  const empty = useOneAtATime(newFilm);
  return (
    <div className={`sec ${styles.ways}`}>
      <Figures board={board} />
      <div className="ways">
        <Way label={t`Keep it as my film`} onChoose={() => void keep()} />
        <Way label={t`Start an empty film`} onChoose={() => void empty()} />
        <Way label={t`Connect a gateway`} onChoose={() => navigate('settings', { section: 'profiles' })}>
          <RealPrice board={board} />
        </Way>
      </div>
      <Refusal text={refusal} />
    </div>
  );
}

function Figures({ board: { shots } }: { board: BoardHandle }) {
  const jobs = shots.flatMap(({ takes }) => takes.flatMap(({ job }) => job ?? []));
  const charged = jobs.reduce((sum, { profileId, money }) => sum + (isPlayMoney(profileId) ? 0 : money.chargedNano), 0);
  const figures: [string, string][] = [
    [t`Takes`, `${jobs.filter(({ state }) => state === 'succeeded').length}`],
    [t`Kept`, `${jobs.filter(({ verdict }) => verdict === 'keep').length}`],
    [t`Real money`, formatNano(charged)],
  ];
  return (
    <dl className="figs">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

interface WayProps {
  label: string;
  onChoose: () => void;
  children?: React.ReactNode;
}

const Way = ({ label, onChoose, children }: WayProps) => (
  <div className="way">
    <button type="button" className="way-do" onClick={onChoose}>
      {label}
    </button>
    {children && <span className="t2">{children}</span>}
  </div>
);

/** The price of the whole film, one take per shot: at the user's own gateway, otherwise at the sandbox's prices. */
function RealPrice({ board }: { board: BoardHandle }) {
  const profile = useStudio(({ profiles }) => profiles.find(({ builtin }) => !builtin) ?? profiles[0]);
  const quantities = board.shots.flatMap(({ shot }) => quantityOfShot(shot) ?? []);
  const { data } = useCall(
    'ledger.estimate',
    profile && quantities.length > 0 ? { quantities, profileId: profile.id } : null,
  );
  if (!profile || !data || data.unpriced > 0)
    return <>{t`The same film with real models, at the prices of your gateway.`}</>;
  return (
    <>
      {t`At ${profile.name}, one take of each shot would cost:`}{' '}
      <PriceTag nano={data.estimateNano} lowNano={data.lowNano} unpriced={data.unpriced} />
    </>
  );
}
