import { useSyncExternalStore } from 'react';
import { mentionsOf } from '../../../../shared/mentions.ts';
import { t } from '../../../../shared/texts.ts';
import { plural, Section } from '../../../ui/index.ts';
import styles from '../inspector/inspector.module.css';
import { patchShot } from '../model/shots.ts';
import type { BoardState } from '../model/sync.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { PromptWithNames } from './PromptWithNames.tsx';
import { castOfBoard } from './useCast.ts';

/** The prompt of a shot, with the names of its cast. */
export function ShotWords({ board, view }: { board: BoardHandle; view: ShotView }) {
  const { number } = view;
  const { sync } = board;
  const state = useSyncExternalStore(sync.subscribeToTyping, sync.state);
  const shot = state.board?.shots.find(({ id }) => id === view.shot.id) ?? view.shot;
  const cast = castOfBoard(board);
  const named = new Set(mentionsOf(shot.prompt, cast).map(({ member }) => member.id)).size;
  return (
    <Section>
      <PromptWithNames
        key={shot.id}
        label={t`Prompt of shot ${number}`}
        shot={shot}
        cast={cast}
        onValue={(prompt) => sync.type(patchShot(shot.id, { prompt }))}
        onPause={sync.endTyping}
      />
      <div className={`row between t3 ${styles.promptFoot}`}>
        <span>
          {plural(shot.prompt.length, 'character')}
          {named > 0 && t`, ${named} of the cast`}
        </span>
        {cast.length > 0 && named === 0 && (
          <span>
            <kbd className="kbd">@</kbd> {t`names one`}
          </span>
        )}
        <span>{savedWords(state, shot.id)}</span>
      </div>
    </Section>
  );
}

function savedWords({ unsaved, error, refused }: BoardState, shotId: string): string {
  if (refused.some((refusal) => refusal.shotId === shotId)) return t`not saved`;
  if (unsaved === 0) return t`saved`;
  return error ? t`not saved` : 'saving';
}
