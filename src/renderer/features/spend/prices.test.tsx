import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { ProfileView } from '../../../shared/gateway/profile.ts';
import { DEFAULT_PRICES, type Price } from '../../../shared/money/price.ts';
import type { PriceChange, PricePreview } from '../../../shared/money/priceList.ts';
import { hashOf, useStudio } from '../../app/index.ts';
import { says, textOf } from '../../testing/find.ts';
import { acting, byText, click, clickOn, fakeStudio, press, show, showOver, type, until } from '../../testing/page.tsx';
import { Prices } from './Prices.tsx';

const now = DEFAULT_PRICES[1] as Price;
const listedAt = (nano: number): Price => ({
  kind: 'video',
  model: now.model,
  readings: [{ unit: 'second', nano }],
  settledReading: null,
  source: 'imported from gateway.example/v1/models on 2026-11-21',
});
const change = (listed: string, part: Partial<PriceChange> = {}): PriceChange => ({
  kind: 'video',
  listed,
  now,
  next: listedAt(5e8),
  change: 'dearer',
  yours: false,
  used: true,
  ...part,
});
const preview: PricePreview = {
  ...{ id: 'prices_1', from: 'gateway.example/v1/models', at: 0, left: 0 },
  changes: [
    change('clip'),
    change('mine', { yours: true }),
    change('alike', { change: 'same' }),
    change('unused', { used: false }),
  ],
  refused: [{ model: 'auto', why: 'prompt is negative' }],
};
const answers = {
  'prices.list': () => ({ prices: [...DEFAULT_PRICES] }),
  'prices.preview': () => preview,
  'prices.import': () => ({ prices: [listedAt(5e8)] }),
};

describe('taking prices over', () => {
  const box = (model: string) => {
    const row = [...document.querySelectorAll('.priceList .importRow')].find((each) =>
      each.textContent?.includes(model),
    );
    return row?.querySelector('.chk') as HTMLElement;
  };

  it("proposes what the profile uses and would change, never the user's own, and takes what is chosen", async () => {
    const studio = await showOver(<Prices profileId={undefined} />, answers);
    await until(() => expect(document.querySelector('.prices tr')).not.toBeNull());
    await click(byText(labels.import));
    await until(() => expect(document.querySelectorAll('.priceList .importRow')).toHaveLength(5));
    const ticked = ['clip', 'mine', 'alike', 'unused'].map((model) => box(model).getAttribute('aria-checked'));
    expect(ticked).toEqual(['true', 'false', 'false', 'false']);
    expect(document.body.textContent).toContain('Higher price, set by you');
    expect(document.body.textContent).toContain('auto prompt is negative');
    await click(box('mine'));
    await click(byText('Import 2 prices'));
    const chosen = ['clip', 'mine'].map((listed) => ({ kind: 'video', listed }));
    expect(studio.callsOf('prices.import')).toEqual([{ previewId: 'prices_1', chosen }]);
    await until(() => expect(document.querySelector('.priceList')).toBeNull());
    await until(() => expect(studio.callsOf('prices.list').length).toBeGreaterThan(1));
  });

  it('says why there is nothing to take over, and why it was refused', async () => {
    await showOver(<Prices profileId={undefined} />, {
      ...answers,
      'prices.preview': () => fail('not_found', 'This service publishes no prices.'),
    });
    await until(() => expect(document.querySelector('.prices tr')).not.toBeNull());
    await click(byText(labels.import));
    await says('This service publishes no prices.');
    fakeStudio({ ...answers, 'prices.import': () => fail('conflict', 'The list was read again.') });
    await click(byText(labels.tryAgain));
    await until(() => expect(document.querySelector('.priceList')).not.toBeNull());
    await click(byText('Import 1 price'));
    await says('The list was read again. Nothing was saved.');
  });
});

describe('a price with two readings', () => {
  const open = () => textOf('.sec .t2');
  const video = DEFAULT_PRICES.find(({ readings }) => readings[0]?.unit === 'second') as Price;
  const twofold = (model: string, settledReading: number | null = null): Price => ({ ...video, model, settledReading });

  it('is one question at a time, saved by its button alone; the next one comes by Decide later', async () => {
    let prices = [{ ...(DEFAULT_PRICES[0] as Price), model: 'b' }, twofold('a')];
    const studio = await showOver(<Prices profileId={undefined} />, {
      'prices.list': () => ({ prices }),
      'prices.set': ({ price }) => {
        prices = prices.map((one) => (one.model === price.model ? (price as Price) : one));
        return { prices };
      },
    });
    await until(() => expect(open()).toBe('a, 1 of 2'));
    await clickOn(labels.decideLater);
    expect(open()).toBe('b, 2 of 2');
    await click(document.querySelector('[role="radio"]') as HTMLElement);
    expect(studio.callsOf('prices.set')).toEqual([]);
    await clickOn(labels.setPrice);
    expect(studio.callsOf('prices.set')).toMatchObject([{ price: { model: 'b', settledReading: 0 } }]);
    await until(() => expect(open()).toBe('a'));
  });

  it('that was set is opened again from the list', async () => {
    const studio = await showOver(<Prices profileId={undefined} />, {
      'prices.list': () => ({ prices: [twofold('a', 1)] }),
      'prices.set': () => ({ prices: [] }),
    });
    await until(() => byText('price of a'));
    expect(open()).toBeUndefined();
    await click(byText('price of a'));
    await clickOn(labels.notKnown, 'label');
    await clickOn(labels.setPrice);
    expect(studio.callsOf('prices.set')).toMatchObject([{ price: { model: 'a', settledReading: null } }]);
    await until(() => expect(open()).toBeUndefined());
  });
});

describe('a price that is typed in', () => {
  const profile = {
    id: 'p',
    name: 'Gateway',
    models: [
      { id: 'gpt-5', kind: 'chat' },
      { id: 'veo', kind: 'video' },
    ],
  } as ProfileView;
  const book = { 'prices.list': () => ({ prices: [...DEFAULT_PRICES] }), 'prices.set': () => ({ prices: [] }) };
  const field = (label: string) => {
    const all = [...document.querySelectorAll<HTMLElement>('.dlg .field')];
    const found = all.find((each) => each.querySelector('.lab')?.textContent?.startsWith(label));
    return found?.querySelector('input') as HTMLInputElement;
  };
  const save = () => acting(() => document.querySelector<HTMLFormElement>('.dlg form')?.requestSubmit());
  const isOpen = () => document.querySelector('.dlg form') !== null;
  const choose = async (select: string, option: string) => {
    await click(byText(select, '.dlg [role="combobox"]'));
    await clickOn(option, '[role="option"]');
  };
  /** By the link that pages have. */
  const opened = async (params: Record<string, string>) => {
    window.location.hash = hashOf('spend', params);
    await show(<Prices profileId="p" />);
    await until(() => expect(isOpen()).toBe(true));
  };
  beforeEach(() => {
    window.location.hash = '';
    useStudio.setState({ profiles: [profile], activeProfileId: 'p' });
  });

  it('of a chat model is set from its link, in dollars a million tokens', async () => {
    const studio = fakeStudio(book);
    await opened({ price: 'chat', model: 'gpt-5', profile: 'p' });
    byText(labels.setAPriceOf('Gateway'), '.dlg h2');
    expect(byText(labels.model, '.dlg [role="combobox"]').textContent).toContain('gpt-5');
    expect(textOf('.dlg')).toContain('$0.27 in, $1.08 out');
    expect([field(labels.input).value, field(labels.output).value]).toEqual(['', '']);
    expect(document.activeElement).toBe(field(labels.input));
    await type(field(labels.input), '1.25');
    await save();
    byText(labels.mustBeAnAmountIn('Output'), '.dlg .err');
    expect(studio.callsOf('prices.set')).toEqual([]);
    await type(field(labels.output), '10');
    await type(field(labels.perRequest), '0.005');
    await save();
    await until(() => expect(isOpen()).toBe(false));
    const reading = {
      ...{ unit: 'token', inputNano: 1_250_000_000, outputNano: 10_000_000_000, perTokens: 1_000_000 },
      requestNano: 5_000_000,
    };
    const price = { kind: 'chat', model: 'gpt-5', readings: [reading], settledReading: 0, source: 'set by you' };
    expect(studio.callsOf('prices.set')).toEqual([{ profileId: 'p', price }]);
    expect(window.location.hash).toBe('#/spend');
  });

  it('is of every model of a kind, or of one that is chosen; what is typed for another is not taken along', async () => {
    const studio = await showOver(<Prices profileId="p" />, book);
    await clickOn(labels.setAPrice);
    await until(() => expect(isOpen()).toBe(true));
    expect(byText(labels.model, '.dlg [role="combobox"]').textContent).toContain('Every model (Chat)');
    await type(field(labels.input), '3');
    await choose(labels.kind, labels.video);
    await choose(labels.model, 'veo');
    expect(field(labels.price).value).toBe('');
    await type(field(labels.price), '2');
    await save();
    byText(labels.chooseAUnit, '.dlg .err');
    await click(byText(labels.aVideo, '.dlg [role="radio"]'));
    await save();
    await until(() =>
      expect(studio.callsOf('prices.set')).toMatchObject([
        { price: { kind: 'video', model: 'veo', readings: [{ unit: 'video', nano: 2e9 }] } },
      ]),
    );
  });

  it('is left by Escape, and says why it was refused', async () => {
    const studio = await showOver(<Prices profileId="p" />, {
      ...book,
      'prices.set': () => fail('too_large', 'price: an open request is too dear.'),
    });
    await clickOn('price of Every model (Image)');
    await until(() => expect(isOpen()).toBe(true));
    await type(field(labels.price), '0.05');
    await save();
    await until(() => byText('price: an open request is too dear. Nothing was saved.', '.dlg .err'));
    expect(field(labels.price).value).toBe('0.05');
    await press('Escape', {}, field(labels.price));
    await until(() => expect(isOpen()).toBe(false));
    expect(studio.callsOf('prices.set')).toHaveLength(1);
  });

  it('of pictures that have several readings is set anew', async () => {
    const pictures: Price = {
      kind: 'image',
      model: '*',
      readings: [0.04e9, 0.06e9].map((nano) => ({ unit: 'image', nano })),
      settledReading: null,
      source: 'imported from gateway.example/api/pricing on 2026-11-21',
    };
    const studio = await showOver(<Prices profileId="p" />, { ...book, 'prices.list': () => ({ prices: [pictures] }) });
    await clickOn('Another price for Every model (Image)');
    await until(() => expect(isOpen()).toBe(true));
    expect(field(labels.price).value).toBe('');
    await type(field(labels.price), '0.1');
    await save();
    const price = { kind: 'image', model: '*', readings: [{ unit: 'image', nano: 0.1e9 }], settledReading: 0 };
    await until(() =>
      expect(studio.callsOf('prices.set')).toEqual([{ profileId: 'p', price: { ...price, source: 'set by you' } }]),
    );
  });

  it('is changed where it stands, from what it is', async () => {
    const own = { ...listedAt(5e8), settledReading: 0, source: 'set by you' };
    const prices = [own, { ...listedAt(5e8), model: 'listed' }];
    const studio = await showOver(<Prices profileId="p" />, { ...book, 'prices.list': () => ({ prices }) });
    await until(() => byText('price of video-standard'));
    expect(textOf('.prices')).toContain('video-standardset by you$0.50 per second');
    expect(textOf('.prices')).toContain('listedlisted 2026-11-21$0.50 per second');
    await click(byText('price of video-standard'));
    await until(() => expect(isOpen()).toBe(true));
    expect(field(labels.price).value).toBe('0.50');
    expect(byText(labels.aSecond, '.dlg [role="radio"]').getAttribute('aria-checked')).toBe('true');
    await type(field(labels.price), '0.45');
    await save();
    await until(() =>
      expect(studio.callsOf('prices.set')).toMatchObject([{ price: { readings: [{ unit: 'second', nano: 4.5e8 }] } }]),
    );
  });
});
