import { ChevronLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Export, Preflight } from '../../../../shared/film/filmExport.ts';
import { counted, plural, t } from '../../../../shared/text/texts.ts';
import { announce, focusOnArrival, useCall, useKeyHint, useProject, useShortcut } from '../../../app/index.ts';
import { Button, FindingGlyph, Icon, Reading, TableHead, TakeNumber } from '../../../ui/index.ts';
import { FilmLength } from '../FilmLength.tsx';
import type { ShotView } from '../model/view.ts';
import { FilmShots } from '../player/FilmStrip.tsx';
import playerStyles from '../player/player.module.css';
import type { BoardHandle } from '../useBoard.ts';
import { ExportPanel } from './ExportPanel.tsx';
import styles from './export.module.css';
import { type FindingGroups, type StreamField, type StreamRow, streamRows, unmeasured } from './exportView.ts';
import { DecidedBefore, FilmFindings, MarkGlyph } from './FilmFindings.tsx';
import { type ExportPlan, rememberSpeed, useExportPlan } from './plan.ts';
import { EndedPanel, RunningPanel } from './ShownExport.tsx';
import { closeExport, showExport, useExports, useExportsView } from './useExports.ts';
import { useStart } from './useStart.ts';

const CHANGES = ['board.changed', 'job.changed', 'asset.changed', 'media.measured'] as const;

/** Notes on the film before it is exported, and the export itself. */
export function ExportPage({ board, projectId }: { board: BoardHandle; projectId: string }) {
  const read = useCall('film.preflight', { projectId }, { on: CHANGES });
  const plan = useExportPlan(board, projectId, read.data);
  const { groups, preflight } = plan;
  const start = useStart(plan);
  const { exports, shown } = useExports(projectId);
  const isRunning = shown?.state === 'running';
  useShortcut('page.leave', closeExport, !isRunning);
  useShortcut('board.export', closeExport);
  useSpeed(plan, exports);
  useSpokenCounts(groups);
  const main = useRef<HTMLElement>(null);
  useEffect(() => focusOnArrival(main.current), []);
  const leave = () => showExport(projectId, null);
  const started = useExportsView((view) => (shown ? view.started[shown.id] : undefined));
  return (
    <>
      <FilmLength board={board} />
      <section className={`col ${styles.main}`} aria-label={t`Preflight`} data-panel tabIndex={-1} ref={main}>
        <PreflightBar hasChecks={!shown && groups !== undefined} isRunning={isRunning} onCheck={read.reload} />
        <FilmGlance shots={board.shots} groups={groups} />
        <div className="scroll">
          <Reading of={{ ...read, data: undefined }} rows={5} />
          {shown && started ? (
            <DecidedBefore rows={started.decided} loudness={started.loudness} />
          ) : (
            <FilmFindings plan={plan} />
          )}
          <Streams preflight={preflight} shots={board.shots} />
        </div>
      </section>
      {shown && isRunning && <RunningPanel key={shown.id} one={shown} onLeave={leave} />}
      {shown && !isRunning && <EndedPanel board={board} one={shown} onLeave={leave} />}
      {!shown && <ExportPanel plan={plan} exports={exports} start={start} />}
    </>
  );
}

interface PreflightBarProps {
  hasChecks: boolean;
  isRunning: boolean;
  onCheck: () => void;
}

function PreflightBar({ hasChecks, isRunning, onCheck }: PreflightBarProps) {
  const leave = useKeyHint('page.leave');
  return (
    <div className="bar">
      <Button variant="ghost" onClick={closeExport} kbd={isRunning ? undefined : leave}>
        <Icon of={ChevronLeft} />
        {t`Board`}
      </Button>
      <h1>{t`Preflight`}</h1>
      <span className="t3 cut">{useProject()?.name}</span>
      <span className="grow" />
      {hasChecks && (
        <Button variant="ghost" onClick={onCheck}>
          {t`Check again`}
        </Button>
      )}
    </div>
  );
}

/** Announces the counts when they change. */
function useSpokenCounts(groups: FindingGroups | undefined): void {
  const stops = groups?.stops.length ?? 0;
  const words = groups && t`${plural(stops, 'problem')}, ${plural(groups.know.length, 'note')}`;
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (words !== undefined && before.current !== words) announce(words);
    before.current = words;
  }, [words]);
}

/** Measures this machine's speed on films whose export was seen to end. */
function useSpeed({ sizes }: ExportPlan, exports: readonly Export[]): void {
  const started = useExportsView((view) => view.started);
  const known = useRef(new Set<string>());
  useEffect(() => {
    for (const one of exports) {
      if (one.state === 'running') known.current.add(one.id);
      else if (known.current.delete(one.id) && started[one.id]) rememberSpeed(one, sizes);
    }
  });
}

/** The film to scale, at a glance: shots that are missing, outdated or have a note. */
function FilmGlance({ shots, groups }: { shots: readonly ShotView[]; groups: FindingGroups | undefined }) {
  const markOf = ({ shot }: ShotView) => {
    const found = [...(groups?.stops ?? []), ...(groups?.know ?? [])].find(({ finding }) => finding.shotId === shot.id);
    return found && <MarkGlyph of={found.finding.level} />;
  };
  return (
    <div className={`${playerStyles.ruler} ${styles.ruler}`}>
      <FilmShots shots={shots} markOf={markOf} />
    </div>
  );
}

const COLUMNS: readonly [StreamField, string][] = [
  ['picture', t`Picture`],
  ['rate', t`Rate`],
  ['coding', t`Codec`],
  ['sound', t`Sound`],
  ['loudness', t`Loudness`],
];

/** The streams of each selected take. Differing cells are why a film must be encoded. */
function Streams({ preflight, shots }: { preflight: Preflight; shots: readonly ShotView[] }) {
  const rows = streamRows(preflight, shots);
  const open = unmeasured(preflight.streams);
  if (rows.length === 0) return null;
  return (
    <>
      <div className="grp">
        <h2 id="x-streams">{t`Formats`}</h2>
        <span className="grow" />
        {open > 0 && <span className="t3">{t`${counted(open, 'take')} still being measured`}</span>}
      </div>
      <table className={`tbl ${styles.streams}`} aria-labelledby="x-streams">
        <TableHead heads={[t`Shot`, t`Take`, ...COLUMNS.map(([, label]) => [label, 'r'] as const)]} />
        <tbody>
          {rows.map((row) => (
            <StreamLine key={row.view.shot.id} row={row} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function StreamLine({ row: { view, stream, words, odd } }: { row: StreamRow }) {
  const { active } = view;
  return (
    <tr>
      <td className="b">{view.number}</td>
      <td>
        <TakeNumber number={active?.number ?? 1} verdict={active?.job?.verdict} />
      </td>
      {COLUMNS.map(([field]) => (
        <td key={field} className={odd.has(field) ? `r num ${styles.odd}` : 'r num'}>
          {odd.has(field) && <FindingGlyph of="step" />}
          {odd.has(field) && <span className="vh">{t`Differs`} </span>}
          {field === 'picture' && stream.isTrimmed && <span>{t`Trimmed`}, </span>}
          {words[field] ?? <span className="t3">–</span>}
        </td>
      ))}
    </tr>
  );
}
