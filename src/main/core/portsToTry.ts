/**
 * Ports for a server that should be found at the same address after a restart, in the order to try: the last one, some that no system
 * hands out by itself, then any (0). A port that a system hands out (from 32768 on Linux, `ip_local_port_range`; from 49152 elsewhere,
 * RFC 6335, section 6) may serve another program's connection by the time the server starts again.
 */
export function portsToTry(last: number, random: () => number = Math.random): number[] {
  const lasting = Array.from({ length: TRIES }, () => FROM + Math.floor(random() * (TO - FROM)));
  return [...(last > 0 ? [last] : []), ...lasting, 0];
}

const FROM = 20_000;
const TO = 32_768;
const TRIES = 4;

/** `EACCES`: a port that Windows keeps for itself. */
const IN_USE = new Set(['EADDRINUSE', 'EACCES']);

/** Listens at the first address that is free; the error of the last one if none is. Any other failure is thrown at once. */
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
