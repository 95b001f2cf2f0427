import { type ReactNode, useMemo } from 'react';
import type { MediaMeasures } from '../../../../shared/measures.ts';
import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import type { FindingKind } from '../../../../shared/triage/findings.ts';
import type { TriageLimits } from '../../../../shared/triage/limits.ts';
import type { FilePlayer } from '../../../player/filePlayer.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { FindingGlyph } from '../../../ui/index.ts';
import { LANE_HEIGHT, LANE_WIDTH, type Lanes as LaneShapes, lanesOf, xOf } from './laneShapes.ts';

interface LanesProps {
  take: TriageTake;
  measures: MediaMeasures | undefined;
  limits: TriageLimits;
  player: FilePlayer;
}

/** What was measured along the clip, each with its own limit, dashed. */
export function Lanes({ take, measures, limits, player }: LanesProps) {
  const lanes = useMemo(() => measures && lanesOf(measures, limits), [measures, limits]);
  if (!measures || !lanes) {
    const why = take.why ?? t`It is being measured.`;
    return (
      <div className="meas tmeas empty" role="status">
        <p className="t2">{why}</p>
      </div>
    );
  }
  const has = (...kinds: FindingKind[]) => take.findings.some(({ kind }) => kinds.includes(kind));
  return (
    <section className="meas tmeas" aria-label={t`Measures along the clip`}>
      <LightLane lane={lanes.light} limits={limits} isBeyond={has('black')} />
      <ChangeLane lane={lanes.change} limits={limits} isBeyond={has('cut')} />
      <AlikeLane lane={lanes.alike} limits={limits} isBeyond={has('frozen', 'doubled')} />
      <SoundLane lane={lanes.sound} measures={measures} take={take} isBeyond={has('silence', 'clipping')} />
      <Axis seconds={measures.seconds} player={player} />
    </section>
  );
}

interface LaneProps<Name extends keyof LaneShapes> {
  lane: LaneShapes[Name];
  limits: TriageLimits;
  isBeyond: boolean;
}

function LightLane({ lane, limits, isBeyond }: LaneProps<'light'>) {
  return (
    <Lane
      name={t`Light`}
      what={t`mean of the frame`}
      figure={t`${lane.from.toFixed(2)} to ${lane.to.toFixed(2)}`}
      note={t`black below ${limits.black}`}
      isBeyond={isBeyond}
    >
      {lane.paths.map((path) => (
        <path key={path} className="ln b" d={path} />
      ))}
      <path className="thr" d={`M0 ${lane.limitY}H${LANE_WIDTH}`} />
    </Lane>
  );
}

function ChangeLane({ lane, limits, isBeyond }: LaneProps<'change'>) {
  const { at, value } = lane.highest;
  return (
    <Lane
      name={t`Change`}
      what={t`from frame to frame`}
      figure={t`${value.toFixed(value < 0.01 ? 3 : 2)} at ${at.toFixed(1)}`}
      note={t`cut above ${limits.cut}`}
      isBeyond={isBeyond}
    >
      {lane.bars.map(({ isBeyond: isJump, ...bar }) => (
        <rect key={bar.x} {...bar} className={isJump ? 'jump' : 'mo'} />
      ))}
      <path className="thr" d={`M0 ${lane.limitY}H${LANE_WIDTH}`} />
    </Lane>
  );
}

function AlikeLane({ lane, limits, isBeyond }: LaneProps<'alike'>) {
  const { at, frames } = lane.longest;
  return (
    <Lane
      name={t`Alike`}
      what={t`frames repeated`}
      figure={frames === 0 ? 'none' : t`${frames} at ${at.toFixed(1)}`}
      note={t`frozen from ${limits.frozen}`}
      isBeyond={isBeyond}
    >
      <path className="bs" d={`M0 46H${LANE_WIDTH}`} />
      <path className="al" d={lane.path} />
    </Lane>
  );
}

function SoundLane({
  lane,
  measures: { sound, soundFault },
  take,
  isBeyond,
}: Omit<LaneProps<'sound'>, 'limits'> & { measures: MediaMeasures; take: TriageTake }) {
  const faults = [
    take.findings.some(({ kind }) => kind === 'clipping') ? 'clipping' : t`no clipping`,
    take.findings.some(({ kind }) => kind === 'silence') ? t`a gap` : t`no gap`,
  ];
  const level = sound?.lufs;
  const figure =
    level === null || level === undefined ? 'silent' : t`${level < 0 ? '−' : ''}${Math.abs(level).toFixed(1)} LUFS`;
  if (!sound)
    return (
      <Lane
        name={t`Sound`}
        what={t`wave, full scale`}
        figure={soundFault ? t`not measured` : t`no sound`}
        note={soundFault ?? ''}
        isUnmeasured
      >
        <path className="bs" d={`M0 ${LANE_HEIGHT / 2}H${LANE_WIDTH}`} />
      </Lane>
    );
  return (
    <Lane name={t`Sound`} what={t`wave, full scale`} figure={figure} note={faults.join(', ')} isBeyond={isBeyond}>
      {lane && <path className="wv" d={lane.path} />}
      <path className="thr" d={`M0 4H${LANE_WIDTH}M0 ${LANE_HEIGHT - 4}H${LANE_WIDTH}`} />
    </Lane>
  );
}

interface LaneBoxProps {
  name: string;
  what: string;
  figure: string;
  note: string;
  isBeyond?: boolean;
  isUnmeasured?: boolean;
  children: ReactNode;
}

function Lane({ name, what, figure, note, isBeyond, isUnmeasured, children }: LaneBoxProps) {
  return (
    <div className="mrow">
      <div className="ml">
        <b>{name}</b>
        <span className="t3">{what}</span>
      </div>
      <div className="mg">
        <svg viewBox={`0 0 ${LANE_WIDTH} ${LANE_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {children}
        </svg>
      </div>
      <div className="mf">
        <span className="find1">
          <FindingGlyph of={isUnmeasured ? 'none' : isBeyond ? 'step' : 'level'} />
          <b>{figure}</b>
        </span>
        <span className="t3">{note}</span>
      </div>
    </div>
  );
}

function Axis({ seconds, player }: { seconds: number; player: FilePlayer }) {
  const at = usePlayerValue(player, ({ seconds: place }) => place);
  const step = seconds <= 12 ? 1 : seconds <= 60 ? 5 : 60;
  const marks = Array.from({ length: Math.floor(seconds / step + 0.01) + 1 }, (_, index) => index * step);
  const left = (second: number) => `${xOf(second, seconds) / 10}%`;
  return (
    <div className="mrow ax" aria-hidden="true">
      <span />
      <div className="mg">
        {marks.map((second) => (
          <span
            key={second}
            className={seconds - second < step / 4 ? 'last' : undefined}
            style={{ left: left(second) }}
          >
            {Math.floor(second / 60)}:{String(second % 60).padStart(2, '0')}
          </span>
        ))}
        <i className="ph" style={{ left: left(at) }} />
      </div>
      <span />
    </div>
  );
}
