import { useState } from 'react';
import { isBlankShot, type NewShot, type Shot } from '../../../../shared/board.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { Columns, type ImportRow, SkipErrors, whyErrors } from '../../../tableImport/index.ts';
import styles from '../../../tableImport/tableImport.module.css';
import { Button, Field, formatLength, Panel, Section, Select, WhyOff } from '../../../ui/index.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';
import { shotList } from './shotRows.ts';

interface AddPanelProps {
  board: BoardHandle;
  rows: readonly ImportRow[];
  shots: readonly NewShot[];
  /** Set while the rows are those of an earlier text. */
  outdated: string | undefined;
  onAdd: (before: string | undefined) => void;
}

/** The columns of the list, where its shots go, and the one button that adds them. */
export function AddPanel({ board, rows, shots, outdated, onAdd }: AddPanelProps) {
  const [before, setBefore] = useState(AT_END);
  const skipped = shotList.useDraft((draft) => draft.skipped);
  const others = board.shots.filter(({ shot }) => shot !== onlyBlank(board));
  const seconds = shots.reduce((sum, shot) => sum + plannedSeconds(shot), 0);
  const off =
    outdated ?? whyErrors(rows, skipped) ?? (shots.length === 0 ? t`There is no shot to add yet.` : undefined);
  return (
    <Panel label={t`What would be added`} className={styles.side}>
      <div className="bar">
        <h2>{t`What would be added`}</h2>
      </div>
      <div className="scroll">
        <Columns table={shotList} />
        <Section title={t`Where to`}>
          <Field label={t`Place`}>
            <Select
              aria-label={t`Place`}
              options={[
                { value: AT_END, label: others.length === 0 ? t`On the empty board` : t`After the last shot` },
                ...others.map(({ shot, number }) => ({ value: shot.id, label: t`Before shot ${number}` })),
              ]}
              value={before}
              onValue={setBefore}
            />
          </Field>
        </Section>
      </div>
      <div className="sendbar">
        <div className="row between">
          <span className="t2">{t`${counted(shots.length, 'shot')} so far`}</span>
          <span className="num">{formatLength(seconds)}</span>
        </div>
        <Button
          variant="primary"
          off={off}
          onClick={() => onAdd(board.shots.find(({ shot }) => shot.id === before)?.shot.id)}
        >
          {t`Add ${counted(shots.length, 'shot')}`}
        </Button>
        <WhyOff>{off ?? t`Adding costs nothing; nothing is sent.`}</WhyOff>
        <SkipErrors table={shotList} rows={rows} off={outdated} />
      </div>
    </Panel>
  );
}

/** The shot that a new film begins with, as long as nothing is in it: a list takes its place. */
export const onlyBlank = ({ shots: [first, second] }: BoardHandle): Shot | undefined =>
  first && !second && isBlankShot(first.shot) ? first.shot : undefined;

const AT_END = 'end';
