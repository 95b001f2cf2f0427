import { Volume2, VolumeX } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { playedOf } from '../../../../shared/film.ts';
import { LEAST_DB, MOST_DB } from '../../../../shared/sound/levels.ts';
import { t } from '../../../../shared/texts.ts';
import { Icon } from '../../../ui/index.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { Lane, placeOf } from './Lane.tsx';
import styles from './sound.module.css';
import { setOwnSound } from './soundEdits.ts';
import type { FilmSound } from './useFilmSound.ts';
import { Wave } from './Wave.tsx';

/** The sound that came with each take: on or off, and how loud. */
export function OwnLane({ board, sound: { shots, total } }: { board: BoardHandle; sound: FilmSound }) {
  const counts = [
    [shots.filter((view) => hasSound(view) && !view.shot.ownSound?.isOff).length, 'on'],
    [shots.filter((view) => hasSound(view) && view.shot.ownSound?.isOff).length, 'off'],
    [shots.filter((view) => !hasSound(view)).length, 'silent'],
  ] as const;
  const fact = counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
  return (
    <Lane name={t`The shots’ own`} fact={fact}>
      {shots.map((view) => (
        <OwnSegment key={view.shot.id} board={board} view={view} total={total} />
      ))}
    </Lane>
  );
}

/** Whether there is a sound, or there may be one. */
const hasSound = ({ active }: ShotView): boolean => active?.clip !== undefined && active.clip.audio !== false;

/** The part of its clip that plays, as shares of that. */
function sharesOf(take: ShotView['active']): { from?: number; to?: number } {
  const { from, seconds = 0 } = playedOf(take) ?? {};
  const whole = take?.clip?.seconds ?? 0;
  return from === undefined || whole <= 0 ? {} : { from: from / whole, to: (from + seconds) / whole };
}

/** `−6.0 dB` with a minus sign of its own width. */
const decibels = (level: number): string => t`${level.toFixed(1).replace('-', '−')} dB`;

function OwnSegment({ board, view, total }: { board: BoardHandle; view: ShotView; total: number }) {
  const { shot, span, number, active } = view;
  const sound = shot.ownSound ?? {};
  const place = placeOf(span.start, span.start + span.seconds, total);
  if (!hasSound(view)) {
    return (
      <span className={`${styles.oseg} ${styles.none}`} style={place}>
        <span className="t3 cut">{active?.clip ? t`no sound` : t`no take`}</span>
      </span>
    );
  }
  const set = (level: number) =>
    board.sync.edit(setOwnSound(shot.id, { ...sound, level: Math.max(LEAST_DB, Math.min(MOST_DB, level)) }));
  const key = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    set((sound.level ?? 0) + step);
  };
  const toggle = () => board.sync.edit(setOwnSound(shot.id, { ...sound, isOff: sound.isOff ? undefined : true }));
  return (
    <span className={`${styles.oseg} ${sound.isOff ? styles.off : ''}`} style={place}>
      <Wave asset={active?.clip} {...sharesOf(active)} />
      <button
        type="button"
        className={styles.spk}
        aria-pressed={!sound.isOff}
        title={t`Arrows up and down change its level`}
        onClick={toggle}
        onKeyDown={key}
      >
        <Icon of={sound.isOff ? VolumeX : Volume2} />
        <span className="vh">{t`Own sound of shot ${number},`} </span>
        <span>{sound.isOff ? t`off` : decibels(sound.level ?? 0)}</span>
      </button>
    </span>
  );
}
