import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { MEDIA_FOLDER } from '../plan.ts';
import type { Timeline, TimelineItem, TimelineMedia, TimelineTrack } from './timeline.ts';

/**
 * OpenTimelineIO, in the schema versions of 0.15 to 0.18 (`CORE_VERSION_MAP.cpp`). So that Resolve finds media, a clip is named like its
 * file, `target_url` is relative without `./`, and `available_range` is always given.
 */
export function otio(timeline: Timeline): string {
  const { name, items, leftOut, project } = timeline;
  const video = items.map((item) => (item.media ? clipOf(item, item.media, timeline) : gapOf(item, timeline)));
  const hasSound = items.some(({ media, isSilenced }) => media?.audio && !isSilenced);
  const audio = items.map((item) => {
    const { media } = item;
    return media?.audio && !item.isSilenced ? clipOf(item, media, timeline) : gapOf(item, timeline);
  });
  const document = {
    OTIO_SCHEMA: 'Timeline.1',
    metadata: { dailies: { project, left_out: leftOut } },
    name,
    global_start_time: time(0, timeline.rate),
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      ...itemFields('tracks'),
      source_range: null,
      children: [
        trackOf('Video', 'Video 1', video),
        ...(hasSound ? [trackOf('Audio', 'Audio 1', audio)] : []),
        ...(timeline.track ? [trackOf('Audio', 'Music', [musicOf(timeline.track, timeline.rate)])] : []),
      ],
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const itemFields = (name: string, metadata: object = {}, markers: object[] = []) => ({
  metadata,
  name,
  effects: [],
  markers,
  enabled: true,
});

const trackOf = (kind: 'Video' | 'Audio', name: string, children: object[]) => ({
  OTIO_SCHEMA: 'Track.1',
  ...itemFields(name),
  source_range: null,
  children,
  kind,
});

const mediaOf = (name: string, start_time: object, duration: object) => ({
  OTIO_SCHEMA: 'ExternalReference.1',
  metadata: {},
  name,
  available_range: { OTIO_SCHEMA: 'TimeRange.1', start_time, duration },
  available_image_bounds: null,
  target_url: `${MEDIA_FOLDER}/${name}`,
});

function clipOf(item: TimelineItem, media: TimelineMedia, { rate }: Timeline): object {
  const range = { start_time: startTime(media, media.from), duration: time(item.frames, rate) };
  return {
    OTIO_SCHEMA: 'Clip.2',
    ...itemFields(media.name, { dailies: factsOf(item) }, [markerOf(item, range.start_time, rate)]),
    source_range: { OTIO_SCHEMA: 'TimeRange.1', ...range },
    media_references: {
      DEFAULT_MEDIA: mediaOf(media.name, startTime(media), time(media.frames, media.rate)),
    },
    active_media_reference_key: 'DEFAULT_MEDIA',
  };
}

/** In samples of the file and frames of the film; OTIO has no levels, so they are in metadata. */
function musicOf({ name, sampleRate, samples, from, frames, level, fadeIn, fadeOut }: TimelineTrack, rate: FrameRate) {
  const own = { num: sampleRate, den: 1 };
  const told = { level_db: level, fade_in_frames: fadeIn, fade_out_frames: fadeOut };
  return {
    OTIO_SCHEMA: 'Clip.2',
    ...itemFields(name, { dailies: told }),
    source_range: { OTIO_SCHEMA: 'TimeRange.1', start_time: time(from, own), duration: time(frames, rate) },
    media_references: { DEFAULT_MEDIA: mediaOf(name, time(0, own), time(samples, own)) },
    active_media_reference_key: 'DEFAULT_MEDIA',
  };
}

const gapOf = (item: TimelineItem, { rate }: Timeline): object => ({
  OTIO_SCHEMA: 'Gap.1',
  ...itemFields(`Shot ${item.number}`, { dailies: factsOf(item) }),
  source_range: { OTIO_SCHEMA: 'TimeRange.1', start_time: time(0, rate), duration: time(item.frames, rate) },
});

function markerOf(item: TimelineItem, start: object, rate: FrameRate): object {
  const { number, title, prompt, verdict, isStale } = item;
  return {
    OTIO_SCHEMA: 'Marker.2',
    metadata: { dailies: { ...(verdict ? { verdict } : {}), stale: isStale } },
    name: `Shot ${number}, ${title}`,
    color: COLOURS[verdict ?? 'none'],
    marked_range: { OTIO_SCHEMA: 'TimeRange.1', start_time: start, duration: time(1, rate) },
    comment: prompt,
  };
}

/** OTIO's marker colours. */
const COLOURS = { keep: 'GREEN', maybe: 'YELLOW', no: 'RED', none: 'WHITE' } as const;

function factsOf(item: TimelineItem): object {
  const { shotId, number, title, prompt, model, take, seed, verdict, gainDb, isSilenced } = item;
  const known = Object.entries({ take, seed, verdict }).filter(([, value]) => value !== undefined);
  return {
    shot_id: shotId,
    number,
    title,
    prompt,
    model,
    ...Object.fromEntries(known),
    gain_db: gainDb,
    ...(isSilenced ? { sound_off: true } : {}),
  };
}

/** A frame of the file, in its own frames; in its timecode's frames if the timecode does not match one. */
function startTime({ start, rate }: TimelineMedia, from = 0): object {
  const above = start.frame * start.rate.den * rate.num;
  const below = start.rate.num * rate.den;
  if (above % below === 0) return time(above / below + from, rate);
  return time(start.frame + (from * rate.den * start.rate.num) / (rate.num * start.rate.den), start.rate);
}

/** Whole frames at a rate; OTIO's rate is a float. */
const time = (value: number, { num, den }: FrameRate) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: num / den, value });
