import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { call } from '../../client/index.ts';
import { renameSent, type SendFailure, sendOnce } from '../../spending/index.ts';
import type { Outgoing } from './sending.ts';
import { draftOf, emptyDraft, isDrafted, NEW, pickSince, readThread, setDraft, useChat } from './state.ts';

export const sendNameOf = (key: string): string => `message ${key}`;

interface Sending {
  projectId: string | undefined;
  shown: ShownPrice | undefined;
  night: boolean;
}

/**
 * Sends the message and creates a new conversation first if needed. The text stays in the box until it is sent; text written meanwhile
 * always stays.
 */
export async function sendMessage(outgoing: Outgoing, { projectId, shown, night }: Sending): Promise<SendFailure> {
  const { key, draft, model, system } = outgoing;
  const conversation = key === NEW ? await started(outgoing, projectId) : { id: key };
  if ('error' in conversation) return conversation.error;
  const { id } = conversation;
  const { text, pictures = [] } = draft;
  const place = await branchOf(id);
  if ('error' in place) return place.error;
  const answer = await sendOnce(
    'chat.send',
    {
      conversationId: id,
      ...place,
      text,
      ...(pictures.length > 0 ? { pictures: [...pictures] } : {}),
      model,
      system,
      stream: true,
      shown,
      ...(night ? { night } : {}),
    },
    { own: [id, text, pictures, draft.model, draft.system] },
  );
  if (!answer.ok) return answer.error;
  if (isDrafted(id, draft)) emptyDraft(id);
  await readThread(id);
  return undefined;
}

/**
 * Creates a conversation with the message in its box. If the new chat is still open, it becomes this conversation with the current text of
 * its box; text written there for another chat stays.
 */
async function started(outgoing: Outgoing, projectId: string | undefined): Promise<{ id: string } | { error: string }> {
  const { draft } = outgoing;
  const since = useChat.getState().picks;
  const wasShown = isDrafted(NEW, draft);
  const made = await created(projectId, outgoing);
  if ('error' in made) return made;
  const { id } = made;
  renameSent(sendNameOf(NEW), sendNameOf(id));
  const now = useChat.getState();
  const isShown = wasShown && since === now.picks && now.selectedId === undefined;
  setDraft(id, isShown ? draftOf(useChat.getState(), NEW) : draft);
  if (isShown || isDrafted(NEW, draft)) emptyDraft(NEW);
  if (isShown) pickSince(since, id);
  return made;
}

async function created(
  projectId: string | undefined,
  { draft: { director = false }, model, system }: Pick<Outgoing, 'draft' | 'model' | 'system'>,
): Promise<{ id: string } | { error: string }> {
  const answer = await call('chat.create', {
    projectId,
    model,
    director,
    ...(system.trim() === '' ? {} : { system }),
  });
  return answer.ok ? { id: answer.data.conversationId } : { error: answer.error.message };
}

/**
 * The branch of the message. Always named, so that the same message is the same request after the page is reloaded and the thread is read.
 */
async function branchOf(conversationId: string): Promise<{ branch: string } | { error: string }> {
  const branch = useChat.getState().threads.get(conversationId)?.branch;
  if (branch !== undefined) return { branch };
  const answer = await call('chat.get', { conversationId });
  return answer.ok ? { branch: answer.data.branch } : { error: answer.error.message };
}
