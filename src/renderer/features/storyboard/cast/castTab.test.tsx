import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { aShot, aTake, freshBoard, openBoard, saveNow } from '../../../testing/boardPage.tsx';
import { acting, anAsset, byText, click, press, type, until } from '../../../testing/page.tsx';
import { selectMember } from './useCast.ts';

const member = (name: string) => ({ id: name, name, sheets: [{ assetId: `sheet-${name}` }] });
const answers = { 'library.get': ({ id }: { id: string }) => anAsset({ id, sha256: id }) };

beforeEach(() => freshBoard({ tab: 'cast' }));

/** A shot that mentions four members, three of which fit, and one whose take was made from an old reference image. */
async function openCast() {
  const use = { memberId: 'Ada', name: 'Ada', kind: 'person', slot: 1, sheet: 1, assetId: 'older' };
  const take = aTake('t', {
    request: { kind: 'video', model: 'video-standard', prompt: 'Ada', config: {}, cast: [use] } as never,
    inputs: [{ field: 'referenceImages.0', assetId: 'older', sha256: 'older' }],
  });
  const opened = await openBoard(
    {
      cast: ['Ada', 'Ben', 'Cleo', 'Dan'].map(member),
      shots: [
        aShot('a', { source: 'references', prompt: '@Ada, @Ben, @Cleo and @Dan' }),
        aShot('b', { source: 'references', prompt: '@Ada', takes: ['t'], activeTake: 't' }),
      ],
    },
    { ...answers, jobs: [take] },
  );
  await until(() => byText(labels.addToTheCast));
  return opened;
}

it('X swaps the picture that is left out in, and the last one of the others out', async () => {
  const { saved } = await openCast();
  await press('x');
  await saveNow();
  await until(() => expect(saved().shots[0]?.slots?.held).toEqual(['Dan']));
});

it('Shift S shows the shot whose take was made from another picture', async () => {
  await openCast();
  await until(() => expect(document.body.textContent).toContain(labels.slotsOfShot(1)));
  await press('S', { shiftKey: true });
  await until(() => expect(document.body.textContent).toContain(labels.slotsOfShot(2)));
});

it('the field of a name holds what is, and leaving it changes nothing that was not typed', async () => {
  selectMember('Mara');
  const opened = await openBoard({ shots: [aShot('a', { prompt: '@Mara waits' })], cast: [member('Mara')] }, answers);
  const { studio, saved, elsewhere } = opened;
  const field = () => document.querySelector('aside .stack input') as HTMLInputElement;
  await until(() => expect(field()).toBeTruthy());
  const leave = async () => {
    await acting(() => field().focus());
    await acting(() => field().blur());
    await saveNow();
  };
  const rename = async (name: string) => {
    await elsewhere(() => ({ shots: [aShot('a', { prompt: `@${name} waits` })], cast: [{ ...member('Mara'), name }] }));
    await until(() => expect(document.querySelector('aside h2')?.textContent).toBe(name));
  };
  await type(field(), 'Nora');
  await leave();
  await until(() => expect(saved().shots[0]?.prompt).toBe('@Nora waits'));
  await rename('Mara');
  expect(field().value).toBe('Mara');
  const saves = studio.callsOf('storyboard.save').length;
  await leave();
  expect(studio.callsOf('storyboard.save')).toHaveLength(saves);
  // Typing and deleting a letter changes nothing.
  await acting(() => field().focus());
  await type(field(), 'Maras');
  await type(field(), 'Mara');
  await rename('Nora');
  expect(field().value).toBe('Nora');
});

const slots = () =>
  [...document.querySelectorAll('.slots .slot > .media')].map((slot) => slot.getAttribute('aria-label'));

async function openShot(more: Parameters<typeof aShot>[1]) {
  freshBoard();
  const tom = { id: 'tom', name: 'Tom' };
  await openBoard(
    { shots: [aShot('a', { prompt: '@Mara waits for @Tom', ...more })], cast: [member('Mara'), tom] },
    answers,
  );
}

it.each(['text', 'first', 'firstLast', 'extend'] as const)(
  'a shot that starts from %s says whose picture is not sent, and offers to send it',
  async (source) => {
    await openShot({ source });
    const notes = () => [...document.querySelectorAll('p')].map(({ textContent }) => textContent);
    const note = () => notes().find((text) => text?.startsWith('No picture of'));
    await until(() => expect(note()).toContain('@Mara'));
    expect(note()).not.toContain('Tom');
    await click(byText('Start from references'));
    await until(() => expect(slots()[0]).toBe('Reference 1: Mara, from the cast'));
    expect(note()).toBeUndefined();
  },
);

it('the slots that pictures of the cast take are shown as taken, behind those chosen by hand', async () => {
  await openShot({ source: 'references', referenceImages: [{ uri: 'https://pictures.example/own.png' }] });
  await until(() =>
    expect(slots()).toEqual([
      'Reference 1: https://pictures.example/own.png',
      'Reference 2: Mara, from the cast',
      'Reference 3: Choose',
    ]),
  );
});
