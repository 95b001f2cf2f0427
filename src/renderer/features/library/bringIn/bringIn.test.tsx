import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { ok } from '../../../../shared/contract/result.ts';
import type { CheckedFile } from '../../../../shared/library/importCalls.ts';
import type { Transport } from '../../../client/index.ts';
import { setTransport } from '../../../client/index.ts';
import { aTransport } from '../../../testing/aTransport.ts';
import { textOf, textsOf } from '../../../testing/find.ts';
import { anAsset, byText, click, clickOn, show, until } from '../../../testing/page.tsx';
import { closeBringIn, useBringIn } from './bringIn.ts';
import { pickedFiles } from './givenFiles.ts';
import { BringIn, takeFiles } from './WayIn.tsx';

/** jsdom has no digests; the same bytes have the same one. */
vi.stubGlobal('crypto', {
  subtle: {
    digest: async (_: string, bytes: ArrayBuffer) =>
      Uint8Array.from({ length: 32 }, (_, n) => new Uint8Array(bytes)[n] ?? 0),
  },
});

const file = (name: string, text: string, type = 'image/png') => new File([text], name, { type });
const sidecarOf = (sha256: string, prompt: string) => JSON.stringify({ dailies: 1, sha256, made: { prompt } });
const HASH = 'a'.repeat(64);

interface Asked {
  name: string;
  input: { files?: { file: string; sidecar?: string }[]; id?: string };
}

/** A studio that knows one file, and takes all others. */
function studio(known: string[] = [], lost: string[] = []) {
  const calls: Asked[] = [];
  const uploads: string[] = [];
  const purposes: Parameters<Transport['upload']>[2][] = [];
  const transport: Partial<Transport> = {
    async call(name, input) {
      calls.push({ name, input: input as Asked['input'] });
      if (name === 'library.describe') return ok(anAsset({ id: 'described' }));
      if (name === 'library.bin') return ok({ bytes: 1_000 });
      const files = ((input as Asked['input']).files ?? []).map(
        (one): CheckedFile =>
          known.includes(one.file)
            ? { file: one.file, state: 'known', asset: { id: 'k', name: 'Shot 3, take 4' } }
            : {
                file: one.file,
                state: 'new',
                prompt: `Words of ${one.file}`,
                ...(lost.includes(one.file) ? { asset: { id: `of ${one.file}`, name: 'Shot 3, take 5' } } : {}),
              },
      );
      return ok({ files });
    },
    subscribe: (_, onLink) => onLink('up'),
    upload: async (_, name, purpose) => {
      uploads.push(name);
      purposes.push(purpose);
      return ok(anAsset({ id: `of ${name}` })) as never;
    },
  };
  setTransport(aTransport(transport));
  return { calls, uploads, purposes, callsOf: (name: string) => calls.filter((one) => one.name === name) };
}

beforeEach(() => closeBringIn());

it('says what is wrong first, then what is here, and brings in the rest with its words at one press', async () => {
  const { uploads, callsOf } = studio(['old.png']);
  await show(<BringIn />);
  takeFiles(
    pickedFiles([
      file('new.png', 'new'),
      file('new.png.json', sidecarOf(HASH, 'A pier'), 'application/json'),
      file('old.png', 'old'),
      file('twin.png', 'new'),
      file('bad.png', 'bad'),
      file('bad.png.json', '{', 'application/json'),
      file('alone.png.json', sidecarOf(HASH, 'Lost'), 'application/json'),
      file('words.txt', 'hello', 'text/plain'),
      file('.DS_Store', 'x', ''),
    ]),
    () => undefined,
  );
  await until(() => expect(useBringIn.getState().phase).toBe('ready'));
  await until(() => byText(labels.notTaken, 'section'));
  const rows = textsOf('section[aria-label] li');
  expect(rows).toEqual([
    'alone.png.jsonalone.png is not in the same folder.',
    'bad.pngIts sidecar is not JSON.',
    'words.txtNot a picture, video or sound.',
    'old.pngShot 3, take 4',
    'twin.pngnew.png',
    'new.pngWords of new.png',
  ]);
  expect(uploads).toEqual([]);
  await click(byText(labels.bringIn(1)));
  await until(() => expect(useBringIn.getState().phase).toBe('done'));
  expect(uploads).toEqual(['new.png']);
  expect(callsOf('library.describe').map(({ input }) => input.id)).toEqual(['of new.png']);
  await until(() => expect(textOf('[role=status]')).toBe('1 imported, 2 already here, 3 not imported'));
});

it('is taken back with one press: what came in goes into the bin, what was here stays', async () => {
  const { callsOf } = studio(['old.png']);
  await show(<BringIn />);
  takeFiles(
    pickedFiles([
      file('new.png', 'new'),
      file('new.png.json', sidecarOf(HASH, 'A pier'), 'application/json'),
      file('old.png', 'old'),
    ]),
    () => undefined,
  );
  await clickOn(labels.bringIn(1));
  await clickOn(labels.undo);
  await until(() => expect(callsOf('library.bin').map(({ input }) => input)).toEqual([{ ids: ['of new.png'] }]));
  expect(useBringIn.getState().phase).toBe('closed');
});

it('names the bytes of what it hands over, and takes nothing back that only has its bytes again', async () => {
  const { purposes, callsOf } = studio([], ['lost.png']);
  await show(<BringIn />);
  takeFiles(
    pickedFiles([
      file('new.png', 'new'),
      file('new.png.json', sidecarOf(HASH, 'A pier'), 'application/json'),
      file('lost.png', 'lost'),
    ]),
    () => undefined,
  );
  await clickOn(labels.bringIn(2));
  await until(() => byText(labels.undo));
  expect(purposes).toEqual([
    { role: 'source', sha256: expect.stringMatching(/^6c6f7374/) },
    { role: 'source', sha256: expect.stringMatching(/^6e6577/) },
  ]);
  await click(byText(labels.undo));
  await until(() => expect(callsOf('library.bin').map(({ input }) => input)).toEqual([{ ids: ['of new.png'] }]));
});

it('leaves pictures without sidecars to the plain import', async () => {
  const { uploads } = studio();
  await show(<BringIn />);
  takeFiles(pickedFiles([file('one.png', '1')]), () => undefined);
  await until(() => expect(uploads).toEqual(['one.png']));
  expect(useBringIn.getState().phase).toBe('closed');
});

it('is over when it is stopped', async () => {
  const { uploads } = studio();
  await show(<BringIn />);
  takeFiles(pickedFiles([file('one.png', '1'), file('one.png.json', sidecarOf(HASH, 'x'))]), () => undefined);
  closeBringIn();
  await until(() => expect(useBringIn.getState().phase).toBe('closed'));
  expect(uploads).toEqual([]);
});
