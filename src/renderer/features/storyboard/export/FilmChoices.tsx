import type { ReactNode } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { formatBytes, formatLength, Section, TextAction, WhyOff } from '../../../ui/index.ts';
import { Choice } from '../controls.tsx';
import { LoudnessChoice } from '../sound/LoudnessPanel.tsx';
import { patchFormat } from '../sound/soundEdits.ts';
import styles from './export.module.css';
import { type ExportPlan, type FilmWay, knownSpeed, secondsAt } from './plan.ts';

/** The film file: takes joined as they are, or encoded, with the reasons; its size. */
export function FilmChoices({ plan }: { plan: ExportPlan }) {
  const { board, preflight, groups, choose, way, reasons, sizes, loudness } = plan;
  const choice = { way, onWay: (film: FilmWay) => choose({ film }) };
  const canJoin = reasons.length === 0;
  const joined = secondsAt(sizes, knownSpeed('join'));
  // Problems are shown where they can be fixed.
  const problems = groups?.stops.map(({ finding }) => finding.message) ?? [];
  const why = canJoin ? preflight.soundEncoded : reasons.filter((reason) => !problems.includes(reason));
  return (
    <Section title={t`The film`}>
      <div className="ways" role="radiogroup" aria-label={t`The film`}>
        <FilmOption
          {...choice}
          value="join"
          title={t`MP4, joined as it is`}
          note={!canJoin ? '' : joined === undefined ? formatBytes(sizes.takes) : estimateWords(joined, sizes.takes)}
          off={!canJoin}
        >
          <span className="t2">{t`Every frame stays as the gateway sent it.`}</span>
          {why.slice(0, MOST_REASONS).map((reason) => (
            <WhyOff key={reason}>{reason}</WhyOff>
          ))}
          {why.length > MOST_REASONS && <WhyOff>{t`And ${why.length - MOST_REASONS} more`}</WhyOff>}
        </FilmOption>
        <FilmOption
          {...choice}
          value="encode"
          title={t`MP4, re-encoded`}
          // The time is shown only if the speed was measured; a whole film is a better sample than a few frames.
          note={estimateWords(secondsAt(sizes, knownSpeed('encode') ?? preflight.encoderSpeed), sizes.encoded)}
        >
          <span className="t2">{t`H.264, ${plan.picture.width} × ${plan.picture.height}`}</span>
          {preflight.encoderSpeed !== undefined && <WhyOff>{t`Slow: this browser has no H.264 encoder.`}</WhyOff>}
        </FilmOption>
        <FilmOption {...choice} value="none" title={t`No film`} note="" />
      </div>
      {way !== 'none' && <PictureChoice plan={plan} />}
      {way !== 'none' && <LoudnessChoice board={board} target={loudness} />}
    </Section>
  );
}

const MOST_REASONS = 3;

function estimateWords(seconds: number | undefined, bytes: number | undefined): string {
  const length = seconds !== undefined && formatLength(Math.max(1, seconds));
  const known = [length, bytes !== undefined && formatBytes(bytes)].filter(Boolean).join(', ');
  return known && t`About ${known}`;
}

interface FilmOptionProps {
  way: FilmWay;
  onWay: (way: FilmWay) => void;
  value: FilmWay;
  title: string;
  note: string;
  off?: boolean;
  children?: ReactNode;
}

function FilmOption({ way, onWay, value, title, note, off = false, children }: FilmOptionProps) {
  const id = `x-film-${value}`;
  return (
    <div className={`${styles.xopt} ${way === value ? styles.on : ''} ${off ? styles.off : ''}`}>
      <input
        type="radio"
        className="rad"
        name="x-film"
        id={id}
        checked={way === value}
        disabled={off}
        aria-describedby={`${id}-what`}
        onChange={() => onWay(value)}
      />
      <div className="grow">
        <label className="row" htmlFor={id}>
          <b className="grow">{title}</b>
          <span className="t3">{note}</span>
        </label>
        <div className={styles.xoptWhat} id={`${id}-what`}>
          {children}
        </div>
      </div>
    </div>
  );
}

/** The film's picture format is stored on the board, so that playback and every export agree. It can be undone there. */
function PictureChoice({ plan: { board, picture } }: { plan: ExportPlan }) {
  const set = (patch: Parameters<typeof patchFormat>[0]) => board.sync.editContent(patchFormat(patch));
  return (
    <div className="g2 mt">
      <Choice
        label={t`Frame`}
        options={['16:9', '9:16']}
        value={picture.aspectRatio}
        onValue={(aspectRatio) => set({ aspectRatio })}
      />
      <Choice
        label={t`Size`}
        options={['720p', '1080p']}
        value={picture.resolution}
        onValue={(resolution) => set({ resolution })}
      />
      {picture.isChosen && (
        <p className="t3 span">
          <TextAction onClick={() => set({ aspectRatio: undefined, resolution: undefined })}>
            {t`Same as the takes`}
          </TextAction>
        </p>
      )}
    </div>
  );
}
