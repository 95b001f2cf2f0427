import type { NightReport } from '../../../../shared/night.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import '../audition/audition.css';
import './judge.css';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import {
  navigate,
  useCall,
  useEntities,
  useIsOnControl,
  useKeyHint,
  usePlace,
  useProjectId,
  useRoute,
  useShortcut,
} from '../../../app/index.ts';
import { Button, CallError, EmptyState, formatCount, Icon, LoadingBars, ProgressBar, rich } from '../../../ui/index.ts';
import { keptBeside } from '../audition/beside.ts';
import { Ripple } from '../joint/Ripple.tsx';
import { type BoardHandle, useBoard } from '../useBoard.ts';
import { groupsToJudge, type JudgeGroup, madeIn, moreToJudge, withFirst } from './groups.ts';
import { JudgePictures } from './JudgePictures.tsx';
import { JudgeShot } from './JudgeShot.tsx';
import { JudgeStrip } from './JudgeStrip.tsx';

/**
 * `#/queue/night?run=ID&state=judge`: the new takes of a night shot by shot, each beside what is kept; then what belongs to no shot.
 * `&first=ID,ID` begins with the shots of these jobs.
 */
export function JudgePage() {
  const runId = useRoute().params.get('run') ?? undefined;
  const projectId = useProjectId();
  const report = useCall('night.report', runId === undefined ? {} : { runId }, { on: ['night.changed'] });
  const listed = useListed(report.data);
  const back = () => navigate('queue', runId === undefined ? {} : { run: runId }, 'night');
  usePlace('judge');
  useShortcut('page.leave', back);
  const hint = useKeyHint('page.leave');
  const title = report.data ? t`Judge night ${report.data.run.number}` : t`Judge the new takes`;
  const bar = (about?: string) => (
    <div className="bar judge-bar">
      <Button variant="ghost" kbd={hint} onClick={back}>
        <Icon of={ChevronLeft} />
        {t`Report`}
      </Button>
      <h1 className="nw">{title}</h1>
      <span className="t3 cut">{about}</span>
      <span className="grow" />
      {report.data && <Judged ids={listed.ids} of={report.data.made} />}
    </div>
  );
  return (
    <main className="page judgep">
      {report.data ? (
        <Judging ids={listed.ids} more={listed.more} projectId={projectId} bar={bar} onReport={back} />
      ) : (
        <>
          {bar()}
          {report.error ? (
            <CallError error={report.error} onRetry={report.reload} />
          ) : (
            <LoadingBars rows={6} label={t`Reading the new takes`} />
          )}
        </>
      )}
    </main>
  );
}

interface Listed {
  ids: readonly string[];
  more: number;
}

/** The takes to judge. Which ones the report of a long night lists changes with each verdict, so those of its first reading stay. */
function useListed(report: NightReport | undefined): Listed {
  const [first, setFirst] = useState<{ runId: string; listed: Listed }>();
  if (!report) return { ids: [], more: 0 };
  if (first?.runId === report.run.id) return first.listed;
  const listed = { ids: madeIn(report), more: moreToJudge(report) };
  if (listed.ids.length < report.made) setFirst({ runId: report.run.id, listed });
  return listed;
}

function Judged({ ids, of }: { ids: readonly string[]; of: number }) {
  const jobs = useEntities((state) => state.jobs);
  const judged = ids.filter((id) => jobs.get(id)?.verdict !== undefined).length;
  return (
    <>
      <span className="t2" role="status">
        {rich`${judged} of ${ids.length} judged${of > ids.length && t`, of ${formatCount(of)} made`}`}
      </span>
      <span className="judge-done">
        <ProgressBar percent={ids.length === 0 ? 0 : (judged / ids.length) * 100} label={t`Judged`} />
      </span>
    </>
  );
}

interface JudgingProps {
  ids: readonly string[];
  /** How many more of this night wait for a verdict. */
  more: number;
  onReport: () => void;
  /** The bar of the page, with what is judged now. */
  bar: (about?: string) => ReactNode;
}

function Judging({ projectId, ...props }: JudgingProps & { projectId: string | undefined }) {
  return projectId === undefined ? (
    <InGroups {...props} board={undefined} />
  ) : (
    <OnBoard {...props} projectId={projectId} />
  );
}

function OnBoard({ projectId, ...props }: JudgingProps & { projectId: string }) {
  const board = useBoard(projectId);
  if (board.board) return <InGroups {...props} board={board} />;
  return (
    <>
      {props.bar()}
      <LoadingBars rows={6} label={t`Reading the board`} />
    </>
  );
}

function InGroups({ ids, more, onReport, bar, board }: JudgingProps & { board: BoardHandle | undefined }) {
  const first = useRoute().params.get('first') ?? '';
  const groups = withFirst(groupsToJudge(ids, board?.shots ?? []), new Set(first.split(',')));
  const [at, setAt] = useState(0);
  const isOnControl = useIsOnControl();
  const index = Math.min(at, groups.length);
  const group = groups[index];
  const next = () => setAt(Math.min(groups.length, index + 1));
  useShortcut('judge.next', next, !isOnControl);
  // The keys of judging are heard at once, whatever was pressed before.
  useEffect(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }, []);
  if (ids.length === 0)
    return (
      <>
        {bar()}
        <EmptyState title={t`Nothing to judge`}>
          {t`No take of this night was made, or all of them are still under way.`}
        </EmptyState>
      </>
    );
  const following = groups[index + 1];
  const shown = {
    all: ids,
    nextLabel: following ? t`Next: ${following.title.toLowerCase()}` : t`To the end`,
    onNext: next,
    onStep: (by: 1 | -1) => setAt(Math.min(groups.length, Math.max(0, index + by))),
  };
  return (
    <>
      {bar(group && aboutOf(group))}
      {group === undefined ? (
        <End board={board} ids={ids} more={more} onReport={onReport} />
      ) : group.shot && board ? (
        <JudgeShot key={group.key} {...shown} group={group} board={board} shot={group.shot} />
      ) : (
        <JudgePictures key={group.key} {...shown} group={group} />
      )}
      <JudgeStrip groups={groups} at={index} onGroup={setAt} />
    </>
  );
}

/** `shot 3, 2 new beside the kept one`. */
function aboutOf({ title, ids, shot }: JudgeGroup): string {
  const beside = shot && keptBeside(shot, new Set(ids)) ? t` beside what was there` : '';
  return t`${title.toLowerCase()}: ${ids.length} new${beside}`;
}

/** After the last: what no longer fits together, with its price, to be made again now or tonight. */
function End({ board, ids, more, onReport }: Omit<JudgingProps, 'bar'> & { board: BoardHandle | undefined }) {
  const left = useEntities(({ jobs }) => ids.filter((id) => jobs.get(id)?.verdict === undefined).length);
  const title = more > 0 ? t`These shots are through` : t`All shots are through`;
  return (
    <section className="judge-end" aria-label={t`After judging`} data-panel tabIndex={-1}>
      <EmptyState title={title} action={more > 0 && <Button onClick={onReport}>{t`To the report`}</Button>}>
        {board?.shots.some(({ state }) => state.isStale)
          ? t`What you kept changes what follows from it. It can be made again now or tonight.`
          : t`Nothing that plays has become stale by what you kept.`}{' '}
        {left > 0 && t`${formatCount(left)} without a verdict: they stay new, and can be judged later.`}{' '}
        {more > 0 &&
          t`${counted(more, 'more take')} of this night ${inflected(more, 'waits', 'wait')} for a verdict: judge again from its report.`}
      </EmptyState>
      {board && <Ripple board={board} isMain />}
    </section>
  );
}
