import { t } from '../../../../shared/text/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { Panel, Segmented } from '../../../ui/index.ts';
import { Done } from '../Notice.tsx';
import { PlaybackLevels } from '../player/PlaybackLevels.tsx';
import { Transport } from '../player/Transport.tsx';
import { Viewer } from '../player/Viewer.tsx';
import type { BoardTabProps } from '../tabProps.ts';
import { selectShot } from '../useBoard.ts';
import { Lanes } from './Lanes.tsx';
import { SubtitleTable } from './SubtitleTable.tsx';
import styles from './sound.module.css';
import { TrackPanel } from './TrackPanel.tsx';
import { type FilmSound, useFilmSound, useSoundView } from './useFilmSound.ts';
import { useWordKeys } from './useWordKeys.ts';
import { WordsPanel } from './WordsPanel.tsx';

/** The film with all lanes of its sound and subtitles on one time axis. */
export function SoundTab({ board, shot, actions, player, onPlayer }: BoardTabProps) {
  const sound = useFilmSound(board);
  const panel = useSoundView((view) => view.panel);
  useWordKeys(board, sound, player);
  useShortcut('sound.panel', () => useSoundView.setState({ panel: panel === 'track' ? 'words' : 'track' }));
  const step = (by: 1 | -1) => {
    const next = sound.shots[sound.shots.findIndex((view) => view.shot.id === shot.shot.id) + by];
    if (next) selectShot(next.shot.id);
  };
  return (
    <div className={styles.snd} data-mode={panel}>
      <div className={styles.view}>
        <Viewer board={board} shot={shot} onPlayer={onPlayer} heard={sound} />
        <ShownWords sound={sound} player={player} />
      </div>
      <Transport player={player} total={sound.total} onShot={step}>
        <PlaybackLevels player={player} />
      </Transport>
      <Lanes board={board} sound={sound} selected={shot} player={player} />
      {panel === 'words' && <SubtitleTable sound={sound} player={player} />}
      {actions.done && <Done done={actions.done} />}
    </div>
  );
}

/** The current subtitle over the picture; the picture itself is unchanged. */
function ShownWords({ sound, player }: Pick<BoardTabProps, 'player'> & { sound: FilmSound }) {
  const text = usePlayerValue(player, ({ seconds }) => {
    const ms = seconds * 1_000;
    return sound.cues.findLast(({ startMs, endMs }) => ms >= startMs && ms < endMs)?.text;
  });
  if (text === undefined) return null;
  return (
    <p className={styles.sndWords}>
      {text.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and their order is what they are.
        <span key={index}>{line}</span>
      ))}
    </p>
  );
}

/** The panel of the selection in the lanes: the track, or a subtitle. */
export function SoundSide({ board, shot, player }: BoardTabProps) {
  const sound = useFilmSound(board);
  const panel = useSoundView((view) => view.panel);
  return (
    <Panel label={panel === 'track' ? t`Track` : t`Subtitles`}>
      <div className="bar">
        <h2 className="vh">{panel === 'track' ? t`Track` : t`Subtitles`}</h2>
        <Segmented
          full
          small
          aria-label={t`Edit`}
          value={panel}
          onValue={(next) => useSoundView.setState({ panel: next })}
          options={[
            { value: 'track', label: t`Track` },
            { value: 'words', label: t`Subtitles` },
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
