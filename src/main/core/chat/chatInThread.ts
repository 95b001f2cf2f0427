import type { ChatFile } from '../../../shared/chat/chatFile.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { t } from '../../../shared/text/texts.ts';
import { ThreadEnded, threadPieces } from '../programs/index.ts';
import type { ChatPiece } from './chatFileProgram.ts';

const PROGRAM = { from: import.meta.url, source: './chatFileProgram.ts', bundled: 'chat-file.js' };

const tooMuch = fail('invalid_input', t`json: takes more memory or time to read than a chat may.`, { field: 'json' });

/** The conversation in a text of anybody's, read in a thread of its own. */
export async function chatInThread(json: string): Promise<Result<ChatFile>> {
  let chat: ChatFile | undefined;
  try {
    for await (const piece of threadPieces<ChatPiece>(PROGRAM, { json })) {
      if ('refused' in piece) return piece.refused;
      if ('chat' in piece) chat = piece.chat;
      else chat?.messages.push(...piece.messages);
    }
  } catch (error) {
    if (error instanceof ThreadEnded) return tooMuch;
    throw error;
  }
  if (!chat) throw new Error('a chat was read without its beginning');
  return ok(chat);
}
