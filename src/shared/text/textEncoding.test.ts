import { describe, expect, it } from 'vitest';
import { decodeAs, decodeText } from './textEncoding.ts';

const hex = (...parts: string[]) => new Uint8Array(Buffer.from(parts.join(''), 'hex'));
const utf8 = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const wide = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint8Array(isBig ? bytes.swap16() : bytes);
};
/** ASCII as it is, the rest by a table. */
const byTable = (text: string, codes: (character: string) => number[]) =>
  new Uint8Array([...text].flatMap((one) => (one < '\x80' ? [one.charCodeAt(0)] : codes(one))));
const SINGLE = (encoding: string) => {
  const all = [...Array(128).keys()].map((at) => at + 128);
  const characters = new TextDecoder(encoding).decode(new Uint8Array(all));
  return (character: string) => [128 + characters.indexOf(character)];
};
const double = (encoding: string) => {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, number[]>();
  for (let lead = 0x81; lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) {
      const character = decoder.decode(new Uint8Array([lead, trail]));
      if (character.length === 1 && !table.has(character)) table.set(character, [lead, trail]);
    }
  return (character: string) => table.get(character) ?? [];
};

const SRT = (words: string) => `1\r\n00:00:01,000 --> 00:00:03,000\r\n${words}\r\n`;

describe('Unicode is read as it is, with a mark or without', () => {
  const TEXT = 'prompt;seconds\r\nMaják – 灯台;4\r\n';
  it.each([
    ['utf-8', utf8(TEXT)],
    ['utf-8', utf8(`\ufeff${TEXT}`)],
    ['utf-16le', wide(TEXT)],
    ['utf-16le', wide(`\ufeff${TEXT}`)],
    ['utf-16be', wide(TEXT, true)],
    ['utf-16be', wide(`\ufeff${TEXT}`, true)],
  ])('%s', async (encoding, bytes) =>
    expect(await decodeText(bytes)).toEqual({ text: TEXT, encoding, isGuess: false, unreadable: 0 }),
  );

  it('an empty file is an empty text', async () =>
    expect(await decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8', isGuess: false, unreadable: 0 }));
});

describe('another encoding is detected, and said to be a guess', () => {
  const FILES = {
    'windows-1252': [
      SRT('À bientôt, mon café préféré'),
      'prompt;seconds\r\nEin Bär läuft über die Straße;4\r\n',
      'café\r\n',
    ],
    'windows-1251': [
      SRT('Привет, мир!'),
      'prompt,seconds\r\nМаяк в сумерках,4\r\n',
      SRT('Последний паром уходит в десять'),
    ],
    gb18030: [SRT('最后一班渡轮十点开'), 'prompt,seconds\r\n黄昏的灯塔,4\r\n', '你好\r\n'],
    shift_jis: [SRT('最後の船は十時に出ます'), SRT('カメラがゆっくり近づく'), 'prompt,seconds\r\n夕暮れの灯台,4\r\n'],
  };
  it.each(
    Object.entries(FILES).flatMap(([encoding, texts]) => {
      const codes = encoding.startsWith('windows') ? SINGLE(encoding) : double(encoding);
      return texts.map((text) => [encoding, text, byTable(text, codes)] as const);
    }),
  )('%s: %j', async (encoding, text, bytes) =>
    expect(await decodeText(bytes)).toEqual({ text, encoding, isGuess: true, unreadable: 0 }),
  );

  it('of a long file by its first words beyond ASCII', async () => {
    const text = `${'a,b\r\n'.repeat(40_000)}Маяк в сумерках\r\n`;
    expect(await decodeText(byTable(text, SINGLE('windows-1251')))).toMatchObject({ encoding: 'windows-1251', text });
  });
});

describe('bytes without a meaning are counted', () => {
  it.each([
    ['UTF-8 with a broken end behind its mark', hex('efbbbf', '61c3'), 1],
    ['half a character of UTF-16', hex('fffe', '6100', '62'), 1],
    ['replacement characters of another program', utf8('a \ufffd\ufffd b'), 2],
  ])('%s', async (_, bytes, unreadable) => expect((await decodeText(bytes)).unreadable).toBe(unreadable));

  it('in a chosen encoding as well', () =>
    expect(decodeAs(hex('636166e9'), 'utf-8')).toMatchObject({ text: 'caf\ufffd', unreadable: 1 }));
});
