import { beforeAll, describe, expect, test } from 'vitest';
import { probeFilm } from '../../../../test/helpers/ffprobe.ts';
import { filesOf, joined } from '../../../../test/helpers/files.ts';
import { exportEnded, framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { packetsOf } from '../../../../test/helpers/packets.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { withTimecode } from '../../../../test/helpers/timecodeTrack.ts';
import { versionOfMeta } from '../../../../test/helpers/versionOfMeta.ts';
import { PROVENANCE_KEY } from '../../../shared/film/filmTask.ts';
import { type Provenance, xmpOf } from '../../../shared/library/provenance.ts';
import { withMp4Metadata } from '../library/index.ts';
import { copyWithProvenance } from './libraryExport.ts';

/** An exported MP4 carries its provenance once; its packets are unchanged. */

const put = filesOf('clips');
const openStudio = studiosOfThisFile();
const AT_24 = { num: 24, den: 1 };
const said: Provenance = {
  version: 1,
  kind: 'video',
  prompt: 'A “quay” & <lamp>\nПаром 🎬',
  seed: 7,
  sourceType: 'trainedAlgorithmicMedia',
};

let clip: Buffer;
let other: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 24, rate: AT_24, audio: true });
  other = withTimecode(clip, { frame: 24, base: 24, scale: 24, duration: 1, isDrop: false });
});

async function copyOf(bytes: Buffer, provenance = said): Promise<Buffer> {
  const body = await copyWithProvenance({ path: put('original.mp4', bytes), mime: 'video/mp4' } as never, provenance);
  if (!body) throw new Error('it is not marked');
  return joined(body);
}

/** What FFmpeg reads of it. */
async function tagIn(bytes: Buffer): Promise<Provenance | undefined> {
  const { format, complaints } = await probeFilm(put('copy.mp4', bytes));
  // A timecode has nothing to decode.
  expect(complaints.replace('Unsupported codec with id 0 for input stream 2\n', '')).toBe('');
  const text = format.tags?.[PROVENANCE_KEY];
  return text === undefined ? undefined : (JSON.parse(text) as Provenance);
}

const times = (bytes: Buffer, text: string): number => bytes.toString('latin1').split(text).length - 1;

describe.each([
  ['whose index comes first', () => clip],
  ['whose index comes last', () => other],
])('a clip %s', (_, original) => {
  test('says how it was made, and plays the same packets', async () => {
    const copy = await copyOf(original());
    expect(await tagIn(copy)).toEqual(said);
    expect(versionOfMeta(copy)).toBe(0);
    expect(copy.toString('latin1')).toContain('digitalsourcetype/trainedAlgorithmicMedia');
    expect(await packetsOf(copy)).toEqual(await packetsOf(original()));
  });

  test('says it once, whatever was said before', async () => {
    const older = await copyOf(original(), { ...said, prompt: 'OLDER' });
    // A packet that is not the last box, either.
    const between = Buffer.concat([older, Buffer.from([0, 0, 0, 8]), Buffer.from('free', 'latin1')]);
    for (const before of [older, between]) {
      const copy = await copyOf(before);
      expect(await tagIn(copy)).toEqual(said);
      expect([times(copy, 'OLDER'), times(copy, '<?xpacket begin'), times(copy, PROVENANCE_KEY)]).toEqual([0, 1, 1]);
      expect(await packetsOf(copy)).toEqual(await packetsOf(original()));
    }
    const twice = await copyOf(await copyOf(original()));
    expect(twice.equals(await copyOf(original()))).toBe(true);
  });
});

test('what another program wrote under its own key stays', async () => {
  const theirs = { keyword: 'com.other.note', text: 'stays' };
  const before = await joined(
    await withMp4Metadata(put('theirs.mp4', clip), xmpOf('trainedAlgorithmicMedia', '{"OLDER":1}'), theirs),
  );
  const copy = await copyOf(before);
  const { format } = await probeFilm(put('both.mp4', copy));
  expect(format.tags?.['com.other.note']).toBe('stays');
  expect([await tagIn(copy), times(copy, 'OLDER')]).toEqual([said, 0]);
});

test('an index that cannot be written anew stays, and the packet alone is written', async () => {
  const index = clip.indexOf('moov') - 4;
  const size = clip.readUInt32BE(index);
  const fragments = Buffer.concat([
    clip.subarray(0, index),
    Buffer.from([0, 0, 0, 0]),
    clip.subarray(index + 4, index + size),
    Buffer.from([0, 0, 0, 8]),
    Buffer.from('mvex', 'latin1'),
    clip.subarray(index + size),
  ]);
  fragments.writeUInt32BE(size + 8, index);
  const copy = await copyOf(fragments);
  expect(copy.subarray(0, fragments.length).equals(fragments)).toBe(true);
  expect(copy.toString('latin1')).toContain('digitalsourcetype/trainedAlgorithmicMedia');
});

test('a take that leaves and comes back is offered with its words', async () => {
  const film = await openStudio({ dataDir: makeFilmFolder([{ clip, prompt: 'A quay at dawn', seed: 7 }]) });
  const { folder } = await exportEnded(film, await film.ask('library.export', { ids: ['a1'] }));
  const { id } = await film.ask('library.import', { path: `${folder}/a1.mp4` });
  expect(await film.ask('library.found', { id })).toMatchObject({
    provenance: { prompt: 'A quay at dawn', seed: 7, kind: 'video', request: { model: 'film-1' } },
  });
});
