import { wordingsOf } from './wordings.ts';

/** How programs say that a connection ended, which is no word about what was sent before. */
export const BROKEN_CONNECTIONS = wordingsOf('broken-connections', [
  ['envoy', 'disconnect reset'],
  ['throughEnvoy', 'reset before headers'],
  ['quic', 'reset by peer'],
  ['grpc', 'transport is closing|goaway'],
  ['go', 'closed … connection|connection … lost|broken pipe|eof'],
  ['node', 'socket hang up|econnreset'],
  ['nodePostgres', 'connection … terminat*'],
  ['undici', 'other side closed'],
  ['aiohttp', 'closing transport'],
  ['httpx', 'server disconnected'],
  ['hyper', 'connection … closed'],
  ['java', 'connection … reset'],
  ['winsock', 'connection … abort*'],
]);
