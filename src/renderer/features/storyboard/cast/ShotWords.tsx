import { useSyncExternalStore } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import styles from '../inspector/inspector.module.css';
import { patchShot } from '../model/shots.ts';
import type { ViewProps } from '../tabProps.ts';
import { PromptWithNames } from './PromptWithNames.tsx';
import { castOfBoard } from './useCast.ts';

/** The prompt of a shot, with the names of its cast. */
export function ShotWords({ board, view }: ViewProps) {
  const { number } = view;
  const { sync } = board;
  const state = useSyncExternalStore(sync.subscribeToTyping, sync.state);
  const shot = state.board?.shots.find(({ id }) => id === view.shot.id) ?? view.shot;
  const cast = castOfBoard(board);
  const isUnsaved = state.refused.some(({ shotId }) => shotId === shot.id) || (state.unsaved > 0 && state.error);
  return (
    <div className={styles.starts}>
      <span className="row between">
        <span className="lab">{t`Prompt`}</span>
        {isUnsaved && <span className="t3">{t`Not saved`}</span>}
      </span>
      <PromptWithNames
        key={shot.id}
        label={t`Prompt of shot ${number}`}
        shot={shot}
        cast={cast}
        onValue={(prompt) => sync.type(patchShot(shot.id, { prompt }))}
        onPause={sync.endTyping}
      />
    </div>
  );
}
