import { beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '../../../shared/chat/conversation.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aMessage, chatOf, freshChat } from '../../testing/chatPage.tsx';
import { textsOf } from '../../testing/find.ts';
import { showOver, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';

/** What cannot be drawn takes nothing of the conversation with it: each message and each of its blocks falls by itself. */

const message = (id: string, text: string, more: Partial<Message> = {}) => aMessage({ id, text, ...more });

async function open(...messages: Message[]) {
  freshChat(aProfile(), 'c');
  await showOver(<ChatPage />, chatOf(messages));
  await until(() => expect(document.querySelectorAll('.msg')).toHaveLength(messages.length));
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return () => void vi.restoreAllMocks();
});

it('a block that throws stands as it was written, between those before and behind it', async () => {
  const { canParse } = URL;
  vi.spyOn(URL, 'canParse').mockImplementation((href, base) => {
    if (String(href).includes('broken.example')) throw new Error('cannot be drawn');
    return canParse(href, base);
  });
  const block = 'See [this](https://broken.example/a).';
  await open(message('m1', `# Before\n\n${block}\n\n**behind**`), message('m2', 'Another'));
  expect(textsOf('.msg .body')).toEqual([`Before${block}behind`, 'Another']);
  expect(textsOf('.msg .plain')).toEqual([block]);
  expect(textsOf('.msg .body strong')).toEqual(['behind']);
  expect(document.body.textContent).not.toContain('could not be drawn');
});

it('a message that throws is told by its words, between those before and behind it', async () => {
  await open(message('m1', 'Before'), message('m2', '**Said**', { createdAt: Number.NaN }), message('m3', 'Behind'));
  expect(textsOf('.msg .body')).toEqual(['Before', '**Said**', 'Behind']);
  expect(textsOf('.msg > .t2')).toEqual(['This message could not be formatted. Its text:']);
  expect(document.querySelector('textarea[aria-label="Message"]')).not.toBeNull();
});
