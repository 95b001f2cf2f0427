import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findCanary } from '../../../../test/helpers/canary.ts';
import { countWork, growthOf } from '../../../../test/helpers/countWork.ts';
import { createScrubber, createSecretGuard, scrubPlain, streamScrubber } from './index.ts';

const SECRET = 'sk-Ab/9+"x\\é-0123456789';
const PLAIN = 'sk-live-9f8e7d6c5b4a3210zyxwvuts';

function scrubbed(line: string, secret = SECRET): string {
  const scrubber = createScrubber();
  scrubber.hide(secret);
  return scrubber.scrub(line);
}

test.each([
  ['as it is', SECRET],
  ['in a JSON line', JSON.stringify({ header: SECRET })],
  ['in JSON inside JSON', JSON.stringify({ message: JSON.stringify({ header: SECRET }) })],
  ['in an address', `https://x.example/?key=${encodeURIComponent(SECRET)}`],
  ['as base64', Buffer.from(SECRET).toString('base64')],
  ['as base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['as hex', Buffer.from(SECRET).toString('hex')],
  ['as HEX', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['with every byte escaped', Buffer.from(SECRET).toString('hex').replace(/../g, '%$&')],
  [
    'with every character escaped',
    [...SECRET].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['percent-encoded in lower case', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
  ['in HTML by name', SECRET.replaceAll('"', '&quot;').replaceAll('/', '&sol;')],
  ['in HTML by number', SECRET.replaceAll('"', '&#34;').replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')],
  ['in HTML within HTML', SECRET.replaceAll('"', '&amp;quot;')],
  ['in JSON with its slashes escaped', JSON.stringify(SECRET).replaceAll('/', '\\/')],
  ['in JSON as .NET writes it', SECRET.replaceAll('\\', '\\\\').replaceAll('+', '\\u002B').replaceAll('"', '\\u0022')],
  ['in capitals', SECRET.toUpperCase()],
  ['in small letters', SECRET.toLowerCase()],
  ['as base64 in JSON with its slashes escaped', Buffer.from(SECRET).toString('base64').replaceAll('/', '\\/')],
  ['as base64 in an address', encodeURIComponent(Buffer.from(SECRET).toString('base64'))],
  ['as base64 of UTF-16', Buffer.from(SECRET, 'utf16le').toString('base64')],
])('a secret %s is taken out', (_, line) => {
  const rest = scrubbed(line);
  expect(rest).toContain('[hidden]');
  expect(rest.toLowerCase()).not.toContain('ab/9');
  expect(rest).not.toContain('0123456789');
  expect(findCanary(SECRET, { texts: { rest } }).hits).toEqual([]);
});

test.each(['u:', 'us:', 'use:', 'user:'])('base64 of %j and the secret gives nothing of it away', (before) => {
  const rest = scrubbed(Buffer.from(`${before}${SECRET}`).toString('base64'));
  // What may stay are the digits that the neighbours share a group with.
  const left = Buffer.from(rest.split('[hidden]').at(0) ?? '', 'base64').toString();
  expect(rest).toContain('[hidden]');
  expect(left.length).toBeLessThanOrEqual(before.length + 1);
});

test('a secret that a message cuts off is removed as far as it goes', () => {
  expect(scrubbed(`key ${PLAIN.slice(0, 20)}… is wrong`, PLAIN)).toBe('key [hidden]… is wrong');
  expect(scrubbed(`key …${PLAIN.slice(9)} is wrong`, PLAIN)).toBe('key …[hidden] is wrong');
  expect(scrubbed(`key ${PLAIN.slice(0, 7)}***${PLAIN.slice(-4)}`, PLAIN)).toBe(
    `key ${PLAIN.slice(0, 7)}***${PLAIN.slice(-4)}`,
  );
});

test('a piece of a secret is removed in upper and lower case', () => {
  expect(scrubbed(`key ${PLAIN.slice(0, 20).toUpperCase()}… is wrong`, PLAIN)).toBe('key [hidden]… is wrong');
});

test('a key as long as a token of its own is removed', () => {
  const long = Buffer.from('a token, and not a short one. '.repeat(400)).toString('base64url');
  expect(scrubbed(`got ${long.toUpperCase()}, ${encodeURIComponent(long)}!`, long)).toBe('got [hidden], [hidden]!');
});

test.each(['base64', 'hex'] as const)('%s that breaks off in the middle of a secret is taken out too', (encoding) => {
  const whole = Buffer.from(`Bearer ${PLAIN}`).toString(encoding);
  const rest = scrubbed(`got ${whole.slice(0, Math.floor(whole.length * 0.8))}`, PLAIN);
  expect(rest).toContain('[hidden]');
  expect(findCanary(PLAIN, { texts: { rest } }).hits).toEqual([]);
});

test('a longer secret is removed completely even if a shorter one is part of it', () => {
  const scrubber = createScrubber();
  scrubber.hide('abcdef');
  scrubber.hide('abcdef-ghijkl');
  expect(scrubber.scrub('key=abcdef-ghijkl')).toBe('key=[hidden]');
});

test('a value too short to be a secret does not eat the log', () => {
  const scrubber = createScrubber();
  scrubber.hide('a');
  expect(scrubber.scrub('a banana')).toBe('a banana');
});

it('a line of nothing but pieces of a secret is gone through once', async () => {
  const piece = PLAIN.slice(3, 15);
  expect(scrubbed(`${piece} ${piece}${piece} x`, PLAIN)).toBe('[hidden] [hidden][hidden] x');
  const work = (count: number): Promise<number> => countWork(() => scrubbed(`${piece} `.repeat(count), PLAIN));
  await work(4_000);
  expect(await growthOf(work, 2_000)).toBeLessThan(2.2);
});

it('a long secret is no more work than a short one', async () => {
  const long = Array.from({ length: 100 }, (_, at) => Buffer.from(`part ${at * 7919}`).toString('base64url')).join('');
  const text = 'a word, and another one. '.repeat(1_000);
  const work = (secret: string): Promise<number> => {
    const scrubber = createScrubber();
    scrubber.hide(secret);
    return countWork(() => scrubber.scrub(text));
  };
  await work(PLAIN);
  expect((await work(long)) / (await work(PLAIN))).toBeLessThan(2.2);
});

test('pieces of several secrets and encodings in one text are each removed', () => {
  const scrubber = createScrubber();
  const other = 'ghp_0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsT';
  for (const secret of [PLAIN, other]) scrubber.hide(secret);
  const hex = Buffer.from(other).toString('hex');
  const text = `${PLAIN.slice(0, 15)}${other.slice(4, 20)} ${hex.slice(7, 40)}${PLAIN.slice(10)}${PLAIN.slice(10)}`;
  expect(scrubber.scrub(text)).toBe('[hidden][hidden] [hidden][hidden][hidden]');
});

describe('a text in pieces', () => {
  it('however it is split, returns what the whole text returns, and never the secret', () => {
    const around = fc.string({ unit: fc.constantFrom('s', 'k', '-', 'l', 'i', 'x', ' ', '日'), maxLength: 12 });
    const texts = fc.array(fc.oneof(around, fc.constant(PLAIN), fc.constant(PLAIN.slice(0, 9))), { maxLength: 8 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40), { maxLength: 20 }), (parts, cuts) => {
        const text = parts.join('');
        const stream = streamScrubber([PLAIN], '[hidden]');
        let shown = '';
        let rest = text;
        for (const cut of cuts) {
          shown += stream.next(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        shown += stream.next(rest) + stream.end();
        expect(shown).toBe(scrubPlain(text, [PLAIN], '[hidden]'));
        expect(shown).not.toContain(PLAIN);
      }),
    );
  });

  it('holds back nothing that cannot be the beginning of a secret', () => {
    const stream = streamScrubber([PLAIN], '[hidden]');
    expect(stream.next('a whole sentence')).toBe('a whole sentence');
    expect(stream.next('ask')).toBe('a');
    expect(stream.next('ed')).toBe('sked');
  });
});

describe('the guard', () => {
  it('names the field that a key was pasted into', () => {
    const guard = createSecretGuard();
    guard.hide(PLAIN);
    const messages = [{ role: 'user', content: `my key is ${PLAIN}, is that right?` }];
    expect(guard.findSecret({ requests: [{ kind: 'chat', model: 'm', messages }] })).toBe(
      'requests.0.messages.0.content',
    );
    expect(guard.findSecret({ name: 'A quay at night', config: { seed: 1 }, nothing: null })).toBeUndefined();
    expect(guard.findSecret({ shortcuts: { [PLAIN]: 'Mod+K' } })).toBe('shortcuts');
  });

  it('lets a word pass that serves as a key somewhere', () => {
    const guard = createSecretGuard();
    guard.hide('ollama');
    expect(guard.findSecret({ prompt: 'an ollama in the Andes' })).toBeUndefined();
  });
});
