/**
 * Ports for a server that should keep its address after a restart, in order: the last one, some that no system assigns automatically, then
 * any (0). A port that systems assign (from 32768 on Linux, `ip_local_port_range`; from 49152 elsewhere, RFC 6335, section 6) may be in use
 * by the next start.
 */
export function portsToTry(last: number, random: () => number = Math.random): number[] {
  const lasting = Array.from({ length: TRIES }, () => FROM + Math.floor(random() * (TO - FROM)));
  return [...(last > 0 ? [last] : []), ...lasting, 0];
}

const FROM = 20_000;
const TO = 32_768;
const TRIES = 4;

/** `EACCES`: a port reserved by Windows. */
const IN_USE = new Set(['EADDRINUSE', 'EACCES']);

/** Listens at the first free address; returns the last error if none is free. Other errors are thrown. */
export async function listenAtFirst<Address, Server>(
  addresses: readonly Address[],
  listen: (address: Address) => Promise<Server>,
): Promise<Server> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await listen(address);
    } catch (error) {
      if (!IN_USE.has(String((error as { code?: unknown }).code))) throw error;
      failure = error;
    }
  }
  throw failure;
}
