import { useState } from 'react';
import { MAX_CALL_TEXT } from '../../../../shared/callParts.ts';
import type { ShotListRow } from '../../../../shared/shotList.ts';
import { counted, formatLocale, inflected, t } from '../../../../shared/texts.ts';
import { Button, Field, formatLength, Panel, Section, Segmented, Select, TextArea, WhyOff } from '../../../ui/index.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';
import { useListDraft, writeList } from './useListDraft.ts';

interface AddPanelProps {
  board: BoardHandle;
  rows: readonly ShotListRow[];
  /** Set while the rows are those of an earlier text. */
  outdated: string | undefined;
  onAdd: (before: string | undefined) => void;
  onLeaveOut: () => void;
}

/** The text of the list, where its shots go, and the one button that adds them. */
export function AddPanel({ board, rows, outdated, onAdd, onLeaveOut }: AddPanelProps) {
  const [before, setBefore] = useState(AT_END);
  const shots = rows.flatMap(({ shot }) => shot ?? []);
  const seconds = shots.reduce((sum, shot) => sum + plannedSeconds(shot), 0);
  const bad = rows.filter(({ errors }) => errors.length > 0).map(({ line }) => line);
  const off = outdated ?? whyOff(shots.length, bad);
  return (
    <Panel label={t`What would be added`} className="list-side">
      <div className="bar">
        <h2>{t`What would be added`}</h2>
      </div>
      <div className="scroll">
        <ListText />
        <Section title={t`Where to`}>
          <Place board={board} value={before} onValue={setBefore} />
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
          onClick={() =>
            onAdd(before === AT_END || !board.shots.some(({ shot }) => shot.id === before) ? undefined : before)
          }
        >
          {t`Add ${counted(shots.length, 'shot')}`}
        </Button>
        <WhyOff>{off ?? t`Adding costs nothing; nothing is sent.`}</WhyOff>
        {bad.length > 0 && (
          <Button variant="ghost" off={outdated} onClick={onLeaveOut}>
            {t`Leave the ${bad.length === 1 ? t`one` : bad.length} out`}
          </Button>
        )}
      </div>
    </Panel>
  );
}

/** The text itself, typed or pasted, and how it is read. */
function ListText() {
  const { text, format } = useListDraft();
  return (
    <Section title={t`List`}>
      <TextArea
        className="list-text mono"
        aria-label={t`Shot list`}
        placeholder={t`A harbour at night, rain
She watches the lights go`}
        value={text}
        onValue={writeList}
        maxLength={MAX_CALL_TEXT}
        wrap={format === 'csv' ? 'off' : 'soft'}
        spellCheck={false}
        autoFocus
      />
      <Segmented
        full
        aria-label={t`Read as`}
        value={format}
        onValue={(next) => useListDraft.setState({ format: next })}
        options={[
          { value: 'csv', label: t`A table (CSV)` },
          { value: 'lines', label: t`One prompt a line` },
        ]}
      />
    </Section>
  );
}

interface PlaceProps {
  board: BoardHandle;
  value: string;
  onValue: (shotId: string) => void;
}

function Place({ board: { shots }, value, onValue }: PlaceProps) {
  return (
    <Field label={t`Place`}>
      <Select
        aria-label={t`Place`}
        options={[
          { value: AT_END, label: shots.length === 0 ? t`On the empty board` : t`Behind the last shot` },
          ...shots.map(({ shot, number }) => ({ value: shot.id, label: t`Before shot ${number}` })),
        ]}
        value={value}
        onValue={onValue}
      />
    </Field>
  );
}

const AT_END = 'end';
const LIST = new Intl.ListFormat(formatLocale(), { type: 'conjunction' });
/** More lines than these are counted. */
const MOST_NAMED = 4;

function whyOff(good: number, bad: readonly number[]): string | undefined {
  if (bad.length === 0) return good === 0 ? t`There is no shot to add yet.` : undefined;
  const lines = bad.length > MOST_NAMED ? t`the ${bad.length} wrong lines` : LIST.format(bad.map(String));
  const named = bad.length > MOST_NAMED ? lines : `${bad.length === 1 ? 'line' : 'lines'} ${lines}`;
  return t`Mend ${named}, or leave ${inflected(bad.length, 'it', 'them')} out. Until all is right, none is added.`;
}
