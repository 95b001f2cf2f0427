import type { Asset } from '../../src/shared/asset.ts';
import type { Board } from '../../src/shared/board.ts';
import type { MeasuredFile } from '../../src/shared/measures.ts';
import { newTrack } from '../../src/shared/sound/track.ts';

/** The music under the look's film. */
export const music = (at: number): Asset => ({
  id: 'harbour-theme',
  revision: 1,
  sha256: '7be1'.repeat(16),
  mime: 'audio/wav',
  width: 0,
  height: 0,
  seconds: 48,
  audio: true,
  bytes: 9_216_044,
  state: 'local',
  role: 'source',
  name: 'harbour-theme.wav',
  createdAt: at,
});

const WORDS: [shot: number, startMs: number, endMs: number, text: string][] = [
  [0, 1_200, 3_400, 'The last boat leaves at ten.'],
  [0, 4_000, 6_600, 'Nobody waits on the pier anymore.'],
  [2, 600, 3_200, 'I counted the lights until I lost\nthe one that was ours.'],
  [2, 4_000, 5_500, 'Ours was the third.'],
  [3, 2_000, 4_000, 'Then there was only water.'],
  [4, 1_400, 3_400, 'And then the morning.'],
];

/** The look's film with its music and its words. */
export const withSound = (board: Board): Board => ({
  ...board,
  sound: { track: { ...newTrack('harbour-theme'), in: 4.2, out: 35.2 } },
  shots: board.shots.map((shot, at) => ({
    ...shot,
    ...(at === 4 ? { ownSound: { isOff: true as const } } : {}),
    subtitles: WORDS.filter(([of]) => of === at).map(([, startMs, endMs, text], index) => ({
      id: String(index),
      startMs,
      endMs,
      text,
    })),
  })),
});

/** Every file as a sound that swells and fades. */
export function measured(sha256s: readonly string[]): Record<string, MeasuredFile> {
  const momentary = Array.from({ length: 477 }, (_, at) => -24 + 4 * Math.sin(at / 6));
  const wave = Array.from({ length: 200 }, (_, at) => Math.round(90 + 60 * Math.sin(at / 5)));
  const sound = {
    lufs: -22.6,
    truePeakDb: -4.2,
    momentary,
    wave,
    waveStart: wave.slice(0, 80),
    waveEnd: wave.slice(-80),
    silent: [],
    clipped: [],
  };
  return Object.fromEntries(sha256s.map((sha256) => [sha256, { state: 'measured', measures: { seconds: 48, sound } }]));
}
