import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultsOfFcpxml } from '../../../../../test/helpers/fcpxmlRules.ts';
import { faultsOfOtio } from '../../../../../test/helpers/otioRules.ts';
import { below, xmlTree } from '../../../../../test/helpers/xmlTree.ts';
import type { FrameRate } from '../../../../shared/filmExport.ts';
import { edl } from './edl.ts';
import { fcpxml } from './fcpxml.ts';
import { safeText, type Timeline, type TimelineItem, type TimelineMedia } from './item.ts';
import { otio } from './otio.ts';
import { frameOf, rationalTime, type TimecodeMode, timecode, timecodeBase } from './time.ts';

const RATES: [name: string, rate: FrameRate][] = [
  ['24', { num: 24, den: 1 }],
  ['25', { num: 25, den: 1 }],
  ['29.97', { num: 30_000, den: 1_001 }],
  ['30', { num: 30, den: 1 }],
];
const FOLDER = '/films/Last Ferry/media';

const clip = (rate: FrameRate, more: Partial<TimelineMedia> = {}): TimelineMedia => ({
  name: 'Last-Ferry_SH010_T01.mp4',
  kind: 'clip',
  width: 1_920,
  height: 1_080,
  rate,
  frames: 143,
  start: { frame: 0, rate },
  audio: { channels: 2, sampleRate: 48_000 },
  ...more,
});

const startAt = (frame: number, rate: FrameRate, isDrop = false) => ({
  frame,
  rate,
  own: { base: timecodeBase(rate), isDrop },
});

const item = (number: number, more: Partial<TimelineItem>): TimelineItem => ({
  shotId: `s${number}`,
  number,
  title: `Title ${number}`,
  at: 0,
  frames: 143,
  gainDb: 0,
  prompt: 'A ferry leaves.',
  model: 'film-1',
  take: 1,
  isStale: false,
  ...more,
});

/** A clip with a timecode, one without sound and of another size and rate, a still, a gap. */
function film(rate: FrameRate): Timeline {
  const other = rate.num === 25 ? { num: 24, den: 1 } : { num: 25, den: 1 };
  const items = [
    item(1, { media: clip(rate, { start: startAt(86_400, rate) }), gainDb: -4.2, verdict: 'keep', seed: 7 }),
    item(2, {
      media: clip(other, {
        name: 'SH020.mp4',
        width: 1_280,
        height: 720,
        frames: 100,
        ...{ audio: undefined },
      } as never),
      frames: 96,
      verdict: 'no',
      isStale: true,
    }),
    item(3, {
      media: clip(rate, { name: 'SH030.png', kind: 'still', frames: 100, ...{ audio: undefined } } as never),
      frames: 100,
      verdict: 'maybe',
    }),
    item(4, { frames: 50 }),
    item(5, { media: clip(rate, { name: 'SH050.mp4' }) }),
  ];
  let at = 0;
  for (const one of items) {
    one.at = at;
    at += one.frames;
  }
  const leftOut = ['Shot 6: it has no clip.'];
  const track = {
    name: 'Harbour.wav',
    sampleRate: 44_100,
    channels: 2,
    samples: 1_323_000,
    from: 66_150,
    frames: at,
    fadeIn: 36,
    fadeOut: 48,
    level: -6,
  };
  return {
    name: 'Last Ferry',
    project: 'Last Ferry',
    rate,
    isDropFrame: false,
    width: 1_920,
    height: 1_080,
    items,
    frames: at,
    track,
    leftOut,
  };
}

const golden = (rate: string, extension: string) =>
  path.resolve(import.meta.dirname, `../../../../../test/fixtures/timelines/film-${rate}.${extension}`);

test.each(RATES)('the timelines at %s are as they were checked', async (name, rate) => {
  await expect(fcpxml(film(rate), FOLDER)).toMatchFileSnapshot(golden(name, 'fcpxml'));
  await expect(otio(film(rate))).toMatchFileSnapshot(golden(name, 'otio'));
  await expect(edl(film(rate))).toMatchFileSnapshot(golden(name, 'edl'));
});

const secondsOf = (time: string): [above: bigint, below: bigint] => {
  const [, above = '', below = '1'] = /^(\d+)(?:\/(\d+))?s$/.exec(time) ?? [];
  return [BigInt(above), BigInt(below)];
};

test('times are exact at every rate and length: integers that give back the frames', () => {
  fc.assert(
    fc.property(fc.constantFrom(...RATES), fc.nat(100_000_000), ([, rate], frames) => {
      const [above, below] = secondsOf(rationalTime(frames, rate));
      expect(above * BigInt(rate.num)).toBe(BigInt(frames) * BigInt(rate.den) * below);
    }),
  );
});

/** The frame that a timecode names, read as an editing program does. */
function frameAt(code: string, mode: TimecodeMode): number {
  const [hours = 0, minutes = 0, seconds = 0, rest = 0] = code.split(/[:;]/).map(Number);
  return frameOf(((hours * 60 + minutes) * 60 + seconds) * mode.base + rest, mode);
}

test('a timecode counts every frame once, and is read back as the same frame', () => {
  fc.assert(
    fc.property(fc.constantFrom(...RATES), fc.nat(2_000_000), ([, rate], frames) => {
      const mode = { base: timecodeBase(rate), isDrop: false };
      expect(frameAt(timecode(frames, mode), mode)).toBe(frames);
    }),
  );
});

test.each(RATES)('at %s the spine has no hole and no overlap, and ends with the film', (_, rate) => {
  const document = xmlTree(fcpxml(film(rate), FOLDER));
  const framesIn = (time = ''): bigint => {
    const [above, unit] = secondsOf(time);
    return (above * BigInt(rate.num)) / BigInt(rate.den) / unit;
  };
  let at = 0n;
  for (const { attributes } of below(document, 'spine').flatMap(({ children }) => children)) {
    expect(framesIn(attributes.offset)).toBe(at);
    at += framesIn(attributes.duration);
  }
  expect(below(document, 'sequence')[0]?.attributes.duration).toBe(rationalTime(Number(at), rate));
});

test.each(RATES)('what Resolve asks for is there at %s', (_, rate) => {
  const document = xmlTree(fcpxml(film(rate), FOLDER));
  const [first] = below(document, 'asset-clip');
  const asset = below(document, 'asset').find(({ attributes }) => attributes.id === first?.attributes.ref);
  expect(first?.attributes.start).toBe(rationalTime(86_400, rate));
  expect(asset?.attributes).toMatchObject({ start: rationalTime(86_400, rate), hasVideo: '1', hasAudio: '1' });
  expect(first && below(first, 'adjust-volume')[0]?.attributes.amount).toBe('-4.2');
  expect(asset && below(asset, 'media-rep')[0]?.attributes.src).toBe(
    'file:///films/Last%20Ferry/media/Last-Ferry_SH010_T01.mp4',
  );
  const timeline = JSON.parse(otio(film(rate)));
  const [track] = timeline.tracks.children;
  for (const each of track.children.filter(({ OTIO_SCHEMA }: { OTIO_SCHEMA: string }) => OTIO_SCHEMA === 'Clip.2')) {
    const { target_url, available_range } = each.media_references.DEFAULT_MEDIA;
    expect(target_url).toBe(`media/${each.name}`);
    expect(available_range).not.toBeNull();
  }
  expect(timeline.metadata.dailies.left_out).toEqual(['Shot 6: it has no clip.']);
});

test('a shot whose own sound is off is off in every timeline', () => {
  const rate = { num: 24, den: 1 };
  const whole = film(rate);
  const [first, ...rest] = whole.items;
  const silenced = { ...whole, items: [...(first ? [{ ...first, gainDb: 0, isSilenced: true }] : []), ...rest] };
  const xml = fcpxml(silenced, FOLDER);
  expect(faultsOfFcpxml(xml)).toEqual([]);
  expect(below(xmlTree(xml), 'adjust-volume').map(({ attributes }) => attributes.amount)).toEqual(['-96', '-6']);
  const timeline = JSON.parse(otio(silenced));
  expect(faultsOfOtio(timeline)).toEqual([]);
  const [video, audio] = timeline.tracks.children;
  expect([video.children[0].OTIO_SCHEMA, audio.children[0].OTIO_SCHEMA]).toEqual(['Clip.2', 'Gap.1']);
  expect(edl(silenced).split('\r\n').slice(3, 9)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^001 {2}SH010 {4}V {5}/), '* AUDIO OFF']),
  );
});

const HOSTILE = [
  '</asset-clip><!-- ]]> & "quoted" \'',
  'bell\u0007 escape\u001b null\u0000 tab\t line\nreturn\r\n',
  'photo\u202egpj.exe \u2066isolate\u2069 \u200b',
  'lone \ud800 surrogate \ufffe \uffff',
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>&a;',
  'نص عربي 字幕 🎬',
  'x'.repeat(10_000),
  '* FROM CLIP NAME: other.mp4\r\n002  AX V C',
];

const hostile = (text: string): Timeline => {
  const rate = { num: 24, den: 1 };
  const safe = safeText(text);
  const one = item(1, { title: safe, prompt: safe, model: safe, media: clip(rate) });
  return {
    name: safe,
    project: safe,
    rate,
    isDropFrame: false,
    width: 16,
    height: 16,
    items: [one, item(2, { at: 143, title: text, prompt: text })],
    frames: 286,
    leftOut: [safe],
  };
};

test.each(HOSTILE)('the words of a model cannot break a timeline: %j', (text) => {
  const xml = fcpxml(hostile(text), FOLDER);
  expect(faultsOfFcpxml(xml)).toEqual([]);
  const [spine] = below(xmlTree(xml), 'spine');
  expect(spine?.children).toHaveLength(2);
  const shown = safeText(text).replace(/\r\n?/g, '\n');
  expect(spine?.children[0]?.children.find(({ name }) => name === 'note')?.text).toBe(shown);
  expect(faultsOfOtio(JSON.parse(otio(hostile(text))))).toEqual([]);
  const lines = edl(hostile(text)).split('\r\n');
  expect(lines.filter((line) => /^\d{3} /.test(line))).toHaveLength(2);
  expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/);
});

test('any text at all leaves a valid document', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(faultsOfFcpxml(fcpxml(hostile(text), FOLDER))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test.each(RATES)('the documents at %s hold to what is published', (_, rate) => {
  expect(faultsOfFcpxml(fcpxml(film(rate), FOLDER))).toEqual([]);
  expect(faultsOfOtio(JSON.parse(otio(film(rate))))).toEqual([]);
});

test('the checks find what is wrong', () => {
  const xml = fcpxml(film({ num: 24, den: 1 }), FOLDER);
  expect(faultsOfFcpxml(xml.replace('hasVideo=', 'hasPicture='))).not.toEqual([]);
  expect(faultsOfFcpxml(xml.replace('version="1.10"', 'version="1.9"'))).not.toEqual([]);
  expect(faultsOfFcpxml(xml.replace(/<note>[^<]*<\/note>\s*(<adjust-volume[^>]*\/>)/, '$1<note>x</note>'))).not.toEqual(
    [],
  );
  expect(faultsOfFcpxml(xml.replace('ref="r2"', 'ref="r99"'))).not.toEqual([]);
  const timeline = JSON.parse(otio(film({ num: 24, den: 1 })));
  expect(faultsOfOtio({ ...timeline, extra: 1 })).not.toEqual([]);
  timeline.tracks.children[0].children[0].media_references.DEFAULT_MEDIA.available_range.duration.value = 'x';
  expect(faultsOfOtio(timeline)).not.toEqual([]);
});

test('a list begins with its first event, behind which what was left out is told', () => {
  const lines = edl({ ...film({ num: 24, den: 1 }), leftOut: ['Shot 9: it has no clip.'] }).split('\r\n');
  expect(lines.findIndex((line) => line.startsWith('001 '))).toBeLessThan(
    lines.findIndex((line) => line.startsWith('*')),
  );
  const note = lines.indexOf('* LEFT OUT: Shot 9: it has no clip.');
  expect(note).toBeGreaterThan(lines.findIndex((line) => line.startsWith('001 ')));
  expect(note).toBeLessThan(lines.findIndex((line) => line.startsWith('002 ')));
});

test('the reel of an event is the number in the name of its media', () => {
  const rate = { num: 24, den: 1 };
  const items = [1, 10].map((number) => item(number, { media: clip(rate, { name: `F_SH${number}0_T01.mp4` }) }));
  const reels = (of: Timeline) => edl(of).match(/^\d{3} {2}SH\S+/gm);
  expect(reels({ ...film(rate), items })).toEqual(['001  SH10', '002  SH100']);
  const named = items.map((one) => ({ ...one, media: clip(rate, { name: `quay-${one.number}.mp4` }) }));
  expect(reels({ ...film(rate), items: named })).toEqual(['001  SH001', '002  SH010']);
});

test('letters outside ASCII leave a mark or their nearest form', () => {
  const rate = { num: 24, den: 1 };
  const text = edl({
    ...film(rate),
    name: 'Паром “Ærø” – été',
    items: [item(1, { prompt: '夜 ferry', media: clip(rate) })],
  });
  expect(text).toContain('TITLE: ????? "Aero" - ete\r\n');
  expect(text).toContain('* NOTE: ? ferry\r\n');
});
