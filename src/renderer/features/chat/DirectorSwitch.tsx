import { t } from '../../../shared/texts.ts';
import { announce, showRefusal, useProjectId } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Toggle } from '../../ui/index.ts';
import { useOfThread } from './sending.ts';
import { draftOf, NEW, setDraft, useChat } from './state.ts';

/** Whether the model of this chat may draft; only in a project there is a board to draft for. */
export function DirectorSwitch() {
  const selectedId = useChat((state) => state.selectedId);
  const own = useChat((state) => draftOf(state, NEW).director);
  const conversation = useOfThread((thread) => thread?.conversation);
  const active = useProjectId();
  const projectId = selectedId === undefined ? active : conversation?.projectId;
  if (!projectId) return null;
  const isOn = selectedId === undefined ? (own ?? false) : (conversation?.director ?? true);
  const change = (director: boolean) => {
    if (selectedId === undefined) setDraft(NEW, { director });
    else void setDirector(selectedId, director);
  };
  return (
    <Toggle checked={isOn} onChecked={change}>
      {t`Director can draft`}
    </Toggle>
  );
}

async function setDirector(conversationId: string, director: boolean): Promise<void> {
  const answer = await call('chat.set', { conversationId, director });
  const words = director ? t`The model can draft shots and pictures` : t`The model cannot draft here`;
  if (answer.ok) announce(words);
  else showRefusal(answer.error);
}
