import { expect, test } from 'vitest';
import { canaryKey, findCanary } from '../../../../test/helpers/canary.ts';
import { filesOf } from '../../../../test/helpers/files.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { memoryKeys, recordingLog } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

const openStudio = studiosOfThisFile();
const put = filesOf('diagnostics');

const hex = (text: string): string => Buffer.from(text).toString('hex');
/** A key as a gateway, a header, an address or nested JSON writes it. */
const spellings = (key: string): string[] => [
  key,
  JSON.stringify(JSON.stringify({ key })),
  Buffer.from(key).toString('base64'),
  Buffer.from(`x${key}`).toString('base64'),
  Buffer.from(`xy${key}`).toString('base64url'),
  hex(key),
  hex(key).toUpperCase(),
  encodeURIComponent(key),
  key.slice(0, -6),
];

test('what is copied says what helps, and holds no secret in any spelling', async () => {
  const [key, bot, header, user] = [canaryKey(), canaryKey(), canaryKey(), canaryKey()];
  const secrets = [key, bot, header, user];
  // Lines that were written before any key was known.
  const lines = secrets.flatMap((secret) => spellings(secret).map((text) => `{"level":50,"msg":"refused: ${text}"}`));
  const log = { ...recordingLog(), tail: () => [...lines, 'https://cdn.example/a.png?sig=abcdef0123456789'] };
  const studio = await openStudio({ ports: { log, keys: memoryKeys({}) } });
  await studio.ask('profiles.save', {
    id: 'odd',
    name: 'Odd gateway',
    baseUrl: 'https://gateway.example/v1',
    botToken: bot,
    extraHeaders: { 'X-Odd': header },
  });
  await studio.ask('profiles.setKey', { id: 'odd', apiKey: key });
  await studio.ask('profiles.activate', { id: 'odd' });
  await studio.ask('library.import', { path: put('a.png', testPng(9, 9)) });
  const { text } = await studio.ask('diagnostics.read');
  for (const known of [key, bot, header])
    expect(findCanary(known, { texts: { diagnostics: text } }).hits, text).toEqual([]);
  // Unknown to this run.
  expect(text).not.toContain(user);
  expect(text).not.toContain('sig=');
  for (const said of [
    'version: 0.0.0',
    'sqlite: 3.',
    'schema: ',
    '### active: Odd gateway',
    'address: https://gateway.example',
    'key: set',
    'X-Odd: [hidden]',
    'images: 1 files',
    'local: 1,',
    'refused: ',
  ])
    expect(text).toContain(said);
});
