import { Volume2, VolumeX } from 'lucide-react';
import { useRef } from 'react';
import { playedOf } from '../../../../shared/film/film.ts';
import { BROADCAST_LUFS, targetOf } from '../../../../shared/film/sound/levels.ts';
import { t } from '../../../../shared/text/texts.ts';
import playerStyles from '../../../player/player.module.css';
import { usePlayerState } from '../../../player/usePlayer.ts';
import { formatLevel, Icon, IconButton, NumberInput, plural } from '../../../ui/index.ts';
import { clock, tickStep } from '../model/timeline.ts';
import type { ShotView } from '../model/view.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import { FilmStrip, useWidth } from '../player/FilmStrip.tsx';
import type { BoardHandle } from '../useBoard.ts';
import { Lane, placeOf, Wave } from './Lane.tsx';
import styles from './sound.module.css';
import { patchTrack, patchWords, setOwnSound } from './soundEdits.ts';
import { TrackLane } from './TrackLane.tsx';
import { chooseSubtitle, type FilmSound, type PlacedSubtitle, useChosen, useSoundView } from './useFilmSound.ts';

interface LanesProps {
  board: BoardHandle;
  sound: FilmSound;
  selected: ShotView;
  player: ClipPlayer | undefined;
}

/** All lanes under one time axis, with a common playhead. */
export function Lanes({ board, sound, selected, player }: LanesProps) {
  const panel = useSoundView((view) => view.panel);
  return (
    <section className={styles.lanes} aria-label={t`Tracks`} data-panel tabIndex={-1}>
      <Lane name={t`Film`} fact={clock(sound.total)}>
        <FilmStrip board={board} selected={selected} player={player} />
      </Lane>
      <OwnLane board={board} sound={sound} />
      <Lane
        name={t`Track`}
        fact={sound.trackAsset?.name ?? (sound.track ? t`Loading` : t`None`)}
        end={<Mute board={board} sound={sound} />}
      >
        <TrackLane board={board} sound={sound} />
      </Lane>
      <WordsLane sound={sound} player={player} />
      {panel === 'words' ? <SpeedLane board={board} sound={sound} /> : <LoudnessLane sound={sound} />}
      <Axis total={sound.total} />
      <Playhead total={sound.total} player={player} />
    </section>
  );
}

function Mute({ board, sound: { track } }: Pick<LanesProps, 'board' | 'sound'>) {
  if (!track) return null;
  const mute = () => board.sync.editContent(patchTrack({ isMuted: track.isMuted ? undefined : true }));
  return (
    <IconButton label={t`Mute the track`} aria-pressed={track.isMuted === true} onClick={mute}>
      <Icon of={track.isMuted ? VolumeX : Volume2} />
    </IconButton>
  );
}

function WordsLane({ sound, player }: Pick<LanesProps, 'sound' | 'player'>) {
  const { subtitles, shots, total } = sound;
  const chosen = useChosen(sound);
  const panel = useSoundView((view) => view.panel);
  const choose = ({ view, subtitle, start }: PlacedSubtitle) => {
    chooseSubtitle(view.shot.id, subtitle.id);
    player?.seek(start);
  };
  return (
    <Lane name={t`Subtitles`} fact={plural(subtitles.length, 'subtitle')}>
      {shots.slice(1).map(({ shot, span }) => (
        <em key={shot.id} style={{ left: placeOf(span.start, span.start, total).left }} />
      ))}
      {subtitles
        .filter(({ facts }) => facts.fit !== 'outside')
        .map((one) => (
          <button
            key={`${one.view.shot.id} ${one.subtitle.id}`}
            type="button"
            className={`${styles.subt} ${panel === 'words' && one === chosen ? styles.now : ''}`}
            style={placeOf(one.start, one.end, total)}
            aria-label={t`Shot ${one.view.number}, ${clock(one.start)}: ${one.subtitle.text || t`Empty`}`}
            aria-pressed={panel === 'words' && one === chosen}
            onClick={() => choose(one)}
          >
            <span className="cut">{one.subtitle.text}</span>
          </button>
        ))}
    </Lane>
  );
}

/** The tallest bar, in characters per second. */
const TALLEST = 28;

/** A bar for each subtitle's reading speed, and the limit, which can be changed here. */
function SpeedLane({ board, sound: { subtitles, limit, total } }: Pick<LanesProps, 'board' | 'sound'>) {
  const tallest = Math.max(TALLEST, limit * 1.2);
  const setLimit = (next: number | null) => {
    if (next !== null && next >= 1 && next <= 100) board.sync.editContent(patchWords({ readingLimit: next }));
  };
  const shown = subtitles.filter(({ facts, subtitle }) => facts.fit !== 'outside' && subtitle.text.trim() !== '');
  return (
    <div className={`${styles.lane} ${styles.cps}`}>
      <div className={styles.lh}>
        <b>{t`Reading speed`}</b>
        <span className="row t3">
          {t`Limit`}
          <NumberInput
            aria-label={t`Limit of the reading speed, characters per second`}
            value={limit}
            min={1}
            max={100}
            onValue={setLimit}
            unit="/s"
          />
        </span>
      </div>
      <div className={styles.lt} aria-hidden="true">
        <span className={styles.lim} style={{ bottom: `${(limit / tallest) * 100}%` }}>
          <em>{limit}</em>
        </span>
        {shown.map(({ view, subtitle, facts, start, end, isFast }) => (
          <span
            key={`${view.shot.id} ${subtitle.id}`}
            className={`${styles.cb} ${isFast ? styles.over : ''}`}
            style={{ ...placeOf(start, end, total), height: `${Math.min(1, facts.perSecond / tallest) * 100}%` }}
          >
            <b>{facts.perSecond.toFixed(1)}</b>
          </span>
        ))}
      </div>
    </div>
  );
}

function Axis({ total }: { total: number }) {
  const place = useRef<HTMLDivElement>(null);
  const step = tickStep(total, useWidth(place));
  const count = total > 0 ? Math.min(400, Math.floor(total / step)) : 0;
  return (
    <div className={`${styles.lane} ${styles.axl}`} aria-hidden="true">
      <div className={styles.lh} />
      <div className={styles.lt} ref={place}>
        {Array.from({ length: count + 1 }, (_, index) => index * step).map((at) => (
          <span key={at} style={{ left: placeOf(at, at, total).left, ...(at === total && { translate: '-100%' }) }}>
            {clock(at)}
          </span>
        ))}
      </div>
    </div>
  );
}

function Playhead({ total, player }: { total: number; player: ClipPlayer | undefined }) {
  const { seconds } = usePlayerState(player);
  return (
    <span className={styles.lhead} aria-hidden="true">
      <i className={playerStyles.head} style={{ left: `${total > 0 ? Math.min(100, (seconds / total) * 100) : 0}%` }} />
    </span>
  );
}

/** LUFS at the floor and at the top of the lane. */
const [FLOOR, TOP] = [-50, -8];

/** The loudness of the mix over the film, and in grey as it plays and is exported. */
function LoudnessLane({ sound: { loudness, level, isMixed, fault, wanted } }: { sound: FilmSound }) {
  const target = targetOf(wanted);
  const shown = target ?? BROADCAST_LUFS;
  const note = target === undefined ? t`${formatLevel(shown)}, broadcast` : t`${formatLevel(shown)}, target`;
  const points = loudness?.points ?? [];
  const width = Math.max(1, points.length - 1);
  const by = isMixed ? (level?.gainDb ?? 0) : 0;
  return (
    <Lane name={t`Loudness`} fact={loudness ? note : fault === undefined ? t`Being measured` : t`Not measured`}>
      {loudness?.lufs != null && <span className="vh">{t`${formatLevel(loudness.lufs, 1)} LUFS`}</span>}
      <svg className={styles.louLine} viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        <line className={styles.target} x2={width} y1={heightOf(shown)} y2={heightOf(shown)} />
        {by !== 0 && <path className={styles.exported} d={lineOf(points, by)} />}
        <path d={lineOf(points, 0)} />
      </svg>
    </Lane>
  );
}

const heightOf = (lufs: number): number => 100 * (1 - Math.min(1, Math.max(0, (lufs - FLOOR) / (TOP - FLOOR))));

/** Silence is at the floor. */
const lineOf = (points: readonly (number | null)[], by: number): string =>
  points
    .map(
      (lufs, index) => `${index === 0 ? 'M' : 'L'}${index} ${(lufs === null ? 100 : heightOf(lufs + by)).toFixed(1)}`,
    )
    .join('');

/** The own sound of each take: on or off, and its level. */
function OwnLane({ board, sound: { shots, total } }: { board: BoardHandle; sound: FilmSound }) {
  const on = shots.filter((view) => hasSound(view) && !view.shot.ownSound?.isOff).length;
  return (
    <Lane name={t`Shots`} fact={t`${on} of ${shots.length} on`}>
      {shots.map((view) => (
        <OwnSegment key={view.shot.id} board={board} view={view} total={total} />
      ))}
    </Lane>
  );
}

/** Whether there is or may be sound. */
const hasSound = ({ active }: ShotView): boolean => active?.clip !== undefined && active.clip.audio !== false;

/** The trimmed part as shares of its clip. */
function sharesOf(take: ShotView['active']): { from?: number; to?: number } {
  const { from, seconds = 0 } = playedOf(take) ?? {};
  const whole = take?.clip?.seconds ?? 0;
  return from === undefined || whole <= 0 ? {} : { from: from / whole, to: (from + seconds) / whole };
}

function OwnSegment({ board, view, total }: { board: BoardHandle; view: ShotView; total: number }) {
  const { shot, span, number, active } = view;
  const sound = shot.ownSound ?? {};
  const place = placeOf(span.start, span.start + span.seconds, total);
  if (!hasSound(view)) {
    return (
      <span className={`${styles.oseg} ${styles.none}`} style={place}>
        <span className="t3 cut">{active?.clip ? t`No sound` : t`No take yet`}</span>
      </span>
    );
  }
  const toggle = () => board.sync.edit(setOwnSound(shot.id, { ...sound, isOff: sound.isOff ? undefined : true }));
  return (
    <span className={`${styles.oseg} ${sound.isOff ? styles.off : ''}`} style={place}>
      <Wave asset={active?.clip} {...sharesOf(active)} />
      <button type="button" className={styles.spk} aria-pressed={!sound.isOff} onClick={toggle}>
        <Icon of={sound.isOff ? VolumeX : Volume2} />
        <span className="vh">{t`Own sound of shot ${number}`} </span>
        <span>{sound.isOff ? t`Off` : `${formatLevel(sound.level ?? 0, 1)} dB`}</span>
      </button>
    </span>
  );
}
