import { t } from '../../../../shared/texts.ts';
import { Panel, Segmented } from '../../../ui/index.ts';
import type { BoardTabProps } from '../tabProps.ts';
import styles from './soundPanel.module.css';
import { TrackPanel } from './TrackPanel.tsx';
import { useFilmSound, useSoundView } from './useFilmSound.ts';
import { WordsPanel } from './WordsPanel.tsx';

/** What is chosen in the lanes: the track, or a subtitle. */
export function SoundSide({ board, shot, player }: BoardTabProps) {
  const sound = useFilmSound(board);
  const panel = useSoundView((view) => view.panel);
  return (
    <Panel label={panel === 'track' ? t`Track` : t`Words`} className={styles.side}>
      <div className="bar">
        <h2 className="vh">{panel === 'track' ? t`Track` : t`Words`}</h2>
        <Segmented
          full
          small
          aria-label={t`What is edited`}
          value={panel}
          onValue={(next) => useSoundView.setState({ panel: next })}
          options={[
            { value: 'track', label: t`Track` },
            { value: 'words', label: t`Words` },
          ]}
        />
      </div>
      {panel === 'track' ? (
        <TrackPanel board={board} sound={sound} shot={shot} player={player} />
      ) : (
        <WordsPanel board={board} sound={sound} player={player} />
      )}
    </Panel>
  );
}
