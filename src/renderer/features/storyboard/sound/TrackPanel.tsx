import { Music } from 'lucide-react';
import { LEAST_DB, MOST_DB } from '../../../../shared/film/sound/levels.ts';
import { DEFAULT_DUCK, type Duck, type Track } from '../../../../shared/film/sound/track.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useCall } from '../../../app/index.ts';
import {
  Button,
  Field,
  FileButton,
  Icon,
  NumberInput,
  Refusal,
  Section,
  Segmented,
  Slider,
  TextAction,
  Toggle,
  WhyOff,
} from '../../../ui/index.ts';
import { FreeBar } from '../controls.tsx';
import type { ContentEdit } from '../model/pending.ts';
import { clock } from '../model/timeline.ts';
import type { ShotView } from '../model/view.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import type { ViewProps } from '../tabProps.ts';
import type { BoardHandle } from '../useBoard.ts';
import { useSlotUpload } from '../useSlotUpload.ts';
import { LoudnessPanel } from './LoudnessPanel.tsx';
import { laidTrack, patchTrack, setOwnSound, withoutTrack } from './soundEdits.ts';
import styles from './soundPanel.module.css';
import type { FilmSound } from './useFilmSound.ts';

export interface SoundPanelProps {
  board: BoardHandle;
  sound: FilmSound;
  shot: ShotView;
  player: ClipPlayer | undefined;
}

/** The film's music track, and the own sound of the selected shot. */
export function TrackPanel({ board, sound, shot, player }: SoundPanelProps) {
  const { track } = sound;
  return (
    <>
      <div className="scroll">
        <TrackFile board={board} sound={sound} />
        {track && <Levels board={board} sound={sound} track={track} />}
        {track && <Ducking board={board} track={track} />}
        <OwnSoundOf key={shot.shot.id} board={board} view={shot} />
        <LoudnessPanel board={board} sound={sound} />
      </div>
      <FreeBar
        what={t`Mix of ${clock(sound.total)}`}
        label={t`Play the mix`}
        kbd="Space"
        onDo={() => player?.toggle()}
      />
    </>
  );
}

function TrackFile({ board, sound: { track, trackAsset } }: Pick<SoundPanelProps, 'board' | 'sound'>) {
  const upload = useSlotUpload(`${board.board?.projectId} track`);
  const take = (chosen: File) =>
    upload.bringIn(chosen, ({ id, mime }) => {
      if (!mime.startsWith('audio/')) return t`Choose a sound file.`;
      board.sync.editContent(laidTrack(id));
      return undefined;
    });
  const choose = (edit: ContentEdit) => {
    upload.settle();
    board.sync.editContent(edit);
  };
  return (
    <Section title={track ? undefined : t`No music or narration`}>
      {track && <FileFacts asset={trackAsset} />}
      <div className="row wrap">
        <FileButton label={t`Sound file`} accept="audio/*" onFiles={([file]) => void take(file)}>
          <Button busy={upload.isBusy === true}>{t`Choose a file`}</Button>
        </FileButton>
        {track && (
          <Button variant="ghost" onClick={() => choose(withoutTrack)}>
            {t`Remove the track`}
          </Button>
        )}
      </div>
      <Refusal text={upload.error} />
      {!track && <FromLibrary onPick={(id) => choose(laidTrack(id))} />}
    </Section>
  );
}

const FileFacts = ({ asset }: { asset: Asset | undefined }) => (
  <div className="row mb">
    <Icon of={Music} size="m" />
    <span className="col grow">
      <b className="cut">{asset?.name ?? t`Sound`}</b>
      <span className="t3 cut">{asset?.seconds === undefined ? t`Loading` : clock(asset.seconds, 1)}</span>
    </span>
  </div>
);

/** Sounds of the library. */
function FromLibrary({ onPick }: { onPick: (assetId: string) => void }) {
  const list = useCall('library.list', { types: ['audio'], states: ['local'], limit: 20 });
  const assets = list.data?.assets ?? [];
  if (assets.length === 0) return null;
  return (
    <ul className="stack mt" aria-label={t`Library`}>
      {assets.map((asset) => (
        <li key={asset.id} className="row between">
          <TextAction className="cut" onClick={() => onPick(asset.id)}>
            {asset.name}
          </TextAction>
          {asset.seconds !== undefined && <span className="t3 num">{clock(asset.seconds)}</span>}
        </li>
      ))}
    </ul>
  );
}

const TENTHS: Intl.NumberFormatOptions = { minimumFractionDigits: 1, maximumFractionDigits: 2 };

interface TrackProps extends Pick<SoundPanelProps, 'board' | 'sound'> {
  track: Track;
}

function Levels({ board, sound, track }: TrackProps) {
  const set = (patch: Partial<Track>) => board.sync.editContent(patchTrack(patch));
  const file = sound.trackAsset?.seconds;
  const out = track.out ?? file ?? null;
  const wrongOut = out !== null && out <= track.in ? t`Out: must be after the in point.` : undefined;
  return (
    <Section>
      <div className="g2">
        <Amount
          label={t`In`}
          value={track.in}
          onValue={(value) =>
            set({ in: value, ...(track.out !== undefined && track.out <= value ? { out: undefined } : {}) })
          }
        />
        <Amount
          label={t`Out`}
          error={wrongOut}
          value={out}
          max={Number.POSITIVE_INFINITY}
          onValue={(value) => value > track.in && set({ out: value })}
        />
        <Amount label={t`Fade in`} value={track.fadeIn} onValue={(fadeIn) => set({ fadeIn })} />
        <Amount label={t`Fade out`} value={track.fadeOut} onValue={(fadeOut) => set({ fadeOut })} />
      </div>
      <Level name={t`Level of the track`} value={track.level} onValue={(level) => set({ level })} />
    </Section>
  );
}

interface LevelProps {
  name: string;
  value: number;
  onValue: (level: number) => void;
}

function Level({ name, value, onValue }: LevelProps) {
  return (
    <div className={`row mt ${styles.level}`}>
      <span className="lab">{t`Level`}</span>
      <Slider aria-label={name} min={-40} max={MOST_DB} step={0.5} value={value} onValue={onValue} />
      <NumberInput
        aria-label={t`${name} in decibels`}
        value={value}
        min={LEAST_DB}
        max={MOST_DB}
        step={0.5}
        unit="dB"
        format={TENTHS}
        onValue={(level) => level !== null && level >= LEAST_DB && level <= MOST_DB && onValue(level)}
      />
    </div>
  );
}

interface AmountProps {
  label: string;
  error?: string | undefined;
  value: number | null;
  max?: number;
  step?: number;
  unit?: 's' | 'dB';
  onValue: (value: number) => void;
}

function Amount({ label, error, value, max = 3_600, step = 0.1, unit = 's', onValue }: AmountProps) {
  return (
    <Field label={label} error={error}>
      <NumberInput
        {...{ value, max, step, unit }}
        min={0}
        format={TENTHS}
        onValue={(next) => next !== null && next >= 0 && next <= max && onValue(next)}
      />
    </Field>
  );
}

function Ducking({ board, track }: Omit<TrackProps, 'sound'>) {
  const { duck } = track;
  const set = (patch: Partial<Duck>) =>
    board.sync.editContent(patchTrack({ duck: { ...(duck ?? DEFAULT_DUCK), ...patch } }));
  const toggle = (isOn: boolean) => board.sync.editContent(patchTrack({ duck: isOn ? DEFAULT_DUCK : undefined }));
  return (
    <Section>
      <Toggle checked={duck !== undefined} onChecked={toggle}>
        {t`Duck`}
      </Toggle>
      {duck && (
        <>
          <Segmented
            full
            small
            aria-label={t`Duck`}
            value={duck.under}
            onValue={(under) => set({ under })}
            options={[
              { value: 'words', label: t`Under subtitles` },
              { value: 'shots', label: t`Under shot sound` },
            ]}
          />
          <div className={styles.g3}>
            <Amount label={t`Lower by`} unit="dB" step={1} max={60} value={duck.by} onValue={(by) => set({ by })} />
            <Amount label={t`Before`} max={10} value={duck.before} onValue={(before) => set({ before })} />
            <Amount label={t`After`} max={10} value={duck.after} onValue={(after) => set({ after })} />
          </div>
        </>
      )}
    </Section>
  );
}

function OwnSoundOf({ board, view: { shot, number, active } }: ViewProps) {
  const sound = shot.ownSound ?? {};
  return (
    <Section title={t`Own sound of shot ${number}`}>
      <div data-follows-film>
        <Level
          name={t`Level of shot ${number}`}
          value={sound.level ?? 0}
          onValue={(level) => board.sync.edit(setOwnSound(shot.id, { ...sound, level }))}
        />
      </div>
      {active?.clip?.audio === false && <WhyOff>{t`No sound`}</WhyOff>}
    </Section>
  );
}
