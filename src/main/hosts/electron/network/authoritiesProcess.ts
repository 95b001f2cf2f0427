import { existsSync, readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { openParentPort } from '../../../core/workers/index.ts';

/** The program of a short-lived process that reads the system's certificate authorities: Node caches them for the life of a process. */

/** Where distributions keep them, in case Node finds none. */
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

const asker = openParentPort();
asker.onMessage(() => asker.send({ pem: systemAuthorities() }));
