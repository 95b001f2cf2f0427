import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { faultsOfFcpxml } from '../../../../../test/helpers/fcpxmlRules.ts';
import { filesOf } from '../../../../../test/helpers/files.ts';
import { exportEnded, FILM, framesOf, makeFilmFolder } from '../../../../../test/helpers/filmStudio.ts';
import { faultsOfOtio } from '../../../../../test/helpers/otioRules.ts';
import { studiosOfThisFile } from '../../../../../test/helpers/testStudios.ts';
import { WAVE_RATE, waveFile } from '../../../../../test/helpers/waveFile.ts';
import { below, xmlTree } from '../../../../../test/helpers/xmlTree.ts';
import type { Track } from '../../../../shared/film/sound/track.ts';

/** The film's track is in every timeline, and its file is exported. */

const openStudio = studiosOfThisFile();
const put = filesOf('tracks');

/** So many seconds of silence. */
const wav = (seconds: number) => waveFile([new Float32Array(seconds * WAVE_RATE)]);

let clip: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 48, rate: { num: 24, den: 1 } });
});

/** Two shots of two seconds each over a sound of this length, which cannot be measured. */
async function filmOver(seconds: number, track: Partial<Track> = {}) {
  const film = await openStudio({ dataDir: makeFilmFolder([{ clip }, { clip }]) });
  const { id: assetId } = await film.ask('library.import', { path: put('Harbour at night.wav', wav(seconds)) });
  const board = await film.ask('storyboard.get', { projectId: FILM });
  const laid = { assetId, in: 0.5, fadeIn: 0.5, fadeOut: 1, level: -6, ...track };
  await film.ask('storyboard.save', { ...board, sound: { track: laid } });
  await film.ask('film.preflight', { projectId: FILM });
  for (let work = await film.ask('media.claim'); work.task; work = await film.ask('media.claim'))
    await film.ask('media.finish', { taskId: work.task.id, error: 'It cannot be decoded.' });
  return film;
}

async function timelinesOf(film: Awaited<ReturnType<typeof filmOver>>) {
  const asked = { projectId: FILM, format: 'fcpxml' as const, beside: ['otio' as const, 'edl' as const] };
  const done = await exportEnded(film, await film.ask('film.export', asked));
  const read = (extension: string) => fs.readFileSync(path.join(done.folder, `Last-Ferry.${extension}`), 'utf8');
  return { done, xml: read('fcpxml'), timeline: JSON.parse(read('otio')), edl: read('edl') };
}

test('the track begins with the film, in every timeline, with its level and its fades', async () => {
  const { done, xml, timeline, edl } = await timelinesOf(await filmOver(10));
  expect(done.files.map(({ name }) => name)).toContain('media/Harbour-at-night.wav');
  expect([faultsOfFcpxml(xml), faultsOfOtio(timeline)]).toEqual([[], []]);

  const document = xmlTree(xml);
  const [music, ...more] = below(document, 'asset-clip').filter(({ attributes }) => attributes.lane === '-1');
  expect(more).toEqual([]);
  expect(music?.attributes).toMatchObject({ offset: '0s', start: '24000/48000s', duration: '4s', audioRole: 'music' });
  const asset = below(document, 'asset').find(({ attributes }) => attributes.id === music?.attributes.ref);
  expect(asset?.attributes).toMatchObject({ duration: '10s', hasAudio: '1', audioRate: '48000', audioChannels: '1' });
  expect(music && below(music, 'adjust-volume')[0]?.attributes.amount).toBe('-6');
  expect(music && ['fadeIn', 'fadeOut'].map((name) => below(music, name)[0]?.attributes.duration)).toEqual([
    '12/24s',
    '1s',
  ]);

  const track = timeline.tracks.children.at(-1);
  expect([track.kind, track.name, track.children.length]).toEqual(['Audio', 'Music', 1]);
  const [laid] = track.children;
  expect(laid.media_references.DEFAULT_MEDIA.target_url).toBe('media/Harbour-at-night.wav');
  expect(laid.source_range).toMatchObject({
    start_time: { rate: WAVE_RATE, value: 24_000 },
    duration: { rate: 24, value: 96 },
  });

  expect(edl).toContain('003  MUSIC    A2    C        00:00:00:12 00:00:04:12 01:00:00:00 01:00:04:00\r\n');
  expect(edl).toContain('* AUDIO GAIN: -6.0 DB\r\n');
});

test('a track that is shorter than the film ends with its file', async () => {
  const { xml, timeline } = await timelinesOf(await filmOver(2, { fadeIn: 0, fadeOut: 0, level: 0 }));
  const music = below(xmlTree(xml), 'asset-clip').find(({ attributes }) => attributes.lane === '-1');
  expect(music?.attributes.duration).toBe('36/24s');
  expect(timeline.tracks.children.at(-1).children[0].source_range.duration.value).toBe(36);
});

test('what no timeline holds of it is listed, and a muted track is no part of the film', async () => {
  const duck = { under: 'words' as const, by: 9, before: 0.3, after: 0.6 };
  const { xml, timeline, edl } = await timelinesOf(await filmOver(10, { duck }));
  const left = 'The track is not lowered.';
  expect(timeline.metadata.dailies.left_out).toEqual([left]);
  expect([xml.includes(left), edl.includes(left)]).toEqual([true, true]);
  const muted = await timelinesOf(await filmOver(10, { isMuted: true }));
  const heard = [muted.xml.includes('lane='), muted.edl.includes('MUSIC'), muted.timeline.tracks.children.length];
  expect(heard).toEqual([false, false, 1]);
});
