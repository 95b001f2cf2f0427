import { expect, test } from 'vitest';
import { addressIn, expiryOf } from './mediaAddress.ts';

test.each([
  // new-api hands results on at this address until its own is set (setting/system_setting: ServerAddress).
  ['http://localhost:3000/v1/videos/t/content', 'https://api.example/v1/videos/t/content'],
  ['http://localhost:3000/mj/image/17', 'https://api.example/mj/image/17'],
  ['http://localhost:3000/files/a.mp4', 'http://localhost:3000/files/a.mp4'],
  ['/files/v1.mp4', 'https://api.example/files/v1.mp4'],
])('of a service at another host, %s is the file at %s', (text, address) => {
  expect(addressIn(text, { base: 'https://api.example', isEcho: () => false })).toBe(address);
});

test('a signed address ends when its signature does', () => {
  const uri = 'https://c.example/a.mp4?X-Amz-Date=20250101T000000Z&X-Amz-Expires=3600';
  expect(expiryOf(uri, undefined)).toBe(Date.UTC(2025, 0, 1, 1));
});
