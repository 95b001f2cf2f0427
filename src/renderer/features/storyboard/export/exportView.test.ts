import { expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Finding, Preflight, Stream } from '../../../../shared/film/filmExport.ts';
import type { ShotView } from '../model/view.ts';
import { codecName, filesOf, groupsOf, outcomeOf, pictureOf, stepsOf, streamRows, unmeasured } from './exportView.ts';
import { type ExportChoices, exportInput, leavesAt, offReason, secondsAt, wayOf, whyNotJoined } from './plan.ts';

const view = (id: string, number: number) => ({ number, shot: { id } }) as unknown as ShotView;
const shots = [view('a', 1), view('b', 2), view('c', 3)];
const stream = (shotId: string, more: Partial<Stream> = {}): Stream => ({
  shotId,
  width: 1_280,
  height: 720,
  fps: 24,
  videoCodec: 'avc1.640028',
  audioCodec: 'mp4a.40.2',
  sampleRate: 48_000,
  lufs: -23,
  ...more,
});
const hole: Finding = { level: 'stop', code: 'missing', shotId: 'c', message: 'Shot 3 has no take. Planned 4 s.' };
const silent: Finding = {
  level: 'know',
  code: 'silent',
  shotId: 'b',
  message: 'Shot 2 is silent: it was made without sound, so silence is added.',
};
const preflight = (findings: Finding[], streams: Stream[]): Preflight => ({
  findings,
  streams,
  canJoin: findings.length === 0,
  whyNot: [],
  joinsPictures: findings.length === 0,
  soundEncoded: [],
});
const NOTHING_DECIDED = { held: [], accepted: [] };
const choices = (more: Partial<ExportChoices> = {}): ExportChoices => ({
  film: undefined,
  beside: ['fcpxml', 'csv'],
  media: 'copies',
  name: undefined,
  folder: undefined,
  provenance: true,
  ...NOTHING_DECIDED,
  ...more,
});

test('what stops it, what to know and what is decided are apart', () => {
  const found = preflight([hole, silent], [stream('a'), stream('b', { audioCodec: undefined }), { shotId: 'c' }]);
  const open = groupsOf(found, shots, NOTHING_DECIDED);
  expect([open.stops.length, open.know.length, open.decided.length]).toEqual([1, 1, 0]);
  expect(open.know[0]).toMatchObject({
    title: 'Shot 2 is silent',
    detail: 'It was made without sound, so silence is added.',
  });
  const accepted = open.know.map(({ key }) => key);
  const done = groupsOf(found, shots, { held: ['c'], accepted });
  expect([done.stops.length, done.know.length, done.decided.length]).toEqual([0, 0, 2]);
});

test('a still stands for no track: its file is still missing', () => {
  const message = 'The file of the track, harbour.wav, is not on this disk.';
  const track: Finding = { level: 'stop', code: 'track', shotId: 'c', message };
  const { stops, decided } = groupsOf(preflight([hole, track], []), shots, { held: ['c'], accepted: [] });
  expect([stops.map(({ finding }) => finding.code), decided.map(({ finding }) => finding.code)]).toEqual([
    ['track'],
    ['missing'],
  ]);
  expect(offReason(choices(), 'encode', { stops }, 3)).toBe('Fix 1 problem first.');
});

test('the odd cells are those that differ from most', () => {
  const rows = streamRows(
    preflight([], [stream('a'), stream('b', { width: 1_920, height: 1_080, audioCodec: undefined }), stream('c')]),
    shots,
  );
  expect(rows.map(({ odd }) => [...odd])).toEqual([[], ['picture', 'sound'], []]);
});

test('codings are said as people know them', () => {
  expect(['avc1.640028', 'avc1.4d401f', 'mp4a.40.2', 'vp09.00.10.08'].map(codecName)).toEqual([
    'H.264 High 4.0',
    'H.264 Main 3.1',
    'AAC',
    'VP9',
  ]);
});

test('it is joined where that is possible, and the reasons why not are told', () => {
  const found = preflight([], [stream('a'), stream('b')]);
  const same = pictureOf(undefined, found.streams);
  expect(whyNotJoined(found, same)).toEqual([]);
  expect(wayOf(choices(), [])).toBe('join');
  const differing = { ...found, canJoin: false, whyNot: ['Shot 2 differs from shot 1 in sound.'], joinsPictures: true };
  expect(whyNotJoined(differing, same)).toEqual([]);
  expect(whyNotJoined({ ...differing, joinsPictures: false }, same)).toEqual(differing.whyNot);
  expect(wayOf(choices({ film: 'join' }), ['Shot 2 differs.'])).toBe('encode');
  expect(wayOf(choices({ film: 'none' }), ['Shot 2 differs.'])).toBe('none');
  const board = { projectId: 'p', revision: 1, shots: [], format: { resolution: '1080p' as const } };
  const large = pictureOf(board, found.streams);
  expect(large).toMatchObject({ width: 1_920, height: 1_080, isScaled: true });
  expect(whyNotJoined(found, large)).toEqual(['The takes are not 1920 × 1080.']);
});

test('the button says why it is off', () => {
  const groups = groupsOf(preflight([hole], [stream('a')]), shots, NOTHING_DECIDED);
  expect(offReason(choices(), 'encode', undefined, 1)).toBe('The film is being checked.');
  expect(offReason(choices(), 'encode', groups, 3)).toBe('Fix 1 problem first.');
  expect(offReason(choices({ beside: [] }), 'none', { stops: [] }, 3)).toBe('Choose what to export.');
  expect(offReason(choices({ name: ' ' }), 'join', { stops: [] }, 3)).toBe('Name: must not be empty.');
  expect(offReason(choices(), 'join', { stops: [] }, 0)).toBe('The film has no shots.');
  expect(offReason(choices(), 'join', { stops: [] }, 3)).toBeUndefined();
});

test('the call holds what was chosen, all of it in one export', () => {
  expect(exportInput('p', choices({ name: ' Cut 3 ', held: ['c'], provenance: false }), 'encode')).toEqual({
    projectId: 'p',
    format: 'mp4',
    mode: 'encode',
    beside: ['fcpxml', 'csv'],
    holes: 'still',
    held: ['c'],
    media: 'copies',
    name: 'Cut 3',
    provenance: false,
  });
  expect(exportInput('p', choices({ beside: ['otio', 'edl'] }), 'none')).toMatchObject({
    format: 'otio',
    beside: ['edl'],
    holes: 'refuse',
  });
  expect(exportInput('p', choices({ beside: [] }), 'join')).toEqual({
    projectId: 'p',
    format: 'mp4',
    mode: 'join',
    holes: 'refuse',
  });
});

test('the steps follow the progress', () => {
  const states = (progress: number) =>
    stepsOf({ kind: 'mp4', progress }, { way: 'encode', hasDocuments: true }).map(({ state }) => state);
  expect(states(0)).toEqual(['now', 'waits', 'waits', 'waits']);
  expect(states(4)).toEqual(['done', 'now', 'waits', 'waits']);
  expect(states(80)).toEqual(['done', 'done', 'now', 'waits']);
  expect(states(95)).toEqual(['done', 'done', 'done', 'now']);
  expect(stepsOf({ kind: 'csv', progress: 10 }, undefined).map(({ title }) => title)).toEqual([
    'Documents and media folder',
    'Read back and checked',
  ]);
});

test('files are told apart: the film, documents, and the media folder as one', () => {
  const file = (name: string, mime: string) => ({ name, bytes: 10, mime, sha256: '' });
  const files = [file('f.mp4', 'video/mp4'), file('media/a.mp4', 'video/mp4'), file('f.csv', 'text/csv')];
  const told = filesOf({ files });
  expect(told.film?.name).toBe('f.mp4');
  expect(told.beside.map(({ name }) => name)).toEqual(['f.csv']);
  expect(told.media).toEqual({ words: '1 file', bytes: 10 });
  const withTrack = filesOf({ files: [...files, file('media/harbour.wav', 'audio/wav')] });
  expect(withTrack.media).toEqual({ words: '2 files', bytes: 20 });
});

test('a time is told only where it was measured', () => {
  expect(secondsAt({ pixels: 1_000, frames: 50 }, undefined)).toBeUndefined();
  expect(secondsAt({ pixels: 1_000, frames: 50 }, 10_000)).toBe(5);
});

test('what cannot be measured is not waited for', () => {
  const { lufs: _, ...open } = stream('a');
  expect(unmeasured([open, { ...open, shotId: 'b', soundFault: 'Its sound is silent.' }, stream('c')])).toBe(1);
});

test('a step of loudness stays as it is only where the film is not levelled', () => {
  const step: Finding = { level: 'know', code: 'loudness', shotId: 'b', message: 'Loudness steps by 4.2 LU.' };
  expect(outcomeOf(step, -23)).toBe('Levelled to −23 LUFS');
  expect(outcomeOf(step, undefined)).toBe(labels.asItIs);
  expect(outcomeOf({ ...step, code: 'size' }, -23)).toBe(labels.asItIs);
  expect(leavesAt(undefined, { way: 'join', soundEncoded: [] })).toBeUndefined();
  expect(leavesAt(undefined, { way: 'join', soundEncoded: ['The board mixes the sound.'] })).toBe(-23);
  expect(leavesAt({ isOff: true }, { way: 'encode', soundEncoded: [] })).toBeUndefined();
});
