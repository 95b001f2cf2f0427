import { expect, test } from 'vitest';
import { createScrubber } from './scrub.ts';

const SECRET = 'sk-Ab/9+"x\\é-0123456789';

function scrubbed(line: string): string {
  const scrubber = createScrubber();
  scrubber.hide(SECRET);
  return scrubber.scrub(line);
}

test.each([
  ['as it is', SECRET],
  ['in a JSON line', JSON.stringify({ header: SECRET })],
  ['in an address', `https://x.example/?key=${encodeURIComponent(SECRET)}`],
  ['as base64', Buffer.from(SECRET).toString('base64')],
  ['as base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['as hex', Buffer.from(SECRET).toString('hex')],
])('a secret %s is taken out', (_, line) => {
  const rest = scrubbed(line);
  expect(rest).toContain('[hidden]');
  expect(rest).not.toContain('Ab/9');
});

test.each(['u:', 'us:', 'use:', 'user:'])('base64 of %j and the secret gives nothing of it away', (before) => {
  const rest = scrubbed(Buffer.from(`${before}${SECRET}`).toString('base64'));
  // What may stay are the digits that the neighbours share a group with.
  const left = Buffer.from(rest.split('[hidden]').at(0) ?? '', 'base64').toString();
  expect(rest).toContain('[hidden]');
  expect(left.length).toBeLessThanOrEqual(before.length + 1);
});

test('a longer secret is taken out whole where a shorter one is part of it', () => {
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
