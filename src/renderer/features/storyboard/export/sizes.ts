import type { Preflight } from '../../../../shared/filmExport.ts';
import { t } from '../../../../shared/texts.ts';
import { formatBytes, formatLength } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type ExportChoices, type FilmWay, hasDocuments } from './choices.ts';
import type { FilmSize } from './encodeSpeed.ts';
import { pictureOf } from './exportView.ts';

export interface Sizes extends FilmSize {
  /** Bytes of the takes that play. */
  takes: number;
  /** How many takes there are. */
  count: number;
  /** `0:31 of film, 115 MB` */
  words: string;
}

/** How long the film is and what is known of its size; what an encoder will make of it is not known before. */
export function sizesOf(
  { board, shots, media }: BoardHandle,
  { streams }: Preflight,
  choices: Pick<ExportChoices, 'beside' | 'media'>,
  way: FilmWay,
): Sizes {
  const assets = streams.flatMap(({ assetId }) => (assetId === undefined ? [] : (media.assets.get(assetId) ?? [])));
  const takes = assets.reduce((sum, { bytes }) => sum + bytes, 0);
  const seconds = streams.reduce(
    (sum, { shotId, seconds: own }) => sum + (own ?? shots.find(({ shot }) => shot.id === shotId)?.seconds ?? 0),
    0,
  );
  const fps = streams.find((one) => one.fps !== undefined)?.fps ?? 24;
  const { width, height } = pictureOf(board, streams);
  const copies = hasDocuments(choices) && choices.media === 'copies' ? takes : 0;
  const known = copies + (way === 'join' ? takes : 0);
  const bytes = known === 0 ? '' : `, ${formatBytes(known)}${way === 'encode' ? t` of takes beside it` : ''}`;
  return {
    takes,
    count: assets.length,
    pixels: width * height,
    frames: Math.round(seconds * fps),
    words: t`${formatLength(seconds)} of film${bytes}`,
  };
}
