import { beforeAll, expect, test } from 'vitest';
import { filesOf, joined } from '../../../../../test/helpers/files.ts';
import { framesOf } from '../../../../../test/helpers/filmStudio.ts';
import { promptsFound, xmpOf } from '../../../../shared/library/provenance.ts';
import { withMp4Metadata } from './copyMetadata.ts';
import { readEmbeddedProvenance } from './embeddedProvenance.ts';

const put = filesOf('found');
let clip: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 2, rate: { num: 24, den: 1 } });
});

const own = (prompt: string) =>
  JSON.stringify({ version: 1, kind: 'video', prompt, seed: 7, sourceType: 'trainedAlgorithmicMedia' });

const foundIn = async (name: string, bytes: Buffer, mime = 'video/mp4') => {
  const found = await readEmbeddedProvenance(put(name, bytes), mime);
  return found ? promptsFound(found) : null;
};

test('the words in the XMP packet of a clip are found', async () => {
  const marked = await joined(
    await withMp4Metadata(put('plain.mp4', clip), xmpOf('trainedAlgorithmicMedia', own('A quay, "rain" & <fog>'))),
  );
  expect(await foundIn('marked.mp4', marked)).toEqual(['A quay, "rain" & <fog>']);
  expect(await foundIn('plain.mp4', clip)).toEqual([]);
});

test.each([
  ['a packet of another program', xmpOf('trainedAlgorithmicMedia')],
  ['a packet that is cut off', xmpOf('trainedAlgorithmicMedia', own('A quay')).slice(0, 420)],
  ['no packet at all', ''],
])('%s says no words', async (_, packet) => {
  expect(await foundIn('other.mp4', await joined(await withMp4Metadata(put('plain.mp4', clip), packet)))).toEqual([]);
});

test('a packet that is too long to be words is left unread', async () => {
  const packet = xmpOf('trainedAlgorithmicMedia', own('A quay')) + ' '.repeat(1024 * 1024);
  expect(await foundIn('long.mp4', await joined(await withMp4Metadata(put('plain.mp4', clip), packet)))).toEqual([]);
});
