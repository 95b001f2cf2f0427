import { expect, test } from 'vitest';
import { recordingLog, TestClock } from '../../../../test/helpers/testPorts.ts';
import { certificatesIn, followAuthorities } from './authorities.ts';

const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;

test('of a file the certificates are taken, and nothing else', () => {
  const text = `# mine\n${pem('a')}junk\n-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n${pem('b')}-----BEGIN CERTIFICATE-----\ncut`;
  expect(certificatesIn(text)).toEqual([pem('a'), pem('b')]);
  expect(certificatesIn('')).toEqual([]);
  expect(certificatesIn(pem('x'.repeat(200_000)))).toEqual([]);
});

test('they are read again when the network changes, and told of once', async () => {
  const clock = new TestClock();
  const log = recordingLog();
  let found = [pem('home')];
  let place = 'home';
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (found.length === 0) throw new Error('no keychain');
    return found;
  };
  const followed = followAuthorities({ clock, log, read, network: () => place });
  await followed.ready;
  let told = 0;
  const stop = followed.onChange(() => {
    told += 1;
  });
  await clock.advance(60_000);
  expect([reads, told]).toEqual([1, 0]);
  [place, found] = ['office', [pem('office')]];
  await clock.advance(30_000);
  expect([reads, told, followed.authorities()]).toEqual([2, 1, [pem('office')]]);
  place = 'train';
  await clock.advance(30_000);
  expect([reads, told]).toEqual([3, 1]);
  [place, found] = ['nowhere', []];
  await clock.advance(30_000);
  expect([followed.authorities(), log.lines.length]).toEqual([[pem('office')], 1]);
  stop();
  followed.close();
  [place, found] = ['home', [pem('home')]];
  await clock.advance(300_000);
  expect([reads, told]).toEqual([4, 1]);
});
