import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aMessage, chatOf, freshChat } from '../../testing/chatPage.tsx';
import { labelled } from '../../testing/find.ts';
import { acting, byText, click, press, showOver, type, until } from '../../testing/page.tsx';
import { modalLayer } from '../../ui/index.ts';
import { ChatPage } from './ChatPage.tsx';

const limits = { contextTokens: 60_000, outputTokens: 500 };
beforeEach(() => freshChat(aProfile({ limits }), 'c'));

const ENTER = { ctrlKey: true };

describe('the chord of other words that are being written', () => {
  /** Their box is open with its price, and each is refused. */
  async function editing() {
    const question = aMessage({ id: 'q', role: 'user', text: 'Where?' });
    const studio = await showOver(<ChatPage />, {
      ...chatOf([question, aMessage({ text: 'An answer' })]),
      'chat.edit': () => fail('conflict', 'The price is another by now.'),
      'chat.send': () => ({ messageId: 'a3', jobId: 'j3' }),
    });
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
    await until(() => expect(studio.callsOf('chat.send')).toMatchObject([{ text: 'Next', branch: 'b' }]));
    expect(studio.callsOf('chat.edit')).toHaveLength(1);
    expect(isKept).toBe(true);
  });

  it('is not heard behind a dialog', async () => {
    const studio = await editing();
    await acting(() => labelled(labels.editTheMessage).focus());
    const leave = modalLayer(document.createElement('div'));
    await press('Enter', ENTER, labelled(labels.editTheMessage));
    leave();
    expect([...studio.callsOf('chat.edit'), ...studio.callsOf('chat.send')]).toEqual([]);
  });
});
