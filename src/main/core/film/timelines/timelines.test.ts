import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultsOfFcpxml } from '../../../../../test/helpers/fcpxmlRules.ts';
import { faultsOfOtio } from '../../../../../test/helpers/otioRules.ts';
import { below, xmlTree } from '../../../../../test/helpers/xmlTree.ts';
import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { edl } from './edl.ts';
import { fcpxml } from './fcpxml.ts';
import { otio } from './otio.ts';
import {
  rationalTime,
  safeText,
  type Timeline,
  type TimelineItem,
  type TimelineMedia,
  timecodeBase,
} from './timeline.ts';

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
  from: 0,
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
  const silent = (at: FrameRate, more: Partial<TimelineMedia>) =>
    clip(at, { frames: 100, ...more, ...({ audio: undefined } as object) });
  const rejected = { verdict: 'no', isStale: true } as const;
  const items = [
    item(1, { media: clip(rate, { start: startAt(86_400, rate) }), gainDb: -4.2, verdict: 'keep', seed: 7 }),
    item(2, { media: silent(other, { name: 'SH020.mp4', width: 1_280, height: 720 }), frames: 96, ...rejected }),
    item(3, { media: silent(rate, { name: 'SH030.png', kind: 'still' }), frames: 100, verdict: 'maybe' }),
    item(4, { frames: 50 }),
    item(5, { media: clip(rate, { name: 'SH050.mp4' }) }),
  ];
  let at = 0;
  for (const one of items) {
    one.at = at;
    at += one.frames;
  }
  const leftOut = ['Shot 6: it has no clip.'];
  const sound = { name: 'Harbour.wav', sampleRate: 44_100, channels: 2, samples: 1_323_000, from: 66_150 };
  const track = { ...sound, frames: at, fadeIn: 36, fadeOut: 48, level: -6 };
  const name = 'Last Ferry';
  const size = { width: 1_920, height: 1_080 };
  return { name, project: name, rate, isDropFrame: false, ...size, items, frames: at, track, leftOut };
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

test.each(RATES)(
  'the documents at %s hold to what is published, and the spine to the film, without a hole or an overlap',
  (_, rate) => {
    const xml = fcpxml(film(rate), FOLDER);
    expect([faultsOfFcpxml(xml), faultsOfOtio(JSON.parse(otio(film(rate))))]).toEqual([[], []]);
    const document = xmlTree(xml);
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
  },
);

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
  const items = [one, item(2, { at: 143, title: text, prompt: text })];
  const { track: _, ...bare } = film(rate);
  return { ...bare, name: safe, project: safe, items, frames: 286, leftOut: [safe] };
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

test('the checks find what is wrong', () => {
  const xml = fcpxml(film({ num: 24, den: 1 }), FOLDER);
  const spoiled = [
    xml.replace('hasVideo=', 'hasPicture='),
    xml.replace('version="1.10"', 'version="1.9"'),
    xml.replace(/<note>[^<]*<\/note>\s*(<adjust-volume[^>]*\/>)/, '$1<note>x</note>'),
    xml.replace('ref="r2"', 'ref="r99"'),
  ];
  for (const one of spoiled) expect(faultsOfFcpxml(one)).not.toEqual([]);
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
