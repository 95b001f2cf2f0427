import { beforeEach, describe, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Conversation, Message } from '../../../shared/conversation.ts';
import { fail } from '../../../shared/result.ts';
import { useStudio } from '../../app/index.ts';
import { useSends } from '../../spending/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';
import { useChat } from './state.ts';

const conversation = { id: 'c', revision: 1, title: 'Night', messageCount: 2, director: true } as Conversation;
const message = (id: string, role: Message['role'], text: string): Message => ({
  id,
  revision: 1,
  conversationId: 'c',
  branch: 'b',
  role,
  text,
  state: 'done',
  createdAt: 1,
});

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
  window.location.hash = '';
  const limits = { contextTokens: 60_000, outputTokens: 500 };
  useStudio.setState({ profiles: [aProfile({ limits })], activeProfileId: 'p' });
  useChat.setState({ threads: new Map(), drafts: new Map(), edits: new Map(), selectedId: 'c', asking: undefined });
  useSends.setState({ last: new Map() });
});

const labelled = (label: string) => document.querySelector(`[aria-label="${label}"]`) as HTMLTextAreaElement;
const ENTER = { ctrlKey: true };

describe('the chord of other words that are being written', () => {
  /** Their box is open with its price, and each is refused. */
  async function editing() {
    const messages = [message('q', 'user', 'Where?'), message('a', 'assistant', 'An answer')];
    const studio = fakeStudio({
      'chat.list': () => ({ conversations: [conversation], total: 1 }),
      'chat.get': () => ({ conversation, messages, branches: [], branch: 'b', variants: [] }),
      'chat.edit': () => fail('conflict', 'The price is another by now.'),
      'chat.send': () => ({ messageId: 'a3', jobId: 'j3' }),
      'ledger.estimate': () => ({ items: [], estimateNano: 4_400_000, lowNano: 0, settled: false, unpriced: 0 }),
      'prices.list': () => ({ prices: [] }),
    });
    await show(<ChatPage />);
    await until(() => expect(labelled(labels.edit)).not.toBeNull());
    await click(labelled(labels.edit));
    await type(labelled(labels.editTheMessage), 'When?');
    await until(() => expect(document.querySelector('.ask .price')).not.toBeNull());
    return studio;
  }

  it('is not heard in the box below after a control of theirs went away under the focus', async () => {
    const studio = await editing();
    await click(byText(labels.sendAsANewBranch));
    await until(() => byText(labels.dismiss, '.ask button'));
    await acting(() => byText(labels.dismiss, '.ask button').focus());
    await click(byText(labels.dismiss, '.ask button'));
    const isKept = document.activeElement?.closest('.ask') != null;
    await acting(() => labelled(labels.message).focus());
    await type(labelled(labels.message), 'Next');
    await until(() => expect(document.querySelector('.composer .price')).not.toBeNull());
    await press('Enter', ENTER, labelled(labels.message));
    await until(() => expect(studio.callsOf('chat.send')).toMatchObject([{ text: 'Next' }]));
    expect(studio.callsOf('chat.edit')).toHaveLength(1);
    expect(isKept).toBe(true);
  });

  it('is not heard behind a dialog', async () => {
    const studio = await editing();
    await acting(() => labelled(labels.editTheMessage).focus());
    const dialog = document.createElement('div');
    dialog.className = 'dlg';
    document.body.append(dialog);
    await press('Enter', ENTER, labelled(labels.editTheMessage));
    dialog.remove();
    expect([...studio.callsOf('chat.edit'), ...studio.callsOf('chat.send')]).toEqual([]);
  });
});
