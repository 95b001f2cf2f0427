import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { Conversation } from '../../../shared/conversation.ts';
import { t } from '../../../shared/texts.ts';
import { announce, showRefusal } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Icon, IconButton, TextInput } from '../../ui/index.ts';

/** The name of the chat, and another one for it: Enter keeps it, Escape does not. */
export function ChatTitle({ conversation }: { conversation: Conversation | undefined }) {
  const [title, setTitle] = useState<string>();
  if (!conversation) return <h1 className="cut">{t`Chat`}</h1>;
  if (title === undefined) {
    return (
      <>
        <h1 className="cut">{conversation.title}</h1>
        <IconButton label={t`Rename chat`} onClick={() => setTitle(conversation.title)}>
          <Icon of={Pencil} />
        </IconButton>
      </>
    );
  }
  const keep = async () => {
    const wanted = title.trim();
    setTitle(undefined);
    if (wanted === '' || wanted === conversation.title) return;
    const answer = await call('chat.set', { conversationId: conversation.id, title: wanted });
    if (answer.ok) announce(t`Renamed to ${wanted}`);
    else showRefusal(answer.error);
  };
  return (
    <h1 className="grow" aria-label={conversation.title}>
      <TextInput
        aria-label={t`Chat name`}
        autoFocus
        maxLength={200}
        value={title}
        onValue={setTitle}
        onBlur={() => void keep()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void keep();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          setTitle(undefined);
        }}
      />
    </h1>
  );
}
