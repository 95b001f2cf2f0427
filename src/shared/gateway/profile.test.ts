import { describe, expect, it } from 'vitest';
import { contract } from '../contract/contract.ts';
import { parseInput } from '../contract/result.ts';
import { profileInputSchema } from './profile.ts';

const KEY = 'sk-proj-0123456789abcdefghijkl';

describe('a key that is typed or pasted', () => {
  const setKey = (apiKey: unknown) => parseInput(contract['profiles.setKey'].input, { id: 'p', apiKey });

  it.each([`${KEY}\n`, `  ${KEY}\t`, `\uFEFF${KEY}\r\n`])('loses the white space around it', (typed) => {
    expect(setKey(typed)).toEqual({ ok: true, data: { id: 'p', apiKey: KEY } });
  });

  it.each([
    ['', 'apiKey: must not be empty'],
    [' \n ', 'apiKey: must not be empty'],
    [`sk-one\nsk-two`, 'apiKey: must be one line: there is a line break in it'],
    [`${KEY} ${KEY}`, 'apiKey: must not have a space in it'],
    [`Bearer ${KEY}`, 'apiKey: must be the key alone, without the word Bearer or Bot before it'],
    [`sk-\u200b0123`, 'apiKey: must be printable ASCII: there is another character in it, maybe an invisible one'],
    ['sk-ключ', 'apiKey: must be printable ASCII: there is another character in it, maybe an invisible one'],
    ['sk-\u00000123', 'apiKey: must be printable ASCII: there is another character in it, maybe an invisible one'],
    ['x'.repeat(4_097), 'apiKey: must have at most 4,096 characters'],
    [42, 'apiKey: must be text'],
  ])('%j is refused with its field and its rule, and is not repeated', (typed, message) => {
    const answer = setKey(typed);
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input', message, data: { field: 'apiKey' } } });
    if (typeof typed === 'string' && typed.trim().length > 5)
      expect(JSON.stringify(answer)).not.toContain(typed.trim());
  });

  it('as a bot token follows the same rules', () => {
    const save = (botToken: string) => parseInput(profileInputSchema, { baseUrl: 'https://gateway.example', botToken });
    expect(save('token-1\n')).toMatchObject({ ok: true, data: { botToken: 'token-1' } });
    expect(save('Bot token-1')).toMatchObject({ ok: false, error: { data: { field: 'botToken' } } });
  });
});

describe('a key in another field of a profile', () => {
  const base = { baseUrl: 'https://gateway.example' };
  it.each([
    ['baseUrl', { baseUrl: `https://user:${KEY}@gateway.example` }],
    ['baseUrl', { baseUrl: `https://gateway.example/?key=${KEY}` }],
    ['baseUrl', { baseUrl: `https://gateway.example/${KEY}/v1` }],
    ['name', { ...base, name: KEY }],
    ['vendor', { ...base, vendor: KEY }],
    ['imagePrefix', { ...base, imagePrefix: KEY }],
    ['imageAuthHeaders.0', { ...base, imageAuthHeaders: [KEY] }],
    ['videoPollPath', { ...base, videoPollPath: '/v1/videos/{id}?key=abc' }],
    ['videoPollPath', { ...base, videoPollPath: `/v1/videos/{id}?x=${KEY}` }],
    ['webhookBase', { ...base, webhookBase: `https://tunnel.example/?token=${KEY}` }],
    ['models.0.id', { ...base, models: [{ id: KEY, kind: 'chat' }] }],
    ['models.0.label', { ...base, models: [{ id: 'm', kind: 'chat', label: `My ${KEY}` }] }],
    ['id', { ...base, id: KEY }],
  ])('%s is refused without being repeated', (field, input) => {
    const answer = parseInput(profileInputSchema, input);
    expect(answer).toMatchObject({ ok: false, error: { data: { field } } });
    expect(JSON.stringify(answer)).not.toContain(KEY);
  });

  it('names that only look a little like one pass', () => {
    const fine = { ...base, name: 'Task-force sk-1', vendor: 'disk-storage-of-many-letters', imagePrefix: 'mj' };
    expect(parseInput(profileInputSchema, fine)).toMatchObject({ ok: true });
  });
});

it.each([
  ['https://gateway.example', 'https://gateway.example'],
  [' HTTPS://Gateway.Example:443/v1/ ', 'https://gateway.example'],
  ['https://gateway.example//team//a/v1', 'https://gateway.example/team/a'],
  ['https:\\\\gateway.example\\team', 'https://gateway.example/team'],
  ['https://gateway.example/?', 'https://gateway.example'],
  ['https://gateway.example/#', 'https://gateway.example'],
  ['https://gateway.example/x/../team', 'https://gateway.example/team'],
  ['http://v1', 'http://v1'],
  ['http://v1/v1', 'http://v1'],
])('the base URL %s is kept as %s, so that a path behind it names no other host', (typed, kept) => {
  expect(parseInput(profileInputSchema, { baseUrl: typed })).toMatchObject({ ok: true, data: { baseUrl: kept } });
});

it.each([
  '//host.example/{id}',
  '/\\host.example/{id}',
  '\\\\host.example/{id}',
  'https://host.example/{id}',
  '/\t/host.example/{id}',
])('a poll path that would name a host is refused: %s', (videoPollPath) => {
  const saved = parseInput(profileInputSchema, { baseUrl: 'https://gateway.example', videoPollPath });
  expect(saved).toMatchObject({ ok: false, error: { data: { field: 'videoPollPath' } } });
});
