import { parentPort } from 'node:worker_threads';

/** As many characters of JSON are given in one piece, so that the turn in which it arrives stays short. */
const PIECE_LENGTH = 200_000;
const PIECE_ITEMS = 50;

/** The side of the thread: each piece is made when it is asked for. A new question ends what was asked before. */
export function givePieces<Question, Piece>(answer: (question: Question) => AsyncGenerator<Piece>): void {
  let pieces: AsyncGenerator<Piece> | undefined;
  parentPort?.on('message', async (asked: { question?: Question }) => {
    if (asked.question !== undefined) {
      await pieces?.return(undefined);
      pieces = answer(asked.question);
    }
    const next = await pieces?.next();
    if (next?.done) pieces = undefined;
    parentPort?.postMessage(!next || next.done ? {} : { piece: next.value });
  });
}

/** A list in pieces of about one length. */
export function* piecesOf<T>(items: Iterable<T>): Generator<T[]> {
  let [piece, length]: [T[], number] = [[], 0];
  for (const item of items) {
    piece.push(item);
    length += JSON.stringify(item).length;
    if (length < PIECE_LENGTH && piece.length < PIECE_ITEMS) continue;
    yield piece;
    [piece, length] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}
