import { pathToFileURL } from 'node:url';
import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { t } from '../../../../shared/text/texts.ts';
import { rateValue } from '../format.ts';
import {
  rationalSum,
  rationalTime,
  type Timeline,
  type TimelineItem,
  type TimelineMedia,
  type TimelineTrack,
} from './timeline.ts';

/**
 * FCPXML 1.10 (Apple, "FCPXML Reference"; the document type of that version). Each shot is one `asset-clip` with picture and sound, as
 * Resolve requires: `start` is the file's own timecode, and `adjust-volume` a bare number of decibels.
 */
export function fcpxml(timeline: Timeline, mediaFolder: string): string {
  const resources = new Resources(timeline);
  const music = timeline.track && resources.ofTrack(timeline.track, mediaFolder);
  const spine = timeline.items.map((item, index) => {
    const under = index === 0 && timeline.track && music ? { track: timeline.track, id: music } : undefined;
    return storyOf(item, timeline, resources.of(item, mediaFolder), under);
  });
  const { rate, name, project, frames, leftOut } = timeline;
  const note = leftOut.length > 0 ? [element('note', {}, `Left out: ${leftOut.join(' ')}`)] : [];
  const sequence = element(
    'sequence',
    {
      format: FILM_FORMAT,
      duration: rationalTime(frames, rate),
      tcStart: '0s',
      tcFormat: timecodeFormat(timeline.isDropFrame),
      audioLayout: 'stereo',
      audioRate: '48k',
    },
    [...note, element('spine', {}, spine)],
  );
  const event = element('event', { name: project }, [element('project', { name }, [sequence])]);
  return xmlDocument(
    '<!DOCTYPE fcpxml>',
    element('fcpxml', { version: '1.10' }, [element('resources', {}, resources.elements), event]),
  );
}

const FILM_FORMAT = 'r1';

/** Apple's format names by size and rate; other sizes have none. */
const NAMED_SIZES: Readonly<Record<string, string>> = {
  '1280x720': '720p',
  '1920x1080': '1080p',
  '3840x2160': '3840x2160p',
};
const NAMED_RATES: Readonly<Record<string, string>> = {
  '24000/1001': '2398',
  '24/1': '24',
  '25/1': '25',
  '30000/1001': '2997',
  '30/1': '30',
  '50/1': '50',
  '60000/1001': '5994',
  '60/1': '60',
};

/** Formats and assets, each once; the film's own format first. */
class Resources {
  readonly elements: Element[] = [];
  private readonly formats = new Map<string, string>();
  private readonly assets = new Map<string, string>();

  constructor({ width, height, rate }: Timeline) {
    this.formatOf({ width, height, rate });
  }

  of(item: TimelineItem, mediaFolder: string): Asset | undefined {
    const { media } = item;
    if (!media) return undefined;
    const known = this.assets.get(media.name);
    const format = media.kind === 'still' ? this.stillFormat(media) : this.formatOf(media);
    if (known !== undefined) return { id: known, format, media };
    const id = this.nextId();
    this.assets.set(media.name, id);
    this.elements.push(assetOf(id, { item, media, format, mediaFolder }));
    return { id, format, media };
  }

  ofTrack({ name, sampleRate, channels, samples }: TimelineTrack, mediaFolder: string): string {
    const id = this.nextId();
    const attributes = {
      id,
      name,
      start: '0s',
      duration: rationalTime(samples, { num: sampleRate, den: 1 }),
      hasAudio: '1',
      audioSources: '1',
      audioChannels: String(channels),
      audioRate: String(sampleRate),
    };
    const src = pathToFileURL(`${mediaFolder}/${name}`).href;
    this.elements.push(element('asset', attributes, [element('media-rep', { kind: 'original-media', src })]));
    return id;
  }

  private formatOf({ width, height, rate }: { width: number; height: number; rate: FrameRate }): string {
    const frame = rationalTime(1, rate);
    const size = NAMED_SIZES[`${width}x${height}`];
    const speed = NAMED_RATES[`${rate.num}/${rate.den}`];
    const name: Record<string, string> = size && speed ? { name: `FFVideoFormat${size}${speed}` } : {};
    return this.format(`${width}x${height} ${frame}`, {
      ...name,
      frameDuration: frame,
      width: String(width),
      height: String(height),
      colorSpace: '1-1-1 (Rec. 709)',
    });
  }

  private stillFormat({ width, height }: TimelineMedia): string {
    const size = { width: String(width), height: String(height) };
    return this.format(`still ${width}x${height}`, { name: 'FFVideoFormatRateUndefined', ...size });
  }

  private format(key: string, attributes: Record<string, string>): string {
    const known = this.formats.get(key);
    if (known !== undefined) return known;
    const id = this.nextId();
    this.formats.set(key, id);
    this.elements.push(element('format', { id, ...attributes }));
    return id;
  }

  private nextId(): string {
    return `r${this.elements.length + 1}`;
  }
}

interface Asset {
  id: string;
  format: string;
  media: TimelineMedia;
}

function assetOf(
  id: string,
  {
    item,
    media,
    format,
    mediaFolder,
  }: { item: TimelineItem; media: TimelineMedia; format: string; mediaFolder: string },
): Element {
  const isClip = media.kind === 'clip';
  const sound: Record<string, string> = media.audio
    ? {
        hasAudio: '1',
        audioSources: '1',
        audioChannels: String(media.audio.channels),
        audioRate: String(media.audio.sampleRate),
      }
    : {};
  const attributes = {
    id,
    name: media.name,
    start: startTime(media),
    // A still has no length of its own.
    duration: isClip ? rationalTime(media.frames, media.rate) : '0s',
    hasVideo: '1',
    format,
    videoSources: '1',
    ...sound,
  };
  const src = pathToFileURL(`${mediaFolder}/${media.name}`).href;
  return element('asset', attributes, [
    element('media-rep', { kind: 'original-media', src }),
    element('metadata', {}, factsOf(item)),
  ]);
}

/** How it was made, under keys of our own. */
function factsOf({ prompt, model, seed, take }: TimelineItem): Element[] {
  const facts: [key: string, displayName: string, value: string | undefined, type: string][] = [
    ['prompt', 'Prompt', prompt, 'string'],
    ['model', 'Model', model, 'string'],
    ['seed', 'Seed', seed === undefined ? undefined : String(seed), 'string'],
    ['take', 'Take', take === undefined ? undefined : String(take), 'integer'],
  ];
  return facts.flatMap(([key, displayName, value, type]) =>
    value ? [element('md', { key: `com.dailies.${key}`, value, type, displayName })] : [],
  );
}

/** The file's own timecode at the first frame that plays. */
const playedFrom = ({ start, from, rate }: TimelineMedia): string =>
  rationalSum([start.frame, start.rate], [from, rate]);

/** The file's own timecode at its first frame. */
const startTime = ({ start }: TimelineMedia): string => rationalTime(start.frame, start.rate);

/** The display of timecodes; times themselves are real. */
const timecodeFormat = (isDrop: boolean): string => (isDrop ? 'DF' : 'NDF');

/** One element of the spine. */
function storyOf(item: TimelineItem, timeline: Timeline, asset: Asset | undefined, under: Music | undefined): Element {
  const { rate } = timeline;
  const frame = rationalTime(1, rate);
  const position = { offset: rationalTime(item.at, rate), name: `Shot ${item.number}, ${item.title}` };
  const duration = rationalTime(item.frames, rate);
  const note = item.prompt.trim() === '' ? [] : [element('note', {}, item.prompt)];
  if (!asset)
    return element('gap', { ...position, start: '0s', duration }, [
      ...note,
      ...musicOf(under, '0s', timeline),
      ...marksOf(item, { start: '0s', duration, frame }),
    ]);
  const { id, media, format } = asset;
  const start = playedFrom(media);
  const marks = marksOf(item, { start, duration, frame });
  if (media.kind === 'still')
    return element('video', { ref: id, ...position, start, duration, role: 'video' }, [
      ...note,
      ...musicOf(under, start, timeline),
      ...marks,
    ]);
  const attributes = {
    ref: id,
    ...position,
    name: media.name,
    start,
    duration,
    format,
    tcFormat: timecodeFormat(media.start.own?.isDrop ?? timeline.isDropFrame),
    ...(media.audio ? { audioRole: 'dialogue' } : {}),
  };
  return element('asset-clip', attributes, [
    ...note,
    ...conformOf(media.rate, rate),
    ...volumeOf(item, media),
    ...musicOf(under, start, timeline),
    ...marks,
  ]);
}

interface Music {
  track: TimelineTrack;
  id: string;
}

/** The track, connected below the first shot, in whose own time the film begins at the shot's start. */
function musicOf(under: Music | undefined, offset: string, { rate }: Timeline): Element[] {
  if (!under) return [];
  const { track, id } = under;
  const attributes = {
    ref: id,
    lane: '-1',
    offset,
    name: track.name,
    start: rationalTime(track.from, { num: track.sampleRate, den: 1 }),
    duration: rationalTime(track.frames, rate),
    audioRole: 'music',
  };
  const fades = [
    ...(track.fadeIn > 0 ? [element('fadeIn', { type: 'linear', duration: rationalTime(track.fadeIn, rate) })] : []),
    ...(track.fadeOut > 0 ? [element('fadeOut', { type: 'linear', duration: rationalTime(track.fadeOut, rate) })] : []),
  ];
  const amount = String(Number(track.level.toFixed(2)));
  const line = fades.length > 0 ? [element('param', { name: 'amount' }, fades)] : [];
  return [element('asset-clip', attributes, [element('adjust-volume', { amount }, line)])];
}

/** The rates that `conform-rate` can name. */
const CONFORMED: Readonly<Record<string, string>> = {
  '24000/1001': '23.98',
  '24/1': '24',
  '25/1': '25',
  '30000/1001': '29.97',
  '30/1': '30',
  '48/1': '48',
  '50/1': '50',
  '60000/1001': '59.94',
  '60/1': '60',
};

/** A clip of another rate plays at its own speed. */
function conformOf(own: FrameRate, film: FrameRate): Element[] {
  const srcFrameRate = CONFORMED[`${own.num}/${own.den}`];
  if (rateValue(own) === rateValue(film) || srcFrameRate === undefined) return [];
  return [element('conform-rate', { scaleEnabled: '0', srcFrameRate })];
}

/**
 * In dB: about the smallest step of 16-bit sound (20 · log10(2⁻¹⁶) = −96.3), which other programs write for mute (`amount="-96dB"`). Apple's
 * document type names no minimum.
 */
const OFF = -96;

function volumeOf({ gainDb, isSilenced }: TimelineItem, { audio }: TimelineMedia): Element[] {
  const amount = isSilenced ? OFF : Number(gainDb.toFixed(2));
  return audio && amount !== 0 ? [element('adjust-volume', { amount: String(amount) })] : [];
}

/** The name as a marker, the verdict as a rating or keyword. */
function marksOf(
  item: TimelineItem,
  { start, duration, frame }: { start: string; duration: string; frame: string },
): Element[] {
  const { number, title, take, isStale, verdict } = item;
  const value = [`Shot ${number}`, title, take === undefined ? undefined : `take ${take}`].filter(Boolean).join(', ');
  const marker = element('marker', { start, duration: frame, value, ...(isStale ? { note: t`Outdated` } : {}) });
  const range = { start, duration };
  if (verdict === undefined) return [marker];
  if (verdict === 'maybe') return [marker, element('keyword', { ...range, value: 'maybe' })];
  return [marker, element('rating', { ...range, name: verdict, value: verdict === 'keep' ? 'favorite' : 'reject' })];
}

/** A small tree written as XML 1.0: names are ours, values may be untrusted. */
interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  content: readonly Element[] | string;
}

const element = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: readonly Element[] | string = [],
): Element => ({ name, attributes, content });

const xmlDocument = (doctype: string, root: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}\n\n${written(root, '')}\n`;

function written({ name, attributes, content }: Element, indent: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`);
  const start = `${indent}<${name}${list.join('')}`;
  if (typeof content === 'string') return `${start}>${plainText(content)}</${name}>`;
  if (content.length === 0) return `${start}/>`;
  const inside = content.map((child) => written(child, `${indent}    `));
  return [`${start}>`, ...inside, `${indent}</${name}>`].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Without the characters that XML 1.0 cannot contain, even escaped (XML 1.0, 2.2). */
const plainText = (text: string): string =>
  text.replace(/[^\t\n\r\P{Cc}]|[\p{Cs}\ufffe\uffff]/gu, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** A parser replaces line ends and tabs in attributes by spaces unless they are references (XML 1.0, 3.3.3). */
const attributeText = (text: string): string =>
  plainText(text).replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
