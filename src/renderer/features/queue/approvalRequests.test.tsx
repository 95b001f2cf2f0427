import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { Quote } from '../../../shared/money/quote.ts';
import { useStudio } from '../../app/index.ts';
import { statusOf } from '../../testing/aNight.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aJob, byText, click, clickOn, press, until } from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';

const quote: Quote = {
  id: 'ab'.repeat(32),
  state: 'open',
  asker: { client: 'Helper\u202etxt.exe' },
  request: { kind: 'video', model: 'video\u{e0041}\u202e', prompt: 'A quay at night' },
  profileId: 'p',
  files: [{ field: 'image', sha256: 'cd'.repeat(32) }],
  estimateNano: 2_800_000_000,
  lowNano: 400_000_000,
  createdAt: 1,
  expiresAt: Date.now() + 3_600_000,
};
const drafted = (id: string): Quote => ({
  ...quote,
  id: id.repeat(64),
  asker: { draftId: id, conversationId: 'c' },
  estimateNano: 50_000_000,
  lowNano: 50_000_000,
});

async function open(quotes: Quote[], approve: () => unknown = () => ({ quote, job: aJob() }), all?: number) {
  let now = quotes;
  const studio = await openQueue([], {
    'quotes.list': () => ({ quotes: now, open: all ?? now.length }),
    'quotes.approve': approve as never,
    'quotes.decline': () => ({ ...quote, state: 'declined' }),
    'night.get': () => statusOf(null),
  });
  /** Nothing is asked any more. */
  const settle = async () => {
    now = [];
    await studio.emit({ type: 'quotes.changed' });
    await until(() => expect(section()).toBeNull());
  };
  return { ...studio, settle, approved: () => studio.callsOf('quotes.approve') };
}

beforeEach(() => {
  freshQueue();
  useStudio.setState({ profiles: [aProfile()], activeProfileId: 'p' });
});

const section = () => document.querySelector<HTMLElement>('.requests');
const dialog = () => document.querySelector('[role=dialog]');
const look = () => clickOn(labels.approveText, '.requests button');
const spend = () => press('Enter', { ctrlKey: true });

describe('what is asked for from outside', () => {
  it('says that there is more than the list holds', async () => {
    await open([quote], undefined, 41);
    await until(() => expect(section()?.textContent).toContain('40 more'));
  });

  it('is seen whole with its price, and only Ctrl Enter sends it, at that price', async () => {
    const { approved, settle } = await open([quote]);
    await until(() => byText('A quay at night', '.requests li'));
    expect(section()?.textContent).toContain('Helper‹U+202E›txt.exe');
    expect(section()?.querySelector('.price')?.textContent).toBe('up to $2.80');
    await look();
    const sent = () => dialog()?.querySelector('textarea')?.value ?? '';
    await until(() => expect(JSON.parse(sent())).toEqual(quote.request));
    expect(sent()).toContain(String.raw`video\udb40\udc41\u202e`);
    expect(dialog()?.textContent).toContain(quote.id.slice(0, 24));
    await press('Enter');
    expect(approved()).toEqual([]);
    await spend();
    const shown = { estimateNano: 2_800_000_000, lowNano: 400_000_000, unpriced: 0 };
    await until(() => expect(approved()).toEqual([{ id: quote.id, shown }]));
    await settle();
  });

  it('says why a void one was not sent, and stays open to be read', async () => {
    const text = 'The quote is void: its price is not the one that was quoted. Nothing was sent.';
    const { settle } = await open([quote], () => fail('conflict', text));
    await look();
    await spend();
    await until(() => expect(dialog()?.textContent).toContain(text));
    await settle();
    expect(dialog()?.textContent).toContain(text);
  });

  it('for another gateway it cannot be approved, and says which', async () => {
    useStudio.setState({ activeProfileId: 'other' });
    const { approved } = await open([quote]);
    await look();
    await until(() => expect(dialog()?.textContent).toContain('Switch to Gateway first.'));
    await spend();
    expect(approved()).toEqual([]);
  });

  it('declines, and leads to the chat of drafts with their sum', async () => {
    const studio = await open([quote, drafted('1'), drafted('2')]);
    const drafts = () => byText(labels.draftsInAChat(2), '.requests li');
    await until(drafts);
    expect(section()?.querySelector('a')?.getAttribute('href')).toContain('conversation=c');
    expect(drafts().querySelector('.price')?.textContent).toBe('$0.10');
    await click(byText(labels.decline, '.requests button'));
    expect(studio.callsOf('quotes.decline')).toEqual([{ id: quote.id }]);
  });

  it('is not there while nothing is asked', async () => {
    const studio = await open([]);
    await until(() => expect(studio.callsOf('quotes.list')).not.toEqual([]));
    expect(section()).toBeNull();
  });
});
