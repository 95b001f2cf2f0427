import { useEffect, useMemo, useState } from 'react';
import { create } from 'zustand';
import type { MeasuredFile, SoundMeasures } from '../../../../shared/film/measures.ts';
import { type FilmLevel, filmLevel } from '../../../../shared/film/sound/filmLevel.ts';
import type { ChannelLayout } from '../../../../shared/film/sound/layout.ts';
import { asksForMix, levellingOf } from '../../../../shared/film/sound/levelling.ts';
import { type FilmLoudness, targetOf } from '../../../../shared/film/sound/levels.ts';
import { type MixLoudness, mixLoudness, partOfSound } from '../../../../shared/film/sound/mixLoudness.ts';
import { type MixInput, type MixPlan, type MixSpan, mixPlan, peaksOf } from '../../../../shared/film/sound/mixPlan.ts';
import type { FilmSound as BoardSound, Track } from '../../../../shared/film/sound/track.ts';
import { type Cue, subtitlesOf } from '../../../../shared/film/subtitles/filmSubtitles.ts';
import {
  factsOfSubtitle,
  inTimeOrder,
  type Subtitle,
  type SubtitleFacts,
} from '../../../../shared/film/subtitles/subtitle.ts';
import { readingLimitOf } from '../../../../shared/film/subtitles/subtitleSettings.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { useCall, useEvent } from '../../../app/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { ownEndMs, ownStart, totalSeconds } from '../model/timeline.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';

/** A subtitle in film time, with its reading speed. */
export interface PlacedSubtitle {
  view: ShotView;
  subtitle: Subtitle;
  facts: SubtitleFacts;
  /** Start in film time, in seconds. */
  start: number;
  end: number;
  isFast: boolean;
}

export interface FilmSound extends HeardFilm {
  /** The shots of the film, in order. */
  shots: ShotView[];
  /** Length of the film in seconds. */
  total: number;
  plan: MixSpan[];
  cues: Cue[];
  subtitles: PlacedSubtitle[];
  /** One sentence on why a sound cannot be measured. */
  fault: string | undefined;
  /** The loudness settings of the board. */
  wanted: FilmLoudness | undefined;
  track: Track | undefined;
  trackAsset: Asset | undefined;
  /** Characters per second. */
  limit: number;
}

/** The sound and subtitles of a film, as the board is now. */
export function useFilmSound({ board, shots, media }: BoardHandle): FilmSound {
  const track = board?.sound?.track;
  const trackAsset = track && media.assets.get(track.assetId);
  const limit = readingLimitOf(board?.words);
  const wanted = board?.sound?.loudness;
  const { measured, fault } = useSounds(shots, trackAsset);
  const isEncoded = useSoundEncoded(board, shots);
  return useMemo(() => {
    const played = playedShots(shots);
    const plan = played.map(spanOf);
    const all = played.map(({ shot }) => shot);
    const cues = subtitlesOf(all, plan);
    const heard = heardFilm({ shots: all, plan, track, trackSeconds: trackAsset?.seconds, cues }, measured, {
      sound: board?.sound,
      isEncoded,
    });
    const total = totalSeconds(played.map(({ span }) => span));
    const subtitles = played.flatMap((view) => placed(view, limit));
    return { shots: played, total, plan, cues, subtitles, ...heard, fault, wanted, track, trackAsset, limit };
  }, [shots, board?.sound, track, trackAsset, limit, wanted, measured, fault, isEncoded]);
}

/** The measurements of every sound of the film, by asset. */
function useSounds(shots: readonly ShotView[], trackAsset: Asset | undefined) {
  const clips = playedShots(shots).flatMap(({ active }) => active?.clip ?? []);
  const all = [...clips, ...(trackAsset ? [trackAsset] : [])].filter(({ state }) => state === 'local');
  const files = useMeasures(all.map(({ sha256 }) => sha256));
  const key = all.map(({ id, sha256 }) => `${id} ${sha256}`).join('\n');
  return useMemo(() => {
    const known = key.split('\n').map((line) => {
      const [id = '', sha256 = ''] = line.split(' ');
      return { id, file: files.get(sha256) };
    });
    const sounds = known.flatMap(({ id, file }): [string, SoundMeasures][] =>
      file?.state === 'measured' && file.measures.sound ? [[id, file.measures.sound]] : [],
    );
    const measured: Measured = new Map(sounds);
    return { measured, fault: known.map(({ file }) => faultOf(file)).find((fault) => fault !== undefined) };
  }, [files, key]);
}

/** Whether the film's sound must be encoded, whatever the board's settings. */
function useSoundEncoded(board: BoardHandle['board'], shots: readonly ShotView[]): boolean {
  const clips = playedShots(shots).map(({ shot, active }) => [
    shot.id,
    active?.clip?.id,
    active?.clip?.state,
    active?.trim,
  ]);
  const key = JSON.stringify([clips, board?.format, board?.words?.isBurntIn]);
  const { data, reload } = useCall('film.preflight', board ? { projectId: board.projectId } : null);
  const [read, setRead] = useState(key);
  // The studio checks the saved board.
  useEvent('board.changed', () => {
    if (read === key) return;
    setRead(key);
    reload();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other clips are to be judged, also where the board did not change.
  useEffect(() => reload(), [key, reload]);
  return data !== undefined && (!data.joinsPictures || data.soundEncoded.length > 0);
}

function faultOf(file: MeasuredFile | undefined): string | undefined {
  if (file?.state === 'failed') return file.message;
  return file?.state === 'measured' ? file.measures.soundFault : undefined;
}

/** The span of a shot, audible if its clip is stored here. */
function spanOf({ span, active }: ShotView): MixSpan {
  const clip = active?.clip;
  if (clip?.state !== 'local' || !clip.mime.startsWith('video/')) return span;
  return { ...span, assetId: clip.id, ...(clip.audio === undefined ? {} : { hasSound: clip.audio }) };
}

function placed(view: ShotView, limit: number): PlacedSubtitle[] {
  const all = inTimeOrder(view.shot.subtitles ?? []);
  const { span } = view;
  const at = (ms: number) => Math.max(span.start, ownStart(span) + ms / 1_000);
  return all.map((subtitle) => {
    const facts = factsOfSubtitle(subtitle, all, ownEndMs(span), (span.from ?? 0) * 1_000);
    const isFast = facts.perSecond > limit && subtitle.text.trim() !== '';
    return { view, subtitle, facts, start: at(subtitle.startMs), end: at(subtitle.endMs), isFast };
  });
}

/** The state of the tab besides the lanes; not part of the board. */
interface SoundView {
  panel: 'track' | 'words';
  /** The subtitle being edited. */
  chosen: { shotId: string; id: string; isNew?: boolean } | undefined;
}

export const useSoundView = create<SoundView>()(() => ({ panel: 'track', chosen: undefined }));

/** Selects a subtitle; a new one gets the focus for typing. */
export const chooseSubtitle = (shotId: string, id: string, isNew = false): void =>
  useSoundView.setState({ panel: 'words', chosen: { shotId, id, isNew } });

/** The subtitle being edited: the selected one, or the first. */
export function useChosen({ subtitles }: FilmSound): PlacedSubtitle | undefined {
  const chosen = useSoundView((view) => view.chosen);
  return (
    subtitles.find(({ view, subtitle }) => view.shot.id === chosen?.shotId && subtitle.id === chosen.id) ?? subtitles[0]
  );
}

/** The sound of a film while it plays, with the gains of its export. */
export interface HeardFilm {
  mix: MixPlan;
  /** Whether the export mixes the sound; otherwise takes keep their own sound unchanged. */
  isMixed: boolean;
  /** The overall gain of the mix. */
  master: number;
  /** The loudness and overall processing of the mix; undefined until all of it is measured. */
  loudness: MixLoudness | undefined;
  level: FilmLevel | undefined;
  /** Channel layouts by asset. */
  layouts: ReadonlyMap<string, ChannelLayout>;
}

/** Measurements of sounds, by asset. */
export type Measured = ReadonlyMap<string, SoundMeasures>;

/** The sound of the film: as the export mixes it or, if its takes are joined unchanged, with their own sound. */
export function heardFilm(
  input: Omit<MixInput, 'peaks' | 'levelling'>,
  measured: Measured,
  { sound, isEncoded }: { sound: BoardSound | undefined; isEncoded: boolean },
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
