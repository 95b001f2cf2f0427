import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultsOfFcpxml } from '../../../../../test/helpers/fcpxmlRules.ts';
import { probeFilm } from '../../../../../test/helpers/ffprobe.ts';
import { filesOf } from '../../../../../test/helpers/files.ts';
import { exportEnded, FILM, framesOf, makeFilmFolder } from '../../../../../test/helpers/filmStudio.ts';
import { studiosOfThisFile } from '../../../../../test/helpers/testStudios.ts';
import { type OwnTimecode, withTimecode } from '../../../../../test/helpers/timecodeTrack.ts';
import { below, xmlTree } from '../../../../../test/helpers/xmlTree.ts';
import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { frameOf, startOf, timecode } from './timeline.ts';

/** A clip's own timecode, from the file to every timeline. */

const openStudio = studiosOfThisFile();
const put = filesOf('timecodes');

const NTSC = { num: 30_000, den: 1_001 };
const even = (num: number): FrameRate => ({ num, den: 1 });
const counts = (frame: number, base: number, scale: number, duration: number, isDrop = false): OwnTimecode => ({
  ...{ frame, base, scale, duration, isDrop },
});

/** Frames since midnight at one hour, one minute and two frames on the clip's own timecode; what each timeline makes of them. */
const CASES: [name: string, rate: FrameRate, own: OwnTimecode, code: string, start: string, out: string][] = [
  ['24', even(24), counts(87_842, 24, 24, 1), '01:01:00:02', '43921/12s', '01:01:02:02'],
  ['25', even(25), counts(91_502, 25, 12_800, 512), '01:01:00:02', '91502/25s', '01:01:02:00'],
  ['29.97 drop', NTSC, counts(109_692, 30, 30_000, 1_001, true), '01:01:00;02', '9150141/2500s', '01:01:01;20'],
  ['29.97 non-drop', NTSC, counts(109_802, 30, 30_000, 1_001), '01:01:00:02', '54955901/15000s', '01:01:01:20'],
  ['30', even(30), counts(109_802, 30, 600, 20), '01:01:00:02', '54901/15s', '01:01:01:20'],
];

/** The same number of seconds, whatever fraction it is written as. */
function isSameTime(a: string, b: string): boolean {
  const [[aboveA = 0n, belowA = 1n], [aboveB = 0n, belowB = 1n]] = [a, b].map((time) =>
    time.replace('s', '').split('/').map(BigInt),
  ) as [bigint[], bigint[]];
  return aboveA * belowB === aboveB * belowA;
}

test.each(CASES)(
  'a clip at %s starts at its own timecode in every timeline',
  async (_, rate, own, code, start, out) => {
    const bytes = withTimecode(await framesOf({ frames: 48, rate }), own);
    const { streams } = await probeFilm(put('clip.mp4', bytes));
    const tags = streams.map((stream) => (stream as { tags?: { timecode?: string } }).tags?.timecode);
    expect(tags).toContain(code);
    const film = await openStudio({ dataDir: makeFilmFolder([{ clip: bytes }]) });
    const asked = { projectId: FILM, format: 'fcpxml' as const, beside: ['otio' as const, 'edl' as const] };
    const { folder } = await exportEnded(film, await film.ask('film.export', asked));
    const read = (extension: string) => fs.readFileSync(path.join(folder, `Last-Ferry.${extension}`), 'utf8');

    expect(faultsOfFcpxml(read('fcpxml'))).toEqual([]);
    const document = xmlTree(read('fcpxml'));
    const [[clip], [asset], [sequence]] = ['asset-clip', 'asset', 'sequence'].map((name) => below(document, name)) as [
      ...[ReturnType<typeof below>, ReturnType<typeof below>, ReturnType<typeof below>],
    ];
    expect(isSameTime(clip?.attributes.start ?? '', start)).toBe(true);
    expect(asset?.attributes.start).toBe(clip?.attributes.start);
    const format = own.isDrop ? 'DF' : 'NDF';
    expect([clip?.attributes.tcFormat, sequence?.attributes.tcFormat]).toEqual([format, format]);

    const [media] = JSON.parse(read('otio')).tracks.children[0].children;
    const { start_time } = media.media_references.DEFAULT_MEDIA.available_range;
    expect(start_time).toMatchObject({ rate: rate.num / rate.den, value: own.frame });
    expect(media.source_range.start_time).toEqual(start_time);

    expect(read('edl')).toContain(`FCM: ${own.isDrop ? 'DROP FRAME' : 'NON-DROP FRAME'}\r\n`);
    expect(read('edl')).toContain(` ${code} ${out} ${own.isDrop ? '01:00:00;00' : '01:00:00:00'} `);
  },
);

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

test('a timecode names every frame once, and none that is dropped', () => {
  const WHOLE = [24, 25, 30].map((base) => ({ base, isDrop: false }));
  fc.assert(
    fc.property(fc.constantFrom(DROP, DROP_60, ...WHOLE), fc.nat(2_000_000), (mode, frame) => {
      const code = timecode(frame, mode);
      const [hours = 0, minutes = 0, seconds = 0, rest = 0] = code.split(/[:;]/).map(Number);
      expect(mode.isDrop && minutes % 10 !== 0 && seconds === 0 && rest < mode.base / 15).toBe(false);
      expect(frameOf(((hours * 60 + minutes) * 60 + seconds) * mode.base + rest, mode)).toBe(frame);
    }),
  );
});
