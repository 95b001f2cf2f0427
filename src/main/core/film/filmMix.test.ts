import { expect, test } from 'vitest';
import { shotSchema } from '../../../shared/board/board.ts';
import { ok } from '../../../shared/contract/result.ts';
import type { FilmSegment } from '../../../shared/film/filmExport.ts';
import type { SoundMeasures } from '../../../shared/film/measures.ts';
import type { FilmLoudness } from '../../../shared/film/sound/levels.ts';
import { newTrack, type Track } from '../../../shared/film/sound/track.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { MediaFile } from '../ports.ts';
import { filmMixOf, type HeardFilm, type LoudnessOf, type TrackFacts, trackOf } from './filmMix.ts';
import { trackFindings } from './preflight.ts';

const segment = (index: number, more: Partial<FilmSegment> = {}): FilmSegment => ({
  ...{ shotId: `s${index}`, number: index + 1, title: '', kind: 'clip', assetId: `a${index}`, sha256: `h${index}` },
  ...{ frames: 96, seconds: 4, hasAudio: true, gainDb: 0 },
  ...more,
});
const music = { assetId: 'music', name: 'harbour.wav', sha256: 'hm' };
const here: TrackFacts = { ...music, isHere: true, isSound: true, seconds: 12 };
const laid = (more: Partial<Track> = {}): Track => ({ ...newTrack('music'), ...more });
const measured =
  (peakDb: number): LoudnessOf =>
  () => ({ lufs: -20, truePeakDb: peakDb, momentary: [-30, -20, -10] });

function heard(more: Partial<HeardFilm> & { track?: TrackFacts | undefined } = {}): HeardFilm {
  const segments = [0, 1, 2].map((index) => segment(index));
  return {
    plan: { projectId: 'p', name: '', fps: { num: 24, den: 1 }, width: 16, height: 16, segments },
    board: { shots: segments.map(({ shotId }) => shotSchema.parse({ id: shotId })) },
    track: undefined,
    loudness: () => undefined,
    faultOf: () => undefined,
    ...more,
  };
}
const boardWith = (sound: HeardFilm['board']['sound'], ...shots: object[]): HeardFilm['board'] => ({
  shots: [0, 1, 2].map((index) => shotSchema.parse({ id: `s${index}`, ...shots[index] })),
  ...(sound ? { sound } : {}),
});

const withTrack = boardWith({ track: laid() });

test.each<[string, Partial<HeardFilm> & { track?: TrackFacts }, boolean]>([
  ['nothing', {}, false],
  ['a loudness that is off', { board: boardWith({ loudness: { isOff: true } }) }, false],
  ['a track', { board: withTrack, track: here }, true],
  ['a track that is not here', { board: withTrack, track: { ...here, isHere: false } }, false],
  ['an own level', { board: boardWith(undefined, {}, { ownSound: { level: -3 } }) }, true],
  ['a levelled joint', { board: boardWith(undefined, {}, { isLevelled: true }) }, true],
  ['a loudness', { board: boardWith({ loudness: { target: -16 } }) }, true],
])('a mix is asked for by %s: %j', (_, film, isAsked) => {
  expect(filmMixOf(heard(film)).isAsked).toBe(isAsked);
});

test('a film of which no sound is heard is mixed from none', () => {
  const off = { ownSound: { isOff: true } };
  expect(filmMixOf(heard({ board: boardWith(undefined, off, off, off) }))).toMatchObject({
    sources: [],
    isAsked: true,
  });
});

test('the film is brought to its loudness unless that is off, and its shots before', () => {
  const loudness: LoudnessOf = () => ({ lufs: -20, truePeakDb: -9, momentary: [] });
  const mix = filmMixOf(heard({ loudness }));
  expect(mix.target).toBe(-23);
  expect(mix.sources[0]?.keys[0]?.gain).toBeCloseTo(10 ** (-3 / 20), 9);
  const off = filmMixOf(heard({ loudness, board: boardWith({ loudness: { isOff: true } }) }));
  expect([off.target, off.sources[0]?.keys[0]?.gain]).toEqual([undefined, 1]);
  const loud = filmMixOf(heard({ loudness, board: boardWith({ loudness: { target: -16 } }) }));
  expect([loud.target, loud.sources[0]?.keys[0]?.gain]).toEqual([-16, 10 ** (4 / 20)]);
});

test('what is not measured is not levelled, and that is told by name', () => {
  const faults: Record<string, string> = { h1: 'Only files of up to 10 minutes are measured.' };
  const film = (board: HeardFilm['board']) =>
    heard({
      board,
      loudness: (sha256) => (sha256 === 'h0' ? { lufs: -20, truePeakDb: -9, momentary: [] } : undefined),
      faultOf: (sha256) => faults[sha256],
    });
  const told = (...board: Parameters<typeof boardWith>) => filmMixOf(film(boardWith(...board))).notLevelled;
  const second = 'Shot 2 is not levelled. Only files of up to 10 minutes are measured.';
  const third = 'Shot 3 is not levelled. The sound is not measured.';
  expect(told(undefined)).toEqual([second, third]);
  expect(told(undefined, {}, {}, { ownSound: { isOff: true } })).toEqual([second]);
  expect(told({ loudness: { isOff: true } })).toBeUndefined();
  // A levelled link needs both of its sides.
  expect(told({ loudness: { isOff: true } }, {}, {}, { isLevelled: true })).toEqual([second, third]);
});

test('a levelled link follows what was measured at it', () => {
  const film = heard({ board: boardWith(undefined, {}, { isLevelled: true }), loudness: measured(-20) });
  const [, second] = filmMixOf(film).sources;
  expect(second?.keys[0]).toEqual({ at: 4, gain: expect.closeTo(10 ** ((20 - 3) / 20), 6) });
  expect(second?.keys[1]).toEqual({ at: 4.5, gain: expect.closeTo(10 ** (-3 / 20), 6) });
});

test.each([
  [{ mime: 'audio/wav', audio: true, seconds: 12 }, true],
  [{ mime: 'audio/mpeg' }, true],
  [{ mime: 'video/mp4', audio: false, seconds: 4 }, false],
  [{ mime: 'audio/wav', audio: true, seconds: 0 }, false],
  [{ mime: 'image/png' }, false],
])('whether a track of %j holds sound: %j', (facts, isSound) => {
  const asset = ok({ ...facts, name: 'song.wav' } as Asset);
  const file = ok({ sha256: 'hm' } as MediaFile);
  const library = { get: () => asset, open: () => file };
  expect(trackOf({ sound: { track: laid() } }, library)).toMatchObject({ isHere: true, isSound });
});

const after = (time: string) => `The track is ${time} longer than the film and ends with it.`;

test.each<[string, Partial<TrackFacts>, Partial<Track>, string[]]>([
  ['is as long as the film', {}, {}, []],
  ['is missing', { isHere: false }, {}, ['stop', 's0', 'The file of the track, harbour.wav, is not on this disk.']],
  ['is silent', { isSound: false }, {}, ['stop', 's0', 'The file of the track, harbour.wav, holds no sound.']],
  [
    'is too short',
    { seconds: 5 },
    {},
    ['know', 's1', 'The track ends after 5.0 s, the film after 12.0 s: shot 2 continues without it.'],
  ],
  ['is too long', { seconds: 40 }, {}, ['know', 's2', after('28.0 s')]],
  ['is hours too long', { seconds: 10_786 }, {}, ['know', 's2', after('2 h 59 min 34 s')]],
  ['is cut to the film', { seconds: 40 }, { in: 4, out: 16 }, []],
])('the preflight tells of a track that %s', (_, facts, cut, told) => {
  const film = heard({ board: boardWith({ track: laid(cut) }), track: { ...here, ...facts } });
  const found = trackFindings(film, { isMixed: true });
  expect(found.flatMap(({ level, shotId, message }) => [level, shotId, message])).toEqual(told);
  for (const { code } of found) expect(code).toBe('track');
});

test('the preflight tells what becomes of peaks that are too high, as the export makes it', () => {
  const found = (
    sound: Pick<SoundMeasures, 'lufs' | 'truePeakDb'>,
    loudness?: FilmLoudness,
    film: { isMixed: boolean } = { isMixed: true },
  ) => {
    const board = boardWith({ track: laid({ level: 0, fadeIn: 0, fadeOut: 0 }), ...(loudness ? { loudness } : {}) });
    const momentary = Array<number>(120).fill(sound.lufs ?? -100);
    const findings = trackFindings(heard({ board, track: here, loudness: () => ({ ...sound, momentary }) }), film);
    return findings.map(({ code, shotId, message }) => [code, shotId, message]);
  };
  const clips = 'The sounds of shot 1 would clip together. The mix is lowered by 6.0 dB.';
  expect(found({ lufs: -20, truePeakDb: 0 }, { isOff: true })).toEqual([['loudness', 's0', clips]]);
  expect(found({ lufs: -20, truePeakDb: 0 }, { isOff: true }, { isMixed: false })).toEqual([]);
  expect(found({ lufs: -20, truePeakDb: -8 }, { isOff: true })).toEqual([]);
  // The shot is raised by the 5 dB that its peaks leave, and the whole by the remaining 0.8 dB.
  const held = 'Shot 1 has the loudest peaks. They are lowered by up to 4.7 dB, to -1 dBTP.';
  expect(found({ lufs: -23, truePeakDb: -6 }, { target: -16 })).toEqual([['loudness', 's0', held]]);
  expect(found({ lufs: -16, truePeakDb: -6 }, { target: -16 })).toEqual([]);
  expect(found({ lufs: -23, truePeakDb: -8 })).toEqual([]);
});
