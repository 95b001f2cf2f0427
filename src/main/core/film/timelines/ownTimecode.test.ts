import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsOfFcpxml } from '../../../../../test/helpers/fcpxmlRules.ts';
import { probeFilm } from '../../../../../test/helpers/ffprobe.ts';
import { filesOf } from '../../../../../test/helpers/files.ts';
import { exportEnded, FILM, framesOf, makeFilmFolder } from '../../../../../test/helpers/filmStudio.ts';
import { studiosOfThisFile } from '../../../../../test/helpers/testStudios.ts';
import { type OwnTimecode, withTimecode } from '../../../../../test/helpers/timecodeTrack.ts';
import { below, xmlTree } from '../../../../../test/helpers/xmlTree.ts';
import type { FrameRate } from '../../../../shared/filmExport.ts';
import { startOf } from './item.ts';
import { frameOf, timecode } from './time.ts';

/** A clip's own timecode, from the file to every timeline. */

const openStudio = studiosOfThisFile();
const put = filesOf('timecodes');

const NTSC = { num: 30_000, den: 1_001 };
/** Frames since midnight at one hour, one minute and two frames on the clip's own timecode; what each timeline makes of them. */
const CASES: { name: string; rate: FrameRate; own: OwnTimecode; code: string; start: string; out: string }[] = [
  {
    name: '24',
    rate: { num: 24, den: 1 },
    own: { frame: 87_842, base: 24, scale: 24, duration: 1, isDrop: false },
    code: '01:01:00:02',
    start: '43921/12s',
    out: '01:01:02:02',
  },
  {
    name: '25',
    rate: { num: 25, den: 1 },
    own: { frame: 91_502, base: 25, scale: 12_800, duration: 512, isDrop: false },
    code: '01:01:00:02',
    start: '91502/25s',
    out: '01:01:02:00',
  },
  {
    name: '29.97 drop-frame',
    rate: NTSC,
    own: { frame: 109_692, base: 30, scale: 30_000, duration: 1_001, isDrop: true },
    code: '01:01:00;02',
    start: '9150141/2500s',
    out: '01:01:01;20',
  },
  {
    name: '29.97 non-drop-frame',
    rate: NTSC,
    own: { frame: 109_802, base: 30, scale: 30_000, duration: 1_001, isDrop: false },
    code: '01:01:00:02',
    start: '54955901/15000s',
    out: '01:01:01:20',
  },
  {
    name: '30',
    rate: { num: 30, den: 1 },
    own: { frame: 109_802, base: 30, scale: 600, duration: 20, isDrop: false },
    code: '01:01:00:02',
    start: '54901/15s',
    out: '01:01:01:20',
  },
];

/** The same number of seconds, whatever fraction it is written as. */
function isSameTime(a: string, b: string): boolean {
  const [[aboveA = 0n, belowA = 1n], [aboveB = 0n, belowB = 1n]] = [a, b].map((time) =>
    time.replace('s', '').split('/').map(BigInt),
  ) as [bigint[], bigint[]];
  return aboveA * belowB === aboveB * belowA;
}

describe.each(CASES)('a clip at $name', ({ rate, own, code, start, out }) => {
  const clipOf = async () => withTimecode(await framesOf({ frames: 48, rate }), own);

  test('says its timecode as FFmpeg reads it', async () => {
    const { streams } = await probeFilm(put('clip.mp4', await clipOf()));
    const tags = streams.map((stream) => (stream as { tags?: { timecode?: string } }).tags?.timecode);
    expect(tags).toContain(code);
  });

  test('starts at its own timecode in every timeline', async () => {
    const film = await openStudio({ dataDir: makeFilmFolder([{ clip: await clipOf() }]) });
    const asked = { projectId: FILM, format: 'fcpxml' as const, beside: ['otio' as const, 'edl' as const] };
    const { folder } = await exportEnded(film, await film.ask('film.export', asked));
    const read = (extension: string) => fs.readFileSync(path.join(folder, `Last-Ferry.${extension}`), 'utf8');

    const xml = read('fcpxml');
    expect(faultsOfFcpxml(xml)).toEqual([]);
    const document = xmlTree(xml);
    const [clip] = below(document, 'asset-clip');
    const [asset] = below(document, 'asset');
    expect(isSameTime(clip?.attributes.start ?? '', start)).toBe(true);
    expect(asset?.attributes.start).toBe(clip?.attributes.start);
    const format = own.isDrop ? 'DF' : 'NDF';
    expect([clip?.attributes.tcFormat, below(document, 'sequence')[0]?.attributes.tcFormat]).toEqual([format, format]);

    const [media] = JSON.parse(read('otio')).tracks.children[0].children;
    const { start_time } = media.media_references.DEFAULT_MEDIA.available_range;
    expect(start_time).toMatchObject({ rate: rate.num / rate.den, value: own.frame });
    expect(media.source_range.start_time).toEqual(start_time);

    const edl = read('edl');
    expect(edl).toContain(`FCM: ${own.isDrop ? 'DROP FRAME' : 'NON-DROP FRAME'}\r\n`);
    const hour = own.isDrop ? '01:00:00;00' : '01:00:00:00';
    expect(edl).toContain(` ${code} ${out} ${hour} `);
  });
});

test('a timecode that counts another rate than the pictures is the time that it says', () => {
  const sixty = { num: 60_000, den: 1_001 };
  const stated = { frame: 107_892, base: 30, drop: true, rate: NTSC };
  expect(startOf(stated, sixty)).toEqual({ frame: 107_892, rate: NTSC, own: { base: 30, isDrop: true } });
  const { rate: _, ...unstated } = stated;
  expect(startOf(unstated, sixty).rate).toEqual({ num: 30_000, den: 1_001 });
  expect(startOf({ frame: 1, base: 24, drop: true }, { num: 24, den: 1 })).toEqual({
    frame: 1,
    rate: { num: 24, den: 1 },
    own: { base: 24, isDrop: false },
  });
  expect(startOf(undefined, sixty)).toEqual({ frame: 0, rate: sixty });
});

const DROP = { base: 30, isDrop: true };
const DROP_60 = { base: 60, isDrop: true };

test.each([
  [0, DROP, '00:00:00;00'],
  [1_799, DROP, '00:00:59;29'],
  [1_800, DROP, '00:01:00;02'],
  [17_981, DROP, '00:09:59;29'],
  [17_982, DROP, '00:10:00;00'],
  [107_892, DROP, '01:00:00;00'],
  [2_589_407, DROP, '23:59:59;29'],
  [3_599, DROP_60, '00:00:59;59'],
  [3_600, DROP_60, '00:01:00;04'],
  [35_964, DROP_60, '00:10:00;00'],
  [215_784, DROP_60, '01:00:00;00'],
])('frame %i is %s', (frame, mode, code) => {
  expect(timecode(frame, mode)).toBe(code);
});

test('a drop-frame timecode names every frame once, in order, and none that is dropped', () => {
  fc.assert(
    fc.property(fc.constantFrom(DROP, DROP_60), fc.nat(2_500_000), (mode, frame) => {
      const code = timecode(frame, mode);
      const [hours = 0, minutes = 0, seconds = 0, rest = 0] = code.split(/[:;]/).map(Number);
      expect(minutes % 10 !== 0 && seconds === 0 && rest < mode.base / 15).toBe(false);
      expect(frameOf(((hours * 60 + minutes) * 60 + seconds) * mode.base + rest, mode)).toBe(frame);
    }),
  );
});
