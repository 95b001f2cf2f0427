import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Finding } from '../../../../shared/film/filmExport.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Button, CheckGlyph, FindingGlyph, Icon, TextAction, Thumb } from '../../../ui/index.ts';
import { toggleSkipped } from '../model/shots.ts';
import styles from './export.module.css';
import { type FindingRow, outcomeOf } from './exportView.ts';
import type { ExportPlan } from './plan.ts';
import { WaysOut } from './WaysOut.tsx';

/** Problems, notes and decisions, each with its options. */
export function FilmFindings({ plan }: { plan: ExportPlan }) {
  const { board, groups, choices, choose } = plan;
  if (!groups) return null;
  const { stops, know, decided } = groups;
  const leftOut = board.shots.filter(({ shot }) => shot.skipped);
  const accept = () => choose({ accepted: [...choices.accepted, ...know.map(({ key }) => key)] });
  const row = (one: FindingRow) => (
    <Row key={one.key} of={one} mark={<MarkGlyph of={one.finding.level} />}>
      <WaysOut plan={plan} row={one} />
    </Row>
  );
  return (
    <>
      <Group title={t`Problems`} count={stops.length}>
        {stops.map(row)}
      </Group>
      <Group
        title={t`Notes`}
        count={know.length}
        end={know.length > 1 && <TextAction onClick={accept}>{t`Accept all ${know.length}`}</TextAction>}
      >
        {know.map(row)}
      </Group>
      <Group title={t`Decided`} count={decided.length + leftOut.length}>
        {decided.map((one) => (
          <Decided key={one.key} plan={plan} row={one} />
        ))}
        {leftOut.map((view) => (
          <Row key={view.shot.id} of={{ view, title: t`Shot ${view.number} is left out`, detail: '' }}>
            <Button variant="ghost" onClick={() => board.sync.edit(toggleSkipped(view.shot.id))}>
              {t`Restore`}
            </Button>
          </Row>
        ))}
      </Group>
    </>
  );
}

/** A problem or a note. Neutral in hue, since neither is a failure. */
export const MarkGlyph = ({ of }: { of: Finding['level'] }) =>
  of === 'stop' ? <FindingGlyph of="stop" /> : <Icon of={Info} />;

/** The notes and decisions at the start of the export, shown while it runs and after. */
export function DecidedBefore({ rows, loudness }: { rows: readonly FindingRow[]; loudness: number | undefined }) {
  return (
    <Group title={t`Decided`} count={rows.length}>
      {rows.map((row) => (
        <Row key={row.key} of={row}>
          <span className="t2">{outcomeOf(row.finding, loudness)}</span>
        </Row>
      ))}
    </Group>
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

interface RowProps {
  of: Pick<FindingRow, 'view' | 'title' | 'detail'>;
  mark?: ReactNode;
  children: ReactNode;
}

function Row({ of: { view, title, detail }, mark = <CheckGlyph />, children }: RowProps) {
  return (
    <li className={`row ${styles.xRow}`}>
      {mark}
      <Thumb asset={view.active?.clip} />
      <span className="col grow">
        <span>{title}</span>
        <span className="t2">{detail}</span>
      </span>
      <span className="row wrap end">{children}</span>
    </li>
  );
}

/** The decision about a shot, and how to revert it. */
function Decided({ plan: { choices, choose, loudness }, row }: { plan: ExportPlan; row: FindingRow }) {
  const back = () =>
    row.finding.level === 'stop'
      ? choose({ held: choices.held.filter((id) => id !== row.finding.shotId) })
      : choose({ accepted: choices.accepted.filter((key) => key !== row.key) });
  return (
    <Row of={row}>
      <span className="t2">{outcomeOf(row.finding, loudness)}</span>
      <Button variant="ghost" onClick={back}>
        {t`Decide again`}
      </Button>
    </Row>
  );
}
