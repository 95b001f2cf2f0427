import { describe, expect, test } from 'vitest';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { Price, PriceInterpretation } from '../../../shared/money/price.ts';
import { previewImport, pricesFromImport } from './prices/priceCalls.ts';

/** A published list beside the user's price book: what would change, for whom, and what exactly is imported. */

const AT = Date.UTC(2026, 10, 21, 12);
const second = (nano: number): PriceInterpretation => ({ unit: 'second', nano });
const image = (nano: number): PriceInterpretation => ({ unit: 'image', nano });
const own = (fields: Partial<Price> & Pick<Price, 'model'>): Price => ({
  kind: 'video',
  readings: [second(400)],
  settledReading: null,
  source: 'imported from x on 2026-01-01',
  ...fields,
});
const profileOf = (prices: Price[], models: string[] = [], kind = 'video') => ({
  ...profileSchema.parse({ baseUrl: 'http://127.0.0.1:1', models: models.map((id) => ({ id, kind })) }),
  id: 'p',
  name: 'P',
  prices,
});
type Listed = Parameters<typeof previewImport>[1]['prices'][number];
const preview = (prices: Price[], listed: Listed[], models: string[] = []) =>
  previewImport(profileOf(prices, models), { from: 'gateway.example/prices', prices: listed, refused: [] }, 'id', AT);
const video = (model: string, ...readings: PriceInterpretation[]): Listed => ({ model, kind: 'video', readings });
const picture = (model: string, ...readings: PriceInterpretation[]): Listed => ({ model, kind: 'image', readings });

describe('each price of the list', () => {
  test.each<[string, PriceInterpretation, string]>([
    ['the same', second(400), 'same'],
    ['more a second', second(401), 'dearer'],
    ['less a second', second(399), 'cheaper'],
    ['another unit that comes to the same for eight seconds', { unit: 'video', nano: 3_200 }, 'other'],
    ['another unit that comes to more', { unit: 'video', nano: 3_201 }, 'dearer'],
  ])('%s', (_, reading, change) => {
    const [shown] = preview([own({ model: 'm' })], [video('m', reading)]).changes;
    expect(shown).toMatchObject({ change, listed: 'm', next: { readings: [reading], settledReading: null } });
  });

  test.each([
    ['cheaper', 300, 800],
    ['dearer', 500, 800],
    ['dearer', 300, 900],
    ['same', 400, 800],
  ])('a reading of two: %s', (change, low, high) => {
    const book = own({ model: 'm', readings: [second(400), second(800)] });
    expect(preview([book], [video('m', second(low), second(high))]).changes).toMatchObject([{ change }]);
  });

  test.each<[string, object, object, string]>([
    ['of what is written to a cache', { cachedNano: 300 }, { cachedNano: 300, cacheWriteNano: 3_750 }, 'dearer'],
    ['of what is written to a cache, no more', { cacheWriteNano: 3_750 }, {}, 'cheaper'],
    ['of what comes from a cache', {}, { cachedNano: 300 }, 'cheaper'],
    ['of what comes from a cache, raised', { cachedNano: 300 }, { cachedNano: 600 }, 'dearer'],
    ['of other input too', { inputNano: 2_999, cachedNano: 0 }, { cachedNano: 2_000 }, 'dearer'],
  ])('a price %s', (_, before, after, change) => {
    const token = (more: object): PriceInterpretation => ({
      unit: 'token',
      inputNano: 3_000,
      outputNano: 15_000,
      ...more,
    });
    const book = own({ kind: 'chat', model: 'm', readings: [token(before)] });
    const listed: Listed = { model: 'm', kind: 'chat', readings: [token(after)] };
    expect(preview([book], [listed]).changes[0]?.change).toBe(change);
  });

  test('is new if nothing is known; a settled price is compared by its valid interpretation', () => {
    expect(preview([], [picture('any', image(5))]).changes[0]).toMatchObject({ now: null, change: 'new' });
    const settled = own({ model: 'm', readings: [second(400), second(900)], settledReading: 0 });
    expect(preview([settled], [video('m', second(400))]).changes[0]?.change).toBe('same');
  });

  test.each<[string, Price, boolean]>([
    ['set by the user', own({ model: 'm', source: 'set by you' }), true],
    ['settled by the user', own({ model: 'm', settledReading: 0 }), true],
    ['imported before', own({ model: 'm' }), false],
    ['that holds for other models', own({ model: '*', source: 'set by you' }), false],
  ])('beside one %s is the user’s own: %j', (_, known, yours) => {
    expect(preview([known], [video('m', second(1))]).changes[0]?.yours).toBe(yours);
  });

  test('is sorted by use: changed and used first, unchanged and unused last', () => {
    const book = ['a', 'b', 'c', 'd'].map((model) => own({ model }));
    const listed = [video('a', second(400)), video('b', second(400)), video('c', second(1)), video('d', second(1))];
    const { changes } = preview(book, listed, ['b', 'd']);
    expect(changes.map((change) => [change.listed, change.used])).toEqual([
      ['d', true],
      ['b', true],
      ['c', false],
      ['a', false],
    ]);
  });

  test.each<[string, string[], string[], string[]]>([
    ['several, none of them a model of the profile', ['dall-e-3', 'imagen-4', 'flux'], [], []],
    ['several, one of them a model of the profile', ['dall-e-3', 'imagen-4', 'flux'], ['flux'], ['flux']],
    ['one alone', ['pictures'], [], ['pictures']],
  ])('of pictures, %s: %j is used with %j', (_, listed, models, used) => {
    const prices = listed.map((model, at) => picture(model, image(at + 1)));
    const shown = previewImport(profileOf([], models, 'image'), { from: 'x', prices, refused: [] }, 'id', AT);
    expect(shown.changes.filter((change) => change.used).map((change) => change.listed)).toEqual(used);
  });

  test('of pictures is not used because a chat model has its name', () => {
    const prices = [picture('both', image(1)), picture('other', image(2))];
    const shown = previewImport(profileOf([], ['both'], 'chat'), { from: 'x', prices, refused: [] }, 'id', AT);
    expect(shown.changes.map(({ used }) => used)).toEqual([false, false]);
  });

  test('of pictures is shown in a long list, whatever its name', () => {
    const many = Array.from({ length: 300 }, (_, n) => video(`a${n}`, second(1)));
    const { changes, left } = preview([], [...many, picture('y', image(1)), picture('z', image(2))]);
    expect(changes.slice(0, 2).map(({ listed }) => listed)).toEqual(['y', 'z']);
    expect([changes.length, left]).toEqual([300, 2]);
  });

  test('of a long list: the first 300 are shown, with the number of others', () => {
    const many = Array.from({ length: 301 }, (_, n) => video(`m${n}`, second(1)));
    const refused = Array.from({ length: 302 }, (_, n) => ({ model: `r${n}`, why: 'no' }));
    const shown = previewImport(profileOf([]), { from: 'x', prices: many, refused }, 'id', AT);
    expect([shown.changes.length, shown.refused.length, shown.left]).toEqual([300, 300, 3]);
  });
});

describe('what is chosen', () => {
  const chosen = (listed: Listed[], names: string[]) => {
    const taken = pricesFromImport(
      preview([], listed),
      names.map((name) => ({ kind: listed.find(({ model }) => model === name)?.kind ?? 'video', listed: name })),
    );
    return taken.ok ? taken.data : taken.error.message;
  };

  test('is imported exactly as it was shown, and nothing else', () => {
    expect(chosen([video('a', second(1)), video('b', second(2))], ['b'])).toMatchObject([
      { model: 'b', readings: [second(2)] },
    ]);
    expect(chosen([video('a', second(1))], ['gone'])).toBe('chosen: gone is not in the list.');
  });

  test('of pictures makes one entry with the price of each mode, each once', () => {
    const modes = [picture('fast', image(5)), picture('turbo', image(9)), picture('same', image(5))];
    expect(chosen(modes, ['fast', 'turbo', 'same'])).toMatchObject([{ model: '*', readings: [image(5), image(9)] }]);
  });

  test('with more modes than an entry holds keeps the lowest and the highest', () => {
    const modes = [3, 9, 1, 7, 5].map((nano) => picture(`mode ${nano}`, image(nano)));
    expect(
      chosen(
        modes,
        modes.map(({ model }) => model),
      ),
    ).toMatchObject([{ readings: [image(1), image(9)] }]);
    expect(
      chosen(
        modes.slice(0, 4),
        modes.slice(0, 4).map(({ model }) => model),
      ),
    ).toMatchObject([{ readings: [image(3), image(9), image(1), image(7)] }]);
  });
});
