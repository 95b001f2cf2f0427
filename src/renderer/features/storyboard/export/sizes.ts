import type { Export, Preflight } from '../../../../shared/film/filmExport.ts';
import { FILM_SOUND_BITRATE } from '../../../../shared/film/filmFormat.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { formatBytes, formatLength } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type ExportChoices, type FilmWay, hasDocuments } from './choices.ts';
import type { FilmPicture } from './exportView.ts';

/** How large a film will be, and how long it takes. */

type FilmSize = Pick<Sizes, 'pixels' | 'frames'>;

export interface Sizes {
  /** Of a picture. */
  pixels: number;
  /** How many pictures there are. */
  frames: number;
  /** Bytes of the takes that play. */
  takes: number;
  /** How many takes there are. */
  count: number;
  /** Bytes that an encoder makes of it, within a factor of two; undefined where no take is known. */
  encoded: number | undefined;
  /** `0:31, 115 MB` */
  words: string;
}

export function sizesOf(
  { shots, media }: BoardHandle,
  { streams }: Preflight,
  choices: Pick<ExportChoices, 'beside' | 'media'>,
  { way, picture: { width, height } }: { way: FilmWay; picture: FilmPicture },
): Sizes {
  const played = streams.map(({ shotId, assetId, seconds: own }) => ({
    asset: assetId === undefined ? undefined : media.assets.get(assetId),
    seconds: own ?? shots.find(({ shot }) => shot.id === shotId)?.seconds ?? 0,
  }));
  const assets = played.flatMap(({ asset }) => asset ?? []);
  const takes = assets.reduce((sum, { bytes }) => sum + bytes, 0);
  const seconds = played.reduce((sum, one) => sum + one.seconds, 0);
  const pixels = width * height;
  const pictures = played.reduce((sum, one) => sum + encodedPictures(one, pixels), 0);
  const encoded = pictures === 0 ? undefined : Math.round(pictures + (seconds * FILM_SOUND_BITRATE) / 8);
  const fps = streams.find((one) => one.fps !== undefined)?.fps ?? 24;
  const copies = hasDocuments(choices) && choices.media === 'copies' ? takes : 0;
  const film = way === 'join' ? takes : way === 'encode' ? (encoded ?? 0) : 0;
  return {
    takes,
    count: assets.length,
    pixels,
    frames: Math.round(seconds * fps),
    encoded,
    words: wordsOf(seconds, film + copies, way === 'encode' && encoded !== undefined),
  };
}

/** What the pictures of a take grow by, at the encoder's quality; and how they grow with their size. Measured on the sample film. */
const ANEW = 1.5;
const BY_PIXELS = 0.75;

/** The encoder keeps a quality, not a rate: how much a take needs is told by what it needs now. */
function encodedPictures({ asset, seconds }: { asset: Asset | undefined; seconds: number }, pixels: number): number {
  if (!asset) return 0;
  const { bytes, width, height, seconds: whole = seconds } = asset;
  const share = whole === 0 ? 1 : Math.min(1, seconds / whole);
  return ANEW * bytes * share * (width * height === 0 ? 1 : pixels / (width * height)) ** BY_PIXELS;
}

function wordsOf(seconds: number, bytes: number, isEstimate: boolean): string {
  const length = formatLength(seconds);
  if (bytes === 0) return length;
  return `${length}, ${isEstimate ? t`about ${formatBytes(bytes)}` : formatBytes(bytes)}`;
}

/** How fast this machine makes a film is measured on the films that it made, and kept by this window's storage. */
const PLACES = { encode: 'dailies.encodedPixelsPerSecond', join: 'dailies.joinedPixelsPerSecond' } as const;

/** Pixels a second, of the last film that was made so; undefined before the first. */
export function knownSpeed(mode: keyof typeof PLACES): number | undefined {
  const kept = Number(window.localStorage.getItem(PLACES[mode]));
  return Number.isFinite(kept) && kept > 0 ? kept : undefined;
}

/** Seconds that a film would take at a speed in pixels a second; undefined where none was measured. */
export function secondsAt({ pixels, frames }: FilmSize, speed: number | undefined): number | undefined {
  return speed === undefined || pixels * frames === 0 ? undefined : (pixels * frames) / speed;
}

/** Remembers how long a film took from its start, waiting for others included. */
export function rememberSpeed(one: Pick<Export, 'state' | 'mode' | 'createdAt' | 'finishedAt'>, size: FilmSize): void {
  if (one.state !== 'done' || one.mode === undefined || one.finishedAt === undefined) return;
  const seconds = Math.max(0.1, (one.finishedAt - one.createdAt) / 1_000);
  window.localStorage.setItem(PLACES[one.mode], String(Math.round((size.pixels * size.frames) / seconds)));
}
