import { type ChatFile, readChatFile } from '../../../shared/chat/chatFile.ts';
import type { Result } from '../../../shared/contract/result.ts';
import { givePieces, piecesOf } from '../workers/index.ts';

/** The thread that parses a chat file. */

/** The chat without its messages, which follow in pieces. */
export type ChatPiece = { chat: ChatFile } | Pick<ChatFile, 'messages'> | { refused: Result<never> };

givePieces(async function* ({ json }: { json: string }): AsyncGenerator<ChatPiece> {
  const read = readChatFile(json);
  if (!read.ok) return yield { refused: read };
  yield { chat: { ...read.data, messages: [] } };
  for (const messages of piecesOf(read.data.messages)) yield { messages };
});
