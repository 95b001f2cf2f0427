import { BROADCAST_LUFS } from '../../../../shared/film/sound/levels.ts';
import { t } from '../../../../shared/text/texts.ts';
import { MoneyPlate } from '../../../app/index.ts';
import { Button, PriceWords, Toggle } from '../../../ui/index.ts';
import { shotsText } from '../link/chains.ts';
import { Redo, SendButton, UseFitting } from '../link/Ripple.tsx';
import { keepAsTheyAre, useChain } from '../link/useChain.ts';
import { plannedSeconds, toggleSkipped } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import { patchFormat, setLoudness } from '../sound/soundEdits.ts';
import type { ViewProps } from '../tabProps.ts';
import { type BoardTabId, selectShot, useBoardView } from '../useBoard.ts';
import type { FindingRow } from './exportView.ts';
import type { ExportPlan } from './plan.ts';
import { closeExport } from './useExports.ts';

interface WaysOutProps {
  plan: ExportPlan;
  row: FindingRow;
}

/** Options for a finding, in place; those that cost money name their price. */
export function WaysOut(props: WaysOutProps) {
  const { code, isOfTrack } = props.row.finding;
  if (code === 'track' || isOfTrack) return <ShowShot view={props.row.view} tab="sound" />;
  if (code === 'missing') return <WaysOfHole {...props} canMake />;
  if (code === 'unavailable') return <WaysOfHole {...props} />;
  if (code === 'stale') return <WaysOfStale {...props} />;
  if (code === 'loudness') return <WaysOfLoudness {...props} />;
  if (code === 'size') return <WaysOfSize {...props} />;
  return <ShowShot view={props.row.view} />;
}

function WaysOfHole({ plan, row: { view }, canMake = false }: WaysOutProps & { canMake?: boolean }) {
  const { board, choices, choose } = plan;
  const { shot, takes } = view;
  const isComing = takes.some(({ job }) => job !== undefined && job.finishedAt === undefined);
  const hold = () => choose({ held: [...choices.held, shot.id] });
  const leaveOut = () => board.sync.edit(toggleSkipped(shot.id));
  return (
    <>
      <Button variant="ghost" onClick={hold}>
        {t`Hold a still, ${plannedSeconds(shot)} s`}
      </Button>
      <Button variant="ghost" onClick={leaveOut}>
        {t`Leave out`}
      </Button>
      {canMake && !isComing ? <MakeNow board={board} view={view} /> : <ShowShot view={view} />}
    </>
  );
}

function MakeNow({ board, view }: ViewProps) {
  const chain = useChain(board, [view]);
  const { price } = chain.now;
  return (
    <>
      {price && <MoneyPlate />}
      <SendButton off={chain.off} onSend={chain.order('').onSend}>
        {t`Make it now`}
        {price && <PriceWords nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />}
      </SendButton>
    </>
  );
}

/** The first outdated shot offers to remake all of them, since they may depend on each other. */
function WaysOfStale({ plan: { board, groups }, row: { view } }: WaysOutProps) {
  const ids = (groups?.know ?? [])
    .filter(({ finding }) => finding.code === 'stale')
    .map(({ finding }) => finding.shotId);
  const stale = board.shots.filter(({ shot, isBeingRedone }) => ids.includes(shot.id) && !isBeingRedone);
  return (
    <>
      <ShowShot view={view} tab="seams" />
      <Button variant="ghost" onClick={() => keepAsTheyAre(board, [view])}>
        {t`Keep as it is`}
      </Button>
      {view.isBeingRedone && <span className="t2">{t`A new take of ${shotsText([view])} is coming.`}</span>}
      {stale[0]?.shot.id === view.shot.id && (
        <>
          <UseFitting board={board} stale={stale} />
          <Redo board={board} shots={stale} />
        </>
      )}
    </>
  );
}

/** For this, only the sound is encoded. */
function WaysOfLoudness({ plan: { board, way, loudness }, row: { view } }: WaysOutProps) {
  const level = (on: boolean) => board.sync.editContent(setLoudness(on ? { target: BROADCAST_LUFS } : { isOff: true }));
  return (
    <>
      <ShowShot view={view} tab="seams" />
      {way !== 'none' && (
        <Toggle checked={loudness !== undefined} onChecked={level}>
          {t`Level the sound, free`}
        </Toggle>
      )}
    </>
  );
}

function WaysOfSize({ plan: { board }, row: { view } }: WaysOutProps) {
  const clip = view.active?.clip;
  const lines = clip?.width && clip.height ? Math.min(clip.width, clip.height) : undefined;
  const resolution = lines === 720 ? '720p' : lines === 1_080 ? '1080p' : undefined;
  return (
    <>
      <ShowShot view={view} />
      {resolution && (
        <Button variant="ghost" onClick={() => board.sync.editContent(patchFormat({ resolution }))}>
          {t`Film in ${resolution}`}
        </Button>
      )}
    </>
  );
}

function ShowShot({ view, tab = 'board' }: { view: ShotView; tab?: BoardTabId }) {
  const show = () => {
    selectShot(view.shot.id);
    useBoardView.setState({ tab });
    closeExport();
  };
  return (
    <Button variant="ghost" onClick={show}>
      {t`Show`}
    </Button>
  );
}
