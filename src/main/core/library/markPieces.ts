import { mp4Pieces } from './mp4Marks.ts';
import type { Mp4Text } from './mp4Tags.ts';
import type { Piece } from './piece.ts';
import { type PngText, textPieces } from './pngText.ts';
import { xmpPieces } from './xmpPictures.ts';

/** What is written into a copy of a file. */
export type CopyMark =
  | { type: 'texts'; texts: readonly PngText[] }
  | { type: 'xmp'; mime: string; xmp: string }
  | { type: 'mp4'; xmp: string; text: Mp4Text | undefined };

/** The copy, in its order. Throws if the file is not built as it should be. */
export function piecesOf(file: string, mark: CopyMark): Promise<Piece[]> {
  if (mark.type === 'texts') return textPieces(file, mark.texts);
  return mark.type === 'xmp' ? xmpPieces(file, mark.mime, mark.xmp) : mp4Pieces(file, mark.xmp, mark.text);
}
