import type { ReactNode } from 'react';
import { t } from '../../../../shared/texts.ts';
import { Button, CheckGlyph, TextAction, Thumb } from '../../../ui/index.ts';
import { toggleSkipped } from '../model/shots.ts';
import seamsStyles from '../seams/seams.module.css';
import exportStyles from './export.module.css';
import type { FilmFindingsProps } from './exportProps.ts';
import { type FindingRow, outcomeOf } from './exportView.ts';
import { type Mark, MarkGlyph } from './Marks.tsx';
import { WaysOut } from './WaysOut.tsx';

/** What stops the export, what is to be known and what was decided, each with its ways out. */
export function FilmFindings(props: FilmFindingsProps) {
  const { board, groups, choices, choose } = props;
  const { stops, know, decided, fine } = groups;
  const leftOut = board.shots.filter(({ shot }) => shot.skipped);
  const accept = () => choose({ accepted: [...choices.accepted, ...know.map(({ key }) => key)] });
  const row = (mark: Mark) => (one: FindingRow) => (
    <Row key={one.key} of={one} mark={<MarkGlyph of={mark} />}>
      <WaysOut {...props} row={one} />
    </Row>
  );
  return (
    <>
      <Group title={t`Stops the export`} count={stops.length}>
        {stops.map(row('stop'))}
      </Group>
      <Group
        title={t`To know`}
        count={know.length}
        end={know.length > 1 && <TextAction onClick={accept}>{t`Accept all ${know.length}`}</TextAction>}
      >
        {know.map(row('know'))}
      </Group>
      <Group title={t`Decided`} count={decided.length + leftOut.length}>
        {decided.map((one) => (
          <Decided key={one.key} {...props} row={one} />
        ))}
        {leftOut.map((view) => (
          <li key={view.shot.id} className={exportStyles.xRow}>
            <CheckGlyph />
            <Thumb asset={view.active?.clip} />
            <span className={exportStyles.xWords}>
              <b>{t`Shot ${view.number} is left out`}</b>
              <span className="t2">{t`It stays on the board.`}</span>
            </span>
            <span className={exportStyles.xWays}>
              <Button variant="ghost" onClick={() => board.sync.edit(toggleSkipped(view.shot.id))}>
                {t`Put it back`}
              </Button>
            </span>
          </li>
        ))}
      </Group>
      {fine.length > 0 && (
        <>
          <h2 className="grp">
            {t`Fine`} <span className="t3">{fine.length}</span>
          </h2>
          <ul className={exportStyles.fine}>
            {fine.map((words) => (
              <li key={words} className={seamsStyles.find1}>
                <CheckGlyph />
                {words}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface GroupProps {
  title: string;
  count: number;
  end?: ReactNode;
  children: ReactNode;
}

function Group({ title, count, end, children }: GroupProps) {
  if (count === 0) return null;
  return (
    <>
      <div className="grp">
        <h2>{title}</h2> <span className="t3">{count}</span>
        <span className="grow" />
        {end}
      </div>
      <ul>{children}</ul>
    </>
  );
}

function Row({
  of: { view, title, detail },
  mark,
  children,
}: {
  of: FindingRow;
  mark: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={exportStyles.xRow}>
      {mark}
      <Thumb asset={view.active?.clip} />
      <span className={exportStyles.xWords}>
        <b>{title}</b>
        <span className="t2">{detail}</span>
      </span>
      <span className={exportStyles.xWays}>{children}</span>
    </li>
  );
}

/** What was chosen for a shot, with the way back. */
function Decided({ row, choices, choose, loudness }: FilmFindingsProps & { row: FindingRow }) {
  const isStop = row.finding.level === 'stop';
  const back = () =>
    isStop
      ? choose({ held: choices.held.filter((id) => id !== row.finding.shotId) })
      : choose({ accepted: choices.accepted.filter((key) => key !== row.key) });
  return (
    <Row of={row} mark={<CheckGlyph />}>
      <span className="t2">{outcomeOf(row.finding, loudness)}</span>
      <Button variant="ghost" onClick={back}>
        {t`Decide again`}
      </Button>
    </Row>
  );
}
