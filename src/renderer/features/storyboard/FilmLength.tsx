import { useState } from 'react';
import { counted, t } from '../../../shared/text/texts.ts';
import { TopBarNote } from '../../app/index.ts';
import { Button, Field, formatLength, NumberInput, Popover } from '../../ui/index.ts';
import { totalSeconds } from './model/timeline.ts';
import type { BoardHandle } from './useBoard.ts';

/** The film's length and target length: `5 shots · 0:31 of 0:30`. */
export function FilmLength({ board }: { board: BoardHandle }) {
  const planned = board.board?.plan?.seconds;
  const [draft, setDraft] = useState<number | null>();
  const seconds = totalSeconds(board.shots.map(({ span }) => span));
  const value = draft === undefined ? (planned ?? null) : draft;
  const isWrong = value !== null && (value < 1 || value > MAX_SECONDS);
  const plan = (next: number | null) => {
    setDraft(next);
    if (next !== null && (next < 1 || next > MAX_SECONDS)) return;
    board.sync.editContent((content) => ({ ...content, plan: next === null ? {} : { seconds: next } }));
  };
  return (
    <TopBarNote>
      <Popover
        title={t`Planned length`}
        align="start"
        trigger={
          <Button variant="ghost" title={t`Planned length`}>
            {planned === undefined
              ? t`${counted(board.shots.length, 'shot')} · ${formatLength(seconds)}`
              : t`${counted(board.shots.length, 'shot')} · ${formatLength(seconds)} of ${formatLength(planned)}`}
          </Button>
        }
      >
        <Field label={t`Planned length`} error={isWrong ? t`Planned length: 1 s to 24 hours.` : undefined}>
          <NumberInput value={value} onValue={plan} min={1} max={MAX_SECONDS} placeholder={t`None`} unit="s" />
        </Field>
      </Popover>
    </TopBarNote>
  );
}

const MAX_SECONDS = 86_400;
