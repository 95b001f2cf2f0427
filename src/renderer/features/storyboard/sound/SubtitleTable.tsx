import { t } from '../../../../shared/text/texts.ts';
import { TableHead } from '../../../ui/index.ts';
import { clock } from '../model/timeline.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import styles from './soundPanel.module.css';
import { chooseSubtitle, type FilmSound, type PlacedSubtitle, useChosen } from './useFilmSound.ts';

const HEADS = [
  [t`Shot`],
  [t`In`, 'r'],
  [t`Out`, 'r'],
  [t`Length`, 'r'],
  [t`Text`],
  [t`Characters`, 'r'],
  [t`Per second`, 'r'],
  [t`Notes`, 'vh'],
] as const;

/** Every subtitle with its times and measures; the selected one is edited at the right. */
export function SubtitleTable({ sound, player }: { sound: FilmSound; player: ClipPlayer | undefined }) {
  const chosen = useChosen(sound);
  if (sound.subtitles.length === 0) return null;
  return (
    <div className={`${styles.sutPlace} scroll`} data-panel tabIndex={-1}>
      <table className="tbl" aria-label={t`Subtitles`}>
        <TableHead heads={HEADS} />
        <tbody>
          {sound.subtitles.map((one) => (
            <Row
              key={`${one.view.shot.id} ${one.subtitle.id}`}
              one={one}
              limit={sound.limit}
              isChosen={one === chosen}
              player={player}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  one: PlacedSubtitle;
  limit: number;
  isChosen: boolean;
  player: ClipPlayer | undefined;
}

function Row({ one, limit, isChosen, player }: RowProps) {
  const { view, subtitle, facts, start, end } = one;
  const choose = () => {
    chooseSubtitle(view.shot.id, subtitle.id);
    player?.seek(start);
  };
  return (
    <tr className={isChosen ? 'sel' : ''}>
      <td>{view.number}</td>
      <td className="r mono">{clock(start, 1)}</td>
      <td className="r mono">{clock(end, 1)}</td>
      <td className="r num">{facts.seconds.toFixed(1)} s</td>
      <td className="max cut">
        <button type="button" className={`${styles.lnkRow} cut`} aria-pressed={isChosen} onClick={choose}>
          {subtitle.text.replaceAll('\n', ' ') || t`Empty`}
        </button>
      </td>
      <td className="r num">{facts.characters}</td>
      <td className="r num">
        <b>{facts.perSecond.toFixed(1)}</b>
      </td>
      <td className="t3 cut">{remarkOf(one, limit)}</td>
    </tr>
  );
}

/** The most important remark about a subtitle. A measure is not an error. */
export function remarkOf({ facts, isFast }: PlacedSubtitle, limit: number): string {
  if (facts.fit === 'outside' || facts.fit === 'cut') return t`Outside its take`;
  if (facts.gapMs !== undefined && facts.gapMs < 0) return t`Overlaps the next subtitle`;
  return isFast ? t`Above ${limit}` : '';
}
