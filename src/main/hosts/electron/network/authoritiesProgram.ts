import { existsSync, readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { openAsker } from '../../../core/programs/index.ts';

/**
 * The program of the process that reads the authorities of the system, and ends. Node keeps what it has read for the life of its process,
 * so a new process reads them each time.
 */

/** Where distributions keep them; asked where Node finds none. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

function systemAuthorities(): string {
  const known = getCACertificates('system');
  if (known.length > 0) return known.join('\n');
  const bundle = process.platform === 'linux' ? BUNDLES.find(existsSync) : undefined;
  return bundle === undefined ? '' : readFileSync(bundle, 'utf8');
}

const asker = openAsker();
asker.onMessage(() => asker.send({ pem: systemAuthorities() }));
