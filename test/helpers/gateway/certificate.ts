import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate made for a test, with its private key, both as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

const DAY_MS = 86_400_000;

/**
 * A self-signed certificate (X.509 v3, P-256) for these names and addresses, valid from yesterday until `days` from now; negative days
 * make an expired one.
 */
export function selfSigned(names: readonly string[], days: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('550403'), tagged(0x0c, Buffer.from('Dailies test')))));
  const end = new Date(Date.now() + days * DAY_MS);
  const start = new Date(Math.min(Date.now(), end.getTime()) - DAY_MS);
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(start), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(names))),
  );
  const signature = sign('sha256', body, privateKey);
  const cert = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { cert: pem('CERTIFICATE', cert), key: keyPem(privateKey) };
}

/** The extensions that allow it to sign itself and list its names. */
function extensions(names: readonly string[]): Buffer[] {
  const authority = sequence(tagged(0x01, Buffer.from([0xff])));
  const speaksFor = sequence(
    ...names.map((name) =>
      /^[\d.]+$/.test(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
    ),
  );
  return [
    sequence(oid('551d13'), tagged(0x01, Buffer.from([0xff])), tagged(0x04, authority)),
    sequence(oid('551d11'), tagged(0x04, speaksFor)),
  ];
}

/** DER: a tag, a length, a value. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date): Buffer => tagged(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
const keyPem = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
