import { beforeEach, describe, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Message } from '../../../shared/chat/conversation.ts';
import type { Draft } from '../../../shared/chat/director/draft.ts';
import { DIRECTOR_TOOLS, MAX_ARGUMENTS } from '../../../shared/chat/director/tools.ts';
import { approximateTokens } from '../../../shared/kinds/chat.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { statusOf } from '../../testing/aNight.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aConversation, aMessage, aThread, chatOf, freshChat } from '../../testing/chatPage.tsx';
import { isOff, labelled, textOf } from '../../testing/find.ts';
import { acting, byText, click, clickOn, fakeStudio, press, show, type, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';
import { useChat } from './state.ts';

const call = (id: string, name: string, more: object = {}) => ({ id, name, arguments: '{}', ...more });
const answer = aMessage({
  text: 'Drafted.',
  toolCalls: [call('one', 'draft_images'), call('two', 'buy', { arguments: '{"all":true}' })],
  toolResults: [
    { ...call('one', 'draft_images'), content: '{}' },
    { ...call('two', 'buy'), content: '{}', error: { field: 'name', message: 'there is no tool buy.' } },
  ],
});
const draft = (id: string, more: Partial<Draft> = {}): Draft => ({
  ...{ id, conversationId: 'c', messageId: 'm', callId: 'one', projectId: 'p1', kind: 'imagine', state: 'open' },
  ...{ title: `Poster ${id}`, estimateNano: 50_000_000, lowNano: 50_000_000, profileId: 'p', createdAt: 1 },
  ...{ quoteId: `the quote of ${id}`, image: { prompt: 'A lamp' } },
  ...more,
});
const profile = aProfile({ limits: { contextTokens: 60_000 } });

function open(drafts: Draft[], ...[message = answer, ...others]: Message[]) {
  let now = drafts;
  let director = true;
  const studio = fakeStudio({
    ...chatOf([]),
    'chat.get': () => aThread([message, ...others], { conversation: aConversation({ projectId: 'p1', director }) }),
    'director.drafts': () => ({ drafts: now }),
    'director.approve': () => ({ jobs: [] }),
    'director.decline': () => ({ drafts: [] }),
    'storyboard.get': () => ({ projectId: 'p1', revision: 1, shots: [] }),
    'chat.send': () => ({ messageId: 'n', jobId: 'k' }),
    'night.get': () => statusOf(null),
    'ledger.estimate': () => ({ items: [], estimateNano: 1, lowNano: 1, settled: true, unpriced: 0 }),
  });
  return { ...studio, change: (next: Draft[]) => (now = next), switchOff: () => (director = false) };
}

beforeEach(() => freshChat(profile));

const card = (id: string) => document.querySelector<HTMLElement>(`[data-draft="${id}"]`) as HTMLElement;
/** Chooses a draft, or leaves it out, by Space on its card. */
async function choose(id: string) {
  card(id).focus();
  await press(' ', {}, document.activeElement ?? document.body);
}
const approve = () =>
  document.querySelector<HTMLButtonElement>(
    '.drafts footer .btn.pri, .drafts footer button:last-child',
  ) as HTMLButtonElement;

async function start() {
  await show(<ChatPage />);
  await click(byText('Night', '.conv'));
  await until(() => expect(document.querySelector('[data-draft]')).not.toBeNull());
}

describe('the drafts of an answer', () => {
  it('a call that could not be taken is shown as far as one is read', async () => {
    const [first, second] = answer.toolCalls ?? [];
    if (!first || !second) throw new Error('It has two calls');
    open([draft('a')], { ...answer, toolCalls: [first, { ...second, arguments: 'a'.repeat(1_000_000) }] });
    await start();
    await click(byText(labels.showToolCall));
    expect(textOf('pre.difference')).toBe(`${'a'.repeat(MAX_ARGUMENTS)}…`);
  });

  it('are approved together at the sum that is shown; a card that is left out is not', async () => {
    const studio = open([draft('a'), draft('b', { estimateNano: 90_000_000 }), draft('d')]);
    await start();
    await until(() => expect(approve().textContent).toContain('Approve 3'));
    await choose('b');
    await until(() => expect(approve().textContent).toContain('Approve 2'));
    expect(textOf('.drafts footer .price')).toBe('$0.10');
    await until(() => expect(isOff(approve())).toBe(false));
    await click(approve());
    await until(() =>
      expect(studio.callsOf('director.approve')).toMatchObject([
        {
          ids: ['a', 'd'],
          quotes: ['the quote of a', 'the quote of d'],
          shown: { estimateNano: 100_000_000, lowNano: 100_000_000, unpriced: 0 },
        },
      ]),
    );
  });

  it('of shots go on the board without being made; pictures stay', async () => {
    const shot = {
      shotId: 's',
      number: 1,
      title: 'A',
      prompt: '',
      model: 'm',
      source: 'text',
      config: {},
      joint: 'cut',
    } as const;
    const { image: _, ...asShot } = draft('a', { kind: 'newShot', shot });
    const studio = open([asShot, draft('b')]);
    await start();
    await click(byText(labels.addToBoard, '.drafts button'));
    await until(() =>
      expect(studio.callsOf('director.approve')).toMatchObject([
        { ids: ['a'], quotes: ['the quote of a'], unmade: true },
      ]),
    );
    expect(studio.callsOf('director.approve')[0]).not.toHaveProperty('shown');
    studio.change([{ ...asShot, state: 'approved' }, draft('b')]);
    await studio.emit({ type: 'drafts.changed', conversationId: 'c' });
    await until(() => expect(card('a').textContent).toContain('On the board'));
    expect(isOff(byText(labels.addToBoard, '.drafts button'))).toBe(true);
  });

  it('that wait are declined at one press, whatever is chosen', async () => {
    const wrong = { errors: [{ field: 'images.2', message: 'is wrong.' }] };
    const { image: _, ...malformed } = draft('d', wrong);
    const studio = open([draft('a'), draft('b', { state: 'approved' }), draft('c', wrong), malformed, draft('e')]);
    await start();
    await choose('e');
    await click(byText(labels.declineAll(3)));
    await until(() => expect(studio.callsOf('director.decline')).toEqual([{ ids: ['a', 'c', 'e'] }]));
    expect(document.querySelectorAll('.drafts header button')).toHaveLength(1);
    // One alone has its own.
    studio.change([draft('a'), draft('b', { state: 'declined' })]);
    await studio.emit({ type: 'drafts.changed', conversationId: 'c' });
    await until(() => expect(document.querySelector('.drafts header button')).toBeNull());
  });

  it('let the model go on while the director can draft, whose tools are counted with the next message', async () => {
    const about = async () => {
      await start();
      const words = /([\d,]+) of/.exec(document.querySelector('.meter')?.parentElement?.textContent ?? '');
      return Number(words?.[1]?.replace(',', ''));
    };
    open([draft('a')]);
    const offered = await about();
    expect(byText(labels.letTheModelGoOn)).toBeDefined();
    useChat.setState({ threads: new Map(), selectedId: undefined });
    open([draft('a')]).switchOff();
    expect(offered - (await about())).toBe(approximateTokens(JSON.stringify(DIRECTOR_TOOLS)));
    expect(textOf('.goOn')).toBeUndefined();
  });

  it('that are left out stay so while the page is left', async () => {
    open([draft('a'), draft('b')]);
    await start();
    await choose('b');
    await until(() => expect(approve().textContent).toContain('Approve 1'));
    await show(<p>The board</p>);
    await start();
    expect(approve().textContent).toContain('Approve 1');
    await choose('b');
    expect(approve().textContent).toContain('Approve 2');
  });

  it('say what is wrong where it happened, and what cannot be approved alone', async () => {
    open([
      draft('a'),
      draft('b', { needs: ['a'] }),
      draft('w', { image: undefined, errors: [{ field: 'images.1', message: 'must be text' }] } as Partial<Draft>),
    ]);
    await start();
    await until(() => expect(approve().textContent).toContain('Approve 2'));
    expect(card('w').textContent).toContain('images.1 must be text');
    expect(textOf('.drafts')).toContain('Dailies could not use this call: buy');
    await choose('a');
    await until(() => expect(textOf('.drafts .why')).toContain('starts from “Poster a”'));
    expect(isOff(approve())).toBe(true);
  });

  it('that change, or come, while they are looked at are not approved before they could be seen', async () => {
    const studio = open([draft('a')]);
    await start();
    await until(() => expect(isOff(approve())).toBe(false));
    studio.change([draft('a', { quoteId: 'another', image: { prompt: 'A yacht' } }), draft('b')]);
    await studio.emit({ type: 'drafts.changed', conversationId: 'c' });
    await until(() => expect(approve().textContent).toContain('Approve 2'));
    await click(approve());
    card('b').focus();
    await press('Enter', { ctrlKey: true }, card('b'));
    expect(studio.callsOf('director.approve')).toEqual([]);
    expect(textOf('.drafts .why')).toContain('“Poster a” has just changed');
    await until(() => expect(isOff(approve())).toBe(false));
    await click(approve());
    await until(() =>
      expect(studio.callsOf('director.approve')).toMatchObject([{ quotes: ['another', 'the quote of b'] }]),
    );
  });

  it('are not approved without a key, one or many, and the reason is said', async () => {
    freshChat(aProfile({ limits: { contextTokens: 60_000 }, key: null }));
    const studio = open([draft('a'), draft('b')]);
    await start();
    await acting(() => card('a').focus());
    await until(() => expect(textOf('.drafts > .why')).toBe('Enter the key first.'));
    for (const button of [byText(labels.approveOne), approve()]) {
      expect(isOff(button)).toBe(true);
      await click(button);
    }
    expect(studio.callsOf('director.approve')).toEqual([]);
  });

  it('of each answer have the keys while the focus is in them', async () => {
    const studio = open([draft('a'), draft('b', { messageId: 'n' })], answer, { ...answer, id: 'n' });
    await start();
    await until(() => expect(card('b')).not.toBeNull());
    const printed = () =>
      [...document.querySelectorAll('.drafts')].map((own) => own.querySelectorAll('footer .kbd').length);
    await until(() => expect(isOff(byText(labels.approveN(1)))).toBe(false));
    await acting(() => card('a').focus());
    await press('y', {}, card('a'));
    const one = document.activeElement ?? document.body;
    expect(one.textContent).toBe('Approve onePoster a$0.05Ctrl ↵');
    await until(() => expect(useAnnouncements.getState().polite).toBe('Approve Poster a, $0.05: Ctrl ↵ sends it.'));
    expect(studio.callsOf('director.approve')).toEqual([]);
    await press('Enter', { ctrlKey: true }, one);
    await until(() => expect(studio.callsOf('director.approve')).toMatchObject([{ ids: ['a'] }]));
    expect(printed()).toEqual([2, 0]);
    await acting(() => card('b').focus());
    expect(printed()).toEqual([0, 2]);
    await press('y', { shiftKey: true }, card('b'));
    const many = document.activeElement ?? document.body;
    expect(many.textContent).toBe('Approve 1Ctrl ↵');
    await until(() => expect(useAnnouncements.getState().polite).toBe('Approve 1 draft, $0.05: Ctrl ↵ sends it.'));
    expect(studio.callsOf('director.approve')).toHaveLength(1);
    await press('Enter', { ctrlKey: true }, many);
    await until(() => expect(studio.callsOf('director.approve').at(-1)).toMatchObject({ ids: ['b'] }));
    await acting(() => card('b').blur());
    await press('y', { shiftKey: true });
    expect(studio.callsOf('director.approve')).toHaveLength(2);
  });

  it('keep the focus: arrows go on from the draft that a button is for, and the cards have it once the buttons are gone', async () => {
    vi.stubGlobal('CSS', { escape: String });
    const studio = open([draft('a'), draft('b')]);
    await start();
    await until(() => expect(approve().textContent).toContain('Approve 2'));
    await acting(() => card('a').focus());
    await press('y', {}, card('a'));
    const one = () => byText(labels.approveOne);
    await press('ArrowDown', {}, one());
    expect(document.activeElement).toBe(card('b'));
    await press('y', {}, card('b'));
    await until(() => expect(useAnnouncements.getState().polite).toBe('Approve Poster b, $0.05: Ctrl ↵ sends it.'));
    expect(document.activeElement).toBe(one());
    studio.change([draft('a', { state: 'approved' }), draft('b', { state: 'approved' })]);
    await studio.emit({ type: 'drafts.changed', conversationId: 'c' });
    await until(() => expect(document.querySelector('.drafts footer')).toBeNull());
    expect(document.activeElement).toBe(card('b'));
  });

  describe('keep the chord that spends from the message in the box below', () => {
    const box = () => labelled<HTMLTextAreaElement>('Message');
    const go = () => press('Enter', { ctrlKey: true }, document.activeElement ?? document.body);
    const approved = (id: string) => draft(id, { state: 'approved' });

    /** Half a message is in the box, and the focus on a draft. */
    async function writing(drafts = [draft('a')]) {
      vi.stubGlobal('CSS', { escape: String });
      const studio = open(drafts);
      await start();
      await until(() => expect(isOff(approve())).toBe(false));
      await type(box(), 'Half a');
      await until(() => expect(document.querySelector('.composer .price')).not.toBeNull());
      await acting(() => card('a').dispatchEvent(new Event('pointerdown', { bubbles: true })));
      await acting(() => card('a').focus());
      const settle = async (next: Draft[]) => {
        studio.change(next);
        await studio.emit({ type: 'drafts.changed', conversationId: 'c' });
        await until(() => expect(document.querySelector('.drafts footer')).toBeNull());
      };
      return { ...studio, settle };
    }

    it('after a draft was approved, until the focus is moved by hand', async () => {
      const studio = await writing();
      await press('y', {}, card('a'));
      await go();
      await until(() => expect(studio.callsOf('director.approve')).toHaveLength(1));
      await studio.settle([approved('a')]);
      expect(document.activeElement).toBe(card('a'));
      await go();
      expect(studio.callsOf('chat.send')).toEqual([]);
      await until(() => expect(useAnnouncements.getState().polite).toContain('Nothing was sent'));
      expect(document.querySelector('.composer .pri .kbd')).toBeNull();
      await acting(() => box().focus());
      await go();
      expect(studio.callsOf('chat.send')).toEqual([]);
      await acting(() => box().dispatchEvent(new Event('pointerdown', { bubbles: true })));
      expect(textOf('.composer .pri .kbd')).toBe('Ctrl ↵');
      await go();
      await until(() => expect(studio.callsOf('chat.send')).toMatchObject([{ text: 'Half a' }]));
    });

    it('on a card, where it says the keys of the buttons', async () => {
      const studio = await writing();
      expect(document.querySelector('.composer .pri .kbd')).toBeNull();
      await go();
      expect([...studio.callsOf('chat.send'), ...studio.callsOf('director.approve')]).toEqual([]);
      await until(() =>
        expect(useAnnouncements.getState().polite).toBe(
          'Nothing was sent. Y moves to this draft, Shift Y to the selected drafts.',
        ),
      );
    });

    it.each([
      ['a card', ''],
      ['a button', 'y'],
    ])('once all of them went while %s had the focus', async (_, key) => {
      const studio = await writing();
      if (key !== '') await press(key, {}, card('a'));
      await acting(() => useChat.setState(({ drafted }) => ({ drafted: { ...drafted, drafts: [] } })));
      const thread = [...useChat.getState().threads][0];
      if (!thread) throw new Error('A chat is open');
      const messages = thread[1].messages.map(({ toolCalls: _calls, toolResults: _results, ...plain }) => plain);
      await acting(() => useChat.setState({ threads: new Map([[thread[0], { ...thread[1], messages }]]) }));
      expect(document.querySelector('.drafts')).toBeNull();
      await go();
      expect(studio.callsOf('chat.send')).toEqual([]);
    });
  });

  it('that came in from elsewhere are calls and nothing to approve', async () => {
    const { jobId: _, ...came } = answer;
    open([], came as Message);
    await show(<ChatPage />);
    await click(byText('Night', '.conv'));
    await until(() => expect(textOf('.toolsCalled')).toContain('draft_images'));
    expect(document.querySelector('.drafts footer')).toBeNull();
  });
});

it('at an answer that was cut and has calls in it stands one way to go on', async () => {
  open([draft('1')], { ...answer, state: 'partial', finishReason: 'length' });
  await start();
  await until(() => byText(labels.letTheModelGoOn));
  expect(textOf('.ended')).toContain('Cut off');
  expect(document.querySelector('.ask')).toBeNull();
});

it('at an answer that went on, and called something, the model goes on at a press', async () => {
  const { toolCalls: _, toolResults: __, ...cut } = answer;
  const first: Message = { ...cut, id: 'first', jobId: 'i', state: 'partial', finishReason: 'length' };
  open([draft('1')], first, { ...answer, continues: 'first' });
  await start();
  await clickOn(labels.letTheModelGoOn);
  await until(() => expect(document.querySelector('.ask')).not.toBeNull());
});
