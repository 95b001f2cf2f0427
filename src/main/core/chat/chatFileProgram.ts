import { type ChatFile, readChatFile } from '../../../shared/chat/chatFile.ts';
import type { Result } from '../../../shared/contract/result.ts';
import { givePieces, piecesOf } from '../programs/index.ts';

/** The program of the thread that reads a chat's file. */

/** The chat without its messages, which follow in pieces of their own. */
export type ChatPiece = { chat: ChatFile } | Pick<ChatFile, 'messages'> | { refused: Result<never> };

givePieces(async function* ({ json }: { json: string }): AsyncGenerator<ChatPiece> {
  const read = readChatFile(json);
  if (!read.ok) return yield { refused: read };
  yield { chat: { ...read.data, messages: [] } };
  for (const messages of piecesOf(read.data.messages)) yield { messages };
});
