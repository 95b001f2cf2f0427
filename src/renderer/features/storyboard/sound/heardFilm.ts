import type { SoundMeasures } from '../../../../shared/film/measures.ts';
import { type FilmLevel, filmLevel } from '../../../../shared/film/sound/filmLevel.ts';
import type { ChannelLayout } from '../../../../shared/film/sound/layout.ts';
import { asksForMix, levellingOf } from '../../../../shared/film/sound/levelling.ts';
import { targetOf } from '../../../../shared/film/sound/levels.ts';
import { type MixLoudness, mixLoudness, partOfSound } from '../../../../shared/film/sound/mixLoudness.ts';
import { type MixInput, type MixPlan, mixPlan, peaksOf } from '../../../../shared/film/sound/mixPlan.ts';
import type { FilmSound } from '../../../../shared/film/sound/track.ts';

/** How a film is heard while it plays: with the gains that its export has. */
export interface HeardFilm {
  mix: MixPlan;
  /** Whether the export mixes the sound; else the takes leave with their own as it came. */
  isMixed: boolean;
  /** What the whole mix is multiplied by. */
  master: number;
  /** How loud the mix is, and what is done to the whole; undefined while something in it has not been measured. */
  loudness: MixLoudness | undefined;
  level: FilmLevel | undefined;
  /** What the channels of each sound are for, by asset. */
  layouts: ReadonlyMap<string, ChannelLayout>;
}

/** What was measured of sounds, by asset. */
export type Measured = ReadonlyMap<string, SoundMeasures>;

/** How the film is heard: as the export mixes it, or, where its takes are joined as they came, with their own sound. */
export function heardFilm(
  input: Omit<MixInput, 'peaks' | 'levelling'>,
  measured: Measured,
  { sound, isEncoded }: { sound: FilmSound | undefined; isEncoded: boolean },
): HeardFilm {
  const target = targetOf(sound?.loudness);
  const whole = { ...input, peaks: peaksOf(measured) };
  const asItCame = mixPlan(whole);
  const inFilm = new Set(input.plan.map(({ shotId }) => shotId));
  const shots = input.shots.filter(({ id }) => inFilm.has(id));
  const isMixed = isEncoded || asksForMix(asItCame.sources, { shots, sound });
  const levelling = new Map(
    input.plan.map((span) => [span.shotId, levellingOf(partOfSound(measured.get(span.assetId ?? ''), span), target)]),
  );
  const mix = isMixed ? mixPlan({ ...whole, levelling }) : asItCame;
  const loudness = mixLoudness(mix, new Map([...measured].map(([id, { momentary }]) => [id, momentary])));
  const level = filmLevel(mix, { target, loudness });
  const layouts = new Map([...measured].flatMap(([id, { layout }]) => (layout ? [[id, layout] as const] : [])));
  return { mix, isMixed, master: isMixed ? (level?.gain ?? mix.headroom) : 1, loudness, level, layouts };
}
