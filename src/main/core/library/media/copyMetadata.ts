import { filesThread } from '../content/fileThread.ts';
import { bytesOf } from '../content/timedReads.ts';
import type { Piece } from './containers.ts';
import type { CopyMetadata, Mp4Text } from './metadataPieces.ts';
import type { PngText } from './pngText.ts';

/** Copies with metadata: a thread finds the place for it, and the bytes of the file are streamed around it. */

export const withTexts = (file: string, texts: readonly PngText[]) => bodyWithMetadata(file, { type: 'texts', texts });

export const withXmpPacket = (file: string, mime: string, xmp: string) =>
  bodyWithMetadata(file, { type: 'xmp', mime, xmp });

export const withMp4Metadata = (file: string, xmp: string, text?: Mp4Text) =>
  bodyWithMetadata(file, { type: 'mp4', xmp, text });

/** Throws at once if the file is malformed. */
const bodyWithMetadata = async (file: string, metadata: CopyMetadata): Promise<AsyncGenerator<Uint8Array>> =>
  bodyOf(file, await filesThread.piecesOf(file, metadata));

async function* bodyOf(file: string, pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else if (piece.to > piece.from)
      yield* bytesOf(file, { start: piece.from, end: piece.to - 1, highWaterMark: 1024 * 1024 });
  }
}
