import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { ProfileView } from '../../../shared/profile.ts';
import type { Quote } from '../../../shared/quote.ts';
import { fail } from '../../../shared/result.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aJob, byText, click, clickOn, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { queueOf } from '../../testing/queuePage.tsx';
import { QueuePage } from './QueuePage.tsx';

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

function open(quotes: Quote[], approve: () => unknown = () => ({ quote, job: aJob() }), all?: number) {
  let now = quotes;
  const studio = fakeStudio({
    ...queueOf([]),
    'quotes.list': () => ({ quotes: now, open: all ?? now.length }),
    'quotes.approve': approve as never,
    'quotes.decline': () => ({ ...quote, state: 'declined' }),
    'night.get': () => ({
      revision: 1,
      current: null,
      last: null,
      leftOver: [],
      leftOverBySide: [],
      powerSource: 'unknown',
    }),
  });
  return { ...studio, change: (next: Quote[]) => (now = next) };
}

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [{ id: 'p', name: 'Gateway' } as ProfileView], activeProfileId: 'p' });
});

const section = () => document.querySelector<HTMLElement>('.asked');

describe('what is asked for from outside', () => {
  it('says that there is more than the list holds', async () => {
    open([quote], undefined, 41);
    await show(<QueuePage />);
    await until(() => expect(section()?.textContent).toContain('40 more are open and not listed'));
  });

  it('is approved by keyboard: seen whole with its price, and only Ctrl Enter sends it, at that price', async () => {
    const studio = open([quote]);
    await show(<QueuePage />);
    await until(() => byText('A quay at night', '.asked li'));
    expect(section()?.textContent).toContain('Helper‹U+202E›txt.exe');
    expect(section()?.querySelector('.price')?.textContent).toBe('$0.40–2.80');
    const look = byText(labels.approveText, '.asked button');
    await click(look);
    await until(() => document.querySelector('[role=dialog] textarea'));
    const sent = document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea');
    expect(JSON.parse(sent?.value ?? '')).toEqual(quote.request);
    expect(sent?.value).toContain(String.raw`video\udb40\udc41\u202e`);
    expect(document.querySelector('[role=dialog]')?.textContent).toContain(quote.id.slice(0, 24));
    await press('Enter');
    expect(studio.callsOf('quotes.approve')).toEqual([]);
    await press('Enter', { ctrlKey: true });
    const shown = { estimateNano: 2_800_000_000, lowNano: 400_000_000, unpriced: 0 };
    await until(() => studio.callsOf('quotes.approve').length === 1);
    expect(studio.callsOf('quotes.approve')).toEqual([{ id: quote.id, shown }]);
    studio.change([]);
    await studio.emit({ type: 'quotes.changed' });
    await until(() => section() === null);
  });

  it('says why a void one was not sent, and stays open to be read', async () => {
    const text = 'The quote is void: its price is not the one that was quoted. Nothing was sent.';
    const studio = open([quote], () => fail('conflict', text));
    await show(<QueuePage />);
    await clickOn(labels.approveText, '.asked button');
    await press('Enter', { ctrlKey: true });
    await until(() => document.querySelector('[role=dialog]')?.textContent?.includes(text));
    studio.change([]);
    await studio.emit({ type: 'quotes.changed' });
    await until(() => section() === null);
    expect(document.querySelector('[role=dialog]')?.textContent).toContain(text);
  });

  it('for another gateway it cannot be approved, and says which', async () => {
    useStudio.setState({ activeProfileId: 'other' });
    const studio = open([quote]);
    await show(<QueuePage />);
    await clickOn(labels.approveText, '.asked button');
    await until(() => document.querySelector('[role=dialog]')?.textContent?.includes('It is for Gateway.'));
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('quotes.approve')).toEqual([]);
  });

  it('declines, and leads to the chat of drafts with their sum', async () => {
    const studio = open([quote, drafted('1'), drafted('2')]);
    await show(<QueuePage />);
    await until(() => byText(labels.draftsInAChat(2), '.asked li'));
    expect(section()?.querySelector('a')?.getAttribute('href')).toContain('conversation=c');
    expect(byText(labels.draftsInAChat(2), '.asked li').querySelector('.price')?.textContent).toBe('$0.10');
    await click(byText(labels.decline, '.asked button'));
    expect(studio.callsOf('quotes.decline')).toEqual([{ id: quote.id }]);
  });

  it('is not there while nothing is asked', async () => {
    const studio = open([]);
    await show(<QueuePage />);
    await until(() => studio.callsOf('quotes.list').length > 0);
    expect(section()).toBeNull();
  });
});
