import fc from 'fast-check';
import { expect, test } from 'vitest';
import { videoRequestSchema } from '../kinds/video.ts';
import { MAX_SLOTS, shareSlots, swappedIn, toSend } from './assignReferences.ts';
import { requestOfShot, type Shot, shotSchema } from './board.ts';
import { type CastMember, castMemberSchema } from './cast.ts';
import { mentionsOf, typedName, withRenamed } from './mentions.ts';

/** Which cast members a shot names, which of them get one of the three reference slots, and what is sent of each. */

const member = (id: string, more: Partial<CastMember> = {}): CastMember =>
  castMemberSchema.parse({ id, name: id, sheets: [{ assetId: `${id}-1` }], ...more });
const shotOf = (prompt: string, more: Partial<Shot> = {}): Shot =>
  shotSchema.parse({ id: 's', prompt, model: 'm', source: 'references', ...more });

const ines = member('ines', {
  name: 'Ines',
  sheets: [{ assetId: 'front' }, { assetId: 'side', label: 'profile' }],
  words: 'woman of 30',
});
const coat = member('coat', { name: 'Wool coat', kind: 'thing', with: 'ines' });
const ferry = member('ferry', { name: 'The ferry', kind: 'thing' });
const harbour = member('harbour', { name: 'Harbour', kind: 'place', words: ' wet stone, sodium lamps ' });
const cast = [harbour, ferry, coat, ines];
const pier = shotOf(
  '@Ines in profile on the pier, as @the ferry leaves the @harbour. A@Ines is no name, nor is @35mm.',
);

const told = (shot: Shot, of = cast) =>
  shareSlots(shot, of).shares.map(({ member: { name }, slot, sheet }) => [name, slot, sheet]);

test('names are found by the longest that fits, without regard to case, and not within words', () => {
  const both = [member('a', { name: 'Ann' }), member('b', { name: 'Ann Lee' }), member('c', { name: 'İ' })];
  const names = (text: string) => mentionsOf(text, both).map(({ member: { id }, at, length }) => [id, at, length]);
  expect(names('@ann lee, @ANN, @Anna @Ann2 x@Ann @@Ann @')).toEqual([
    ['b', 0, 8],
    ['a', 10, 4],
    ['a', 35, 4],
  ]);
  expect(names('@İ')).toEqual([['c', 0, 2]]);
  expect(mentionsOf('@', [member('x', { name: ' ' })])).toEqual([]);
});

test('a new name is written wherever the member was named', () => {
  expect(withRenamed('@Ines and @ines; @Wool coat', cast, 'ines', 'Mara B.')).toBe('@Mara B. and @Mara B.; @Wool coat');
});

test('what is typed behind an @ is known at the caret only', () => {
  expect(typedName('on @Wool c', 10)).toEqual({ at: 3, typed: 'Wool c' });
  expect(typedName('me@home', 7)).toBeUndefined();
  expect(typedName('no sign', 4)).toBeUndefined();
});

test('the slots of a shot, and who is left out', () => {
  expect(told(pier)).toEqual([
    ['Ines', 1, 1],
    ['Wool coat', 2, 0],
    ['The ferry', 3, 0],
    ['Harbour', undefined, 0],
  ]);
});

test('what is sent: names without signs, three pictures, and the words of who is left out', () => {
  expect(videoRequestSchema.parse(requestOfShot(toSend(pier, cast)))).toMatchObject({
    prompt:
      'Ines in profile on the pier, as the ferry leaves the harbour. A@Ines is no name, nor is @35mm.\nHarbour: wet stone, sodium lamps',
    referenceImages: [{ assetId: 'side' }, { assetId: 'coat-1' }, { assetId: 'ferry-1' }],
    cast: [
      { memberId: 'ines', name: 'Ines', kind: 'person', slot: 1, sheet: 2, assetId: 'side' },
      { memberId: 'coat', slot: 2, sheet: 1 },
      { memberId: 'ferry', slot: 3 },
      { memberId: 'harbour', words: 'wet stone, sodium lamps', leftOut: true },
    ],
  });
});

test('a shot that takes no references has its cast in the words', () => {
  const { prompt, castUses, referenceImages } = toSend({ ...pier, source: 'first' }, cast);
  expect(prompt).toContain('\nInes: woman of 30\n');
  expect(castUses.map(({ slot, leftOut }) => [slot, leftOut])).toEqual(Array(4).fill([undefined, undefined]));
  expect(referenceImages).toEqual([]);
});

test('pictures chosen by hand keep their slots, and one that is a sheet counts once', () => {
  const shot = { ...pier, referenceImages: [{ assetId: 'mood' }, { assetId: 'harbour-1' }] };
  expect(told(shot).map(([name, slot]) => [name, slot])).toEqual([
    ['Harbour', 2],
    ['Wool coat', 3],
    ['Ines', undefined],
    ['The ferry', undefined],
  ]);
});

test('things first, by hand, and a sheet chosen for the shot', () => {
  expect(told({ ...pier, slots: { order: 'things' } }).map(([name]) => name)).toEqual([
    'Wool coat',
    'The ferry',
    'Ines',
    'Harbour',
  ]);
  const byHand = { ...pier, slots: { order: 'hand' as const, held: ['harbour', 'ines'], sheets: { ines: 'front' } } };
  expect(told(byHand)).toEqual([
    ['Harbour', 1, 0],
    ['Ines', 2, 0],
    ['Wool coat', 3, 0],
    ['The ferry', undefined, 0],
  ]);
});

test('a shot without a cast is sent as it is', () => {
  const plain = shotOf('A quay at @noon', { source: 'text' });
  expect(requestOfShot(toSend(plain))).toEqual({ kind: 'video', model: 'm', prompt: 'A quay at @noon', config: {} });
});

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const anyMember = (id: string) =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(id),
    kind: fc.constantFrom('person' as const, 'thing' as const, 'place' as const),
    words: fc.constantFrom('', 'words'),
    // Two members may share an image.
    sheets: fc.uniqueArray(fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'), { maxLength: 3 }),
    with: fc.option(fc.constantFrom(...IDS), { nil: undefined }),
  });
const anyFilm = fc.record({
  cast: fc.tuple(...IDS.map(anyMember)),
  named: fc.array(fc.constantFrom(...IDS), { maxLength: 8 }),
  byHand: fc.uniqueArray(fc.constantFrom('p1', 'p2', 'own'), { maxLength: 3 }),
  order: fc.option(fc.constantFrom('people' as const, 'things' as const, 'hand' as const), { nil: undefined }),
  held: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 3 }),
  swap: fc.constantFrom(...IDS),
});

test('never more than three, none twice, held ones before others, always the same, and nobody forgotten', () => {
  fc.assert(
    fc.property(anyFilm, ({ cast: all, named, byHand, order, held, swap }) => {
      const film = all.map((one) => member(one.id, { ...one, sheets: one.sheets.map((assetId) => ({ assetId })) }));
      const slots = { held, ...(order ? { order } : {}) };
      const referenceImages = byHand.map((assetId) => ({ assetId }));
      const shot = shotOf(named.map((name) => `@${name}`).join(' and '), { referenceImages, slots });
      const { shares, pictures } = shareSlots(shot, film);
      const sent = [...byHand, ...pictures];
      expect(sent.length).toBeLessThanOrEqual(MAX_SLOTS);
      expect(new Set(sent).size).toBe(sent.length);
      expect(shareSlots(structuredClone(shot), structuredClone(film))).toEqual({ shares, pictures });
      const ids = shares.map((share) => share.member.id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const name of named) expect(ids).toContain(name);
      for (const { slot, sheet, member: one, isLeftOut } of shares) {
        if (slot !== undefined) expect(one.sheets[sheet ?? -1]?.assetId).toBe(sent[slot - 1]);
        expect(isLeftOut).toBe(slot === undefined && one.sheets.length > 0);
        // A guaranteed member is left out only for images that the user chose and for other guaranteed members.
        if (isLeftOut && held.includes(one.id))
          for (let at = byHand.length + 1; at <= sent.length; at++)
            expect(shares.some((share) => share.slot === at && share.isHeld)).toBe(true);
      }
      const choice = swappedIn(shot, film, swap);
      const swapped = shares.find(({ member: { id } }) => id === swap);
      if (choice && swapped?.isLeftOut) {
        const after = shareSlots({ ...shot, slots: choice }, film).shares;
        expect(after.find(({ member: { id } }) => id === swap)?.slot).toBeDefined();
      }
    }),
    { numRuns: 2_000 },
  );
});
