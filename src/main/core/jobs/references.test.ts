import { expect, test } from 'vitest';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { AssetRow } from '../library/index.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { clipUri, wireMedia } from './references.ts';

/** A picture goes by the service's own link while that lives, else as its bytes; a link of another service never leaves. */

const HOUR = 3_600_000;
const clock = new TestClock();
const now = clock.now();

const row = (fields: Partial<AssetRow>): AssetRow =>
  ({
    id: 'picture',
    state: 'local',
    sha256: 'ab'.repeat(32),
    mime: 'image/png',
    remote_uri: 'https://cdn.example/a.png',
    profile_id: 'p',
    expires_at: null,
    created_at: now,
    refusal: null,
    ...fields,
  }) as AssetRow;

function sentAs(fields: Partial<AssetRow>, profile: { baseUrl?: string; pictures?: 'link' | 'bytes' } = {}) {
  const read = { one: () => row(fields) } as unknown as ReadDb;
  const deps = {
    store: { read } as Store,
    library: { place: { home: '/data', fault: () => undefined, look: async () => undefined } },
    clock,
  };
  const service = profileSchema.parse({ id: 'p', name: 'P', baseUrl: 'https://api.example', ...profile });
  const media = wireMedia(deps, 'image', { assetId: 'picture' }, { ...service, id: 'p' });
  if (!media.ok) return media.error.code;
  if (!('uri' in media.data)) return 'bytes';
  return media.data.file ? [media.data.uri, media.data.file.mime] : media.data.uri;
}

const BY_LINK = ['https://cdn.example/a.png', 'image/png'];

test.each([
  ['its expiry is not stated and it is new', {}, BY_LINK],
  ['it lives for hours', { expires_at: now + HOUR }, BY_LINK],
  ['it ends before the service may have fetched it', { expires_at: now + 60_000 }, 'bytes'],
  ['it has ended', { expires_at: now - 1 }, 'bytes'],
  ['its expiry is not stated and it is a day old', { created_at: now - 24 * HOUR }, 'bytes'],
  ['another service made it', { profile_id: 'other' }, 'bytes'],
  ['the user brought it', { profile_id: null, remote_uri: null }, 'bytes'],
  ['it came as its bytes', { remote_uri: 'data:image/png;base64,AAAA' }, 'bytes'],
  ['it is no address', { remote_uri: 'file:///etc/passwd' }, 'bytes'],
  ['it is on loopback and the service is not', { remote_uri: 'http://127.0.0.1:9/a.png' }, 'bytes'],
  ['it is in object storage, however old', { remote_uri: 'gs://b/a', created_at: 0 }, ['gs://b/a', 'image/png']],
  ['only the service has it', { state: 'remote' as const }, 'https://cdn.example/a.png'],
  ['only another service has it', { state: 'remote' as const, profile_id: 'other' }, 'not_found'],
  ['the service refused it', { state: 'expired' as const, refusal: 'moderation' as const }, 'not_found'],
  ['nobody has it', { state: 'expired' as const, remote_uri: null }, 'not_found'],
])('a link where %s', (_, fields, expected) => {
  expect(sentAs(fields)).toEqual(expected);
});

test('a service on loopback is given its own links, and none of its port before', () => {
  const baseUrl = 'http://127.0.0.1:4000';
  expect(sentAs({ remote_uri: `${baseUrl}/a.png` }, { baseUrl })).toEqual([`${baseUrl}/a.png`, 'image/png']);
  expect(sentAs({ remote_uri: 'http://127.0.0.1:4001/a.png' }, { baseUrl })).toBe('bytes');
});

test('the address of a clip is given to the gateway that made it alone', () => {
  const of = (fields: Partial<AssetRow>) =>
    clipUri({ one: () => row(fields) } as unknown as ReadDb, { assetId: 'picture' }, 'p');
  expect(of({})).toBe('https://cdn.example/a.png');
  expect(of({ profile_id: 'other' })).toBeUndefined();
  expect(of({ profile_id: 'other', remote_uri: 'gs://b/a' })).toBeUndefined();
});

test('a profile may want bytes always', () => {
  expect(sentAs({}, { pictures: 'bytes' })).toBe('bytes');
});
