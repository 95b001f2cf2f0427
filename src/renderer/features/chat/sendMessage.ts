import type { ShownPrice } from '../../../shared/ledger.ts';
import { call } from '../../client/index.ts';
import type { SendFailure } from '../../spending/index.ts';
import { askOnce } from './askOnce.ts';
import type { Outgoing } from './sending.ts';
import { NEW, pick, readThread, setDraft, useChat } from './state.ts';

/** Sends the message; a new conversation is made first. What was written stays in the box if it is refused. */
export async function sendMessage(
  { key, draft, model, system }: Outgoing,
  { projectId, shown, night }: { projectId: string | undefined; shown: ShownPrice | undefined; night: boolean },
): Promise<SendFailure> {
  const conversationId = key === NEW ? await created(projectId, { draft, model, system }) : { id: key };
  if ('error' in conversationId) return conversationId.error;
  const { id } = conversationId;
  const { text, pictures = [] } = draft;
  const place = await branchOf(id);
  if ('error' in place) return place.error;
  const answer = await askOnce(
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
    [id, text, pictures, draft.model, draft.system],
  );
  if (!answer.ok) {
    if (key === NEW) setDraft(id, draft);
    if (key === NEW) pick(id);
    return answer.error;
  }
  setDraft(key, { text: '', pictures: [] });
  if (key === NEW) pick(id);
  await readThread(id);
  return undefined;
}

async function created(
  projectId: string | undefined,
  { draft: { director }, model, system }: Pick<Outgoing, 'draft' | 'model' | 'system'>,
): Promise<{ id: string } | { error: string }> {
  const answer = await call('chat.create', {
    projectId,
    model,
    director,
    ...(system.trim() === '' ? {} : { system }),
  });
  return answer.ok ? { id: answer.data.conversationId } : { error: answer.error.message };
}

/** Where the message will stand. It is always named: after a reload of the page, when the thread is read, the same message is the same request. */
async function branchOf(conversationId: string): Promise<{ branch: string } | { error: string }> {
  const branch = useChat.getState().threads.get(conversationId)?.branch;
  if (branch !== undefined) return { branch };
  const answer = await call('chat.get', { conversationId });
  return answer.ok ? { branch: answer.data.branch } : { error: answer.error.message };
}
