import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { faultsOfFcpxml } from '../../../../test/helpers/fcpxmlRules.ts';
import { exportEnded, FILM, framesOf, makeFilmFolder, type ShotOf } from '../../../../test/helpers/filmStudio.ts';
import { faultsOfOtio } from '../../../../test/helpers/otioRules.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { withTimecode } from '../../../../test/helpers/timecodeTrack.ts';
import { below, xmlTree } from '../../../../test/helpers/xmlTree.ts';
import type { Trim } from '../../../shared/film/trim.ts';

/** A film of which some takes are trimmed, as it is judged and as its timelines tell it. */

const openStudio = studiosOfThisFile();
const AT_24 = { num: 24, den: 1 };

let clip: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 96, rate: AT_24 });
});

const trimmed = (number: number, points: Omit<Trim, 'take'>): ShotOf['shot'] => ({
  trims: [{ take: `j${number}`, ...points }],
});
const filmOf = (...shots: ShotOf[]) => openStudio({ dataDir: makeFilmFolder(shots) });

test('a trimmed take is as long as what plays of it, and has to be encoded', async () => {
  const { ask } = await filmOf({ clip }, { clip, shot: trimmed(2, { inMs: 1_000, outMs: 2_500 }) });
  const { streams, canJoin, joinsPictures, whyNot } = await ask('film.preflight', { projectId: FILM });
  expect([canJoin, joinsPictures]).toEqual([false, false]);
  expect(whyNot).toEqual(['Shot 2 is trimmed, and a part of a clip has to be encoded.']);
  expect(streams.map(({ seconds, isTrimmed }) => [seconds, isTrimmed])).toEqual([
    [4, undefined],
    [1.5, true],
  ]);
});

test('the trim of a take that does not play trims nothing', async () => {
  const { ask } = await filmOf({ clip }, { clip, shot: { trims: [{ take: 'j9', inMs: 1_000 }] } });
  expect(await ask('film.preflight', { projectId: FILM })).toMatchObject({
    canJoin: true,
    streams: [{ seconds: 4 }, { seconds: 4 }],
  });
});

async function timelinesOf(...shots: ShotOf[]) {
  const film = await filmOf(...shots);
  const asked = { projectId: FILM, format: 'fcpxml' as const, beside: ['otio' as const, 'edl' as const] };
  const { folder } = await exportEnded(film, await film.ask('film.export', asked));
  const read = (extension: string) => fs.readFileSync(path.join(folder, `Last-Ferry.${extension}`), 'utf8');
  return { fcpxml: read('fcpxml'), otio: read('otio'), edl: read('edl'), srt: () => read('srt') };
}

test('timelines use the in and out point of the whole clip in the media folder', async () => {
  const words = [{ id: 'w', startMs: 1_500, endMs: 2_000, text: 'Goodbye.' }];
  const cut = { ...trimmed(2, { inMs: 1_000, outMs: 2_500 }), subtitles: words };
  const { fcpxml, otio, edl, srt } = await timelinesOf({ clip }, { clip, shot: cut }, { clip });
  expect(faultsOfFcpxml(fcpxml)).toEqual([]);
  const placed = below(xmlTree(fcpxml), 'asset-clip').map(({ attributes: { offset, start, duration } }) => ({
    ...{ offset, start, duration },
  }));
  expect(placed).toEqual([
    { offset: '0s', start: '0s', duration: '4s' },
    { offset: '4s', start: '1s', duration: '36/24s' },
    { offset: '132/24s', start: '0s', duration: '4s' },
  ]);
  expect(below(xmlTree(fcpxml), 'asset')[1]?.attributes).toMatchObject({ start: '0s', duration: '4s' });
  expect(faultsOfOtio(JSON.parse(otio))).toEqual([]);
  const [, second] = JSON.parse(otio).tracks.children[0].children;
  expect(second.source_range).toMatchObject({ start_time: { value: 24, rate: 24 }, duration: { value: 36, rate: 24 } });
  expect(second.media_references.DEFAULT_MEDIA.available_range.duration.value).toBe(96);
  expect(edl).toContain('00:00:01:00 00:00:02:12 01:00:04:00 01:00:05:12');
  expect(srt()).toContain('00:00:04,500 --> 00:00:05,000');
});

test('a clip with a timecode of its own begins later in it', async () => {
  const own = { frame: 86_400, base: 24, scale: 24, duration: 1, isDrop: false };
  const bytes = withTimecode(clip, own);
  const { fcpxml, otio, edl } = await timelinesOf({ clip: bytes, shot: trimmed(1, { inMs: 500 }) });
  expect(below(xmlTree(fcpxml), 'asset-clip')[0]?.attributes).toMatchObject({ start: '86412/24s', duration: '84/24s' });
  const [first] = JSON.parse(otio).tracks.children[0].children;
  expect(first.source_range.start_time.value).toBe(86_412);
  expect(edl).toContain('01:00:00:12 01:00:04:00 01:00:00:00 01:00:03:12');
});

test('a clip of another rate plays from its own frame on, as long in the film', async () => {
  const slow = await framesOf({ frames: 120, rate: { num: 30, den: 1 } });
  const { fcpxml, edl } = await timelinesOf(
    { clip },
    { clip },
    { clip: slow, shot: trimmed(3, { inMs: 1_000, outMs: 3_000 }) },
  );
  expect(below(xmlTree(fcpxml), 'asset-clip')[2]?.attributes).toMatchObject({ start: '1s', duration: '2s' });
  expect(edl).toContain('00:00:01:00 00:00:03:00 01:00:08:00 01:00:10:00');
});
