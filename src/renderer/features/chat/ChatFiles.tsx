import { Download, FileInput } from 'lucide-react';
import { MAX_CHAT_FILE } from '../../../shared/chat/chatFile.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, refusalOf, showRefusal, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { useExportShown } from '../../media/ExportNote.tsx';
import { textOfFile } from '../../media/textOfFile.ts';
import { Button, FileButton, Icon, IconButton, Menu, toast } from '../../ui/index.ts';
import { pickSince, useChat } from './state.ts';

type Format = 'markdown' | 'json';

async function exportChat(conversationId: string, format: Format): Promise<void> {
  const answer = await call('chat.export', { conversationId, format });
  if (answer.ok) useExportShown.setState({ id: answer.data.id });
  else showRefusal(answer.error);
}

export function ExportChat({ conversationId }: { conversationId: string }) {
  const leave = (format: Format) => () => void exportChat(conversationId, format);
  const trigger = (
    <Button variant="ghost">
      <Icon of={Download} />
      {t`Export`}
    </Button>
  );
  return (
    <Menu
      label={t`Export chat`}
      trigger={trigger}
      items={[
        { id: 'markdown', label: t`Markdown: this branch, for reading`, onSelect: leave('markdown') },
        { id: 'json', label: t`JSON: all branches, for import`, onSelect: leave('json') },
      ]}
    />
  );
}

async function importChat(file: File, projectId: string | undefined): Promise<void> {
  const refuse = (text: string) => void toast({ kind: 'fail', text: t`${file.name}: ${text}` });
  const since = useChat.getState().picks;
  if (file.size > 4 * MAX_CHAT_FILE) return refuse(t`The file is too large for a chat. Nothing was imported.`);
  const json = await textOfFile(file, MAX_CHAT_FILE);
  if (!json.ok) return refuse(json.error.message);
  const answer = await call('chat.import', { json: json.data, ...(projectId ? { projectId } : {}) });
  if (!answer.ok) return refuse(refusalOf(answer.error, t`Nothing was imported.`));
  pickSince(since, answer.data.conversationId);
  announce(t`${counted(answer.data.messages, 'message')} imported`);
}

/** Imports a chat that was exported as JSON, as a new chat. Nothing is sent. */
export function ImportChat() {
  const projectId = useStudio((state) => state.settings?.projectId);
  return (
    <FileButton
      label={t`Choose a file`}
      accept=".json"
      onFiles={([file]) => void importChat(file, projectId ?? undefined)}
    >
      <IconButton label={t`Import a chat (JSON)`}>
        <Icon of={FileInput} />
      </IconButton>
    </FileButton>
  );
}
