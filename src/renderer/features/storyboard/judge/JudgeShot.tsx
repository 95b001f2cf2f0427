import { t } from '../../../../shared/texts.ts';
import '../player/player.css';
import '../seams/seams.css';
import { useEffect, useState } from 'react';
import { announce, useKeyHint, useShortcut } from '../../../app/index.ts';
import { Button, Section, Toggle } from '../../../ui/index.ts';
import { keptBeside, withAnother } from '../audition/beside.ts';
import { Cells } from '../audition/Cells.tsx';
import { type Candidate, MOST } from '../audition/candidates.ts';
import { matchWords } from '../audition/levels.ts';
import { SyncPlayer } from '../audition/syncPlayer.ts';
import { type Audition, useAudition } from '../audition/useAudition.ts';
import { seedOf, type TakeView } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import { Transport } from '../player/Transport.tsx';
import type { BoardHandle } from '../useBoard.ts';
import { AtJoints } from './AtJoints.tsx';
import type { JudgeGroup } from './groups.ts';
import { IfKept } from './IfKept.tsx';
import { JobCost } from './JobCost.tsx';
import { PromptBeside } from './PromptBeside.tsx';
import { SoFar } from './SoFar.tsx';
import { VerdictBar } from './VerdictBar.tsx';

export interface JudgeGroupProps {
  group: JudgeGroup;
  /** Everything that is new. */
  all: readonly string[];
  nextLabel: string;
  onNext: () => void;
  /** To the group before or after this one. */
  onStep: (by: 1 | -1) => void;
}

interface JudgeShotProps extends JudgeGroupProps {
  board: BoardHandle;
  shot: ShotView;
}

/** The new takes of a shot beside the one that was kept, in step, one of them heard; a key each. */
export function JudgeShot({ board, shot, group, all, nextLabel, onNext, onStep }: JudgeShotProps) {
  const [player] = useState(() => new SyncPlayer());
  useEffect(() => () => player.dispose(), [player]);
  // What was kept as the shot came up stays beside it, also where another one is kept now.
  const [judging] = useState(() => {
    const isNew = new Set(group.ids);
    return { isNew, beside: keptBeside(shot, isNew) };
  });
  const audition = useAudition(board, shot, player, judging);
  const { solo, undo } = audition;
  const beside = shot.takes.find(({ jobId }) => jobId === judging.beside?.jobId);
  const seed = seedOf(solo?.take);
  return (
    <>
      <Stage audition={audition} player={player} shot={shot} beside={beside} group={group} onStep={onStep} />
      <aside className="panel judge-side" aria-label={solo?.words ?? t`Take`} data-panel tabIndex={-1}>
        <div className="bar">
          <h2 className="cut">{capital(solo?.words ?? t`Take`)}</h2>
          <span className="t3 nw">{t`shot ${shot.number}`}</span>
          <span className="grow" />
          {seed !== undefined && <span className="mono t3 nw">{t`seed ${seed}`}</span>}
        </div>
        <div className="scroll">
          {solo && <AboutTake solo={solo} beside={beside} />}
          {solo && <AtJoints board={board} shot={shot} take={playing(solo)} beside={beside} />}
          <IfKept board={board} shot={shot} solo={solo} />
          <SoFar ids={all} />
        </div>
        <VerdictBar
          verdict={solo?.take.job?.verdict}
          onVerdict={audition.judge}
          nextLabel={nextLabel}
          onNext={onNext}
          onUndo={undo}
        />
      </aside>
    </>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The take with the candidate that is looked at. */
const playing = ({ take, clip, index }: Candidate): TakeView => ({ ...take, clip, clipIndex: index });

interface StageProps extends Pick<JudgeGroupProps, 'group' | 'onStep'> {
  audition: Audition;
  player: SyncPlayer;
  shot: ShotView;
  beside: TakeView | undefined;
}

function Stage({ audition, player, shot, beside, group, onStep }: StageProps) {
  const { all, shown, matched, said, isMatched, setMatched } = audition;
  const keys = shown.map(({ key }) => key);
  const others = withAnother(keys, all);
  const bring = () => {
    audition.show(others);
    announce(t`${all.find(({ key }) => key === others.at(-1))?.words} is beside them now`);
  };
  const hint = useKeyHint('judge.older');
  useShortcut('judge.older', bring, others.length > keys.length || others.join() !== keys.join());
  const seconds = Math.max(0, ...shown.map(({ clip }) => clip.seconds ?? shot.seconds));
  const isNew = new Set(group.ids);
  const levels = matchWords(
    matched,
    shown.map(({ words }) => words),
  );
  return (
    <section className="judge-stage aud" aria-label={t`New takes of shot ${shot.number}`} data-panel tabIndex={-1}>
      <Cells
        audition={audition}
        player={player}
        shot={shot}
        start={0}
        keepsFocus
        aboutOf={({ take, clip, index }) => ({
          note: noteOf(take, index, { isNew, beside, active: shot.active }),
          facts: <Facts seconds={clip.seconds} take={take} />,
        })}
      >
        {shown.length < MOST && others.length > keys.length && <NoMore shot={shot} onMore={bring} />}
      </Cells>
      <Transport player={player} total={seconds} onShot={onStep}>
        {shown.length === MOST && others.join() !== keys.join() && (
          <Button variant="ghost" kbd={hint} onClick={bring}>
            {t`Another take`}
          </Button>
        )}
        <Toggle checked={isMatched} onChecked={setMatched}>
          {t`Levels matched`}
        </Toggle>
      </Transport>
      <p className="t3 judge-said" role="status">
        {said ?? (isMatched ? levels : t`In sync. Levels are as they are.`)}
      </p>
    </section>
  );
}

interface Known {
  isNew: ReadonlySet<string>;
  beside: TakeView | undefined;
  active: TakeView | undefined;
}

/** What a take is among those that are shown. */
function noteOf({ jobId, job }: TakeView, index: number, { isNew, beside, active }: Known): string {
  // Of several clips of a take the one that plays is the one that was kept.
  const isOther = jobId === active?.jobId && index !== active.clipIndex;
  if (isNew.has(jobId)) return job?.verdict === 'keep' && !isOther ? t`new, kept` : 'new';
  if (job?.verdict === 'keep') return 'kept';
  if (jobId === active?.jobId) return 'plays';
  return jobId === beside?.jobId ? t`played before` : 'older';
}

function Facts({ seconds, take: { job } }: { seconds: number | undefined; take: TakeView }) {
  return (
    <>
      {seconds !== undefined && `${seconds.toFixed(1)} s`}
      {seconds !== undefined && job && ', '}
      {job && <JobCost job={job} />}
    </>
  );
}

/** The place that is free, and what fills it. */
function NoMore({ shot, onMore }: { shot: ShotView; onMore: () => void }) {
  const hint = useKeyHint('judge.older');
  return (
    <div className="cell none4">
      <div className="media">
        <div className="t2">
          {t`Nothing else is new in shot ${shot.number}.`}
          <br />
          <Button variant="ghost" kbd={hint} onClick={onMore}>
            {t`Bring an older take here`}
          </Button>
        </div>
      </div>
    </div>
  );
}

function AboutTake({ solo, beside }: { solo: Candidate; beside: TakeView | undefined }) {
  const { job, jobId } = solo.take;
  if (!job) return null;
  const other = beside?.job && beside.jobId !== jobId ? promptOf(beside.job.request) : undefined;
  return (
    <Section>
      <PromptBeside
        prompt={promptOf(job.request)}
        other={other === undefined ? undefined : { prompt: other, words: t`take ${beside?.number}` }}
      />
      <p className="t3">
        {job.model} <JobCost job={job} />
      </p>
    </Section>
  );
}

const promptOf = (request: object): string =>
  'prompt' in request && typeof request.prompt === 'string' ? request.prompt : '';
