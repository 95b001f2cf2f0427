import type { RequestContext } from './context.ts';
import { ApiError } from './errors.ts';
import type { KeyRecord } from './state/records.ts';
import type { State } from './state/state.ts';

/**
 * `Idempotency-Key`: a repeated key with the same body returns the work that it first started, and nothing is done or billed again; with
 * another body it is refused. Concurrent requests with one key wait for each other.
 */
export class IdempotencyGuard {
  readonly #state: State;
  readonly #now: () => number;
  readonly #honoursKeys: boolean;
  readonly #pending = new Map<string, Promise<string>>();

  constructor(state: State, now: () => number, honoursKeys: boolean) {
    this.#state = state;
    this.#now = now;
    this.#honoursKeys = honoursKeys;
  }

  /**
   * Runs `accept` unless the request's key was used before; returns the id of the work that answers. `accept` must commit the given key
   * records together with the work, so that both are kept or neither is.
   */
  async runOnce(
    c: RequestContext,
    accept: (keysFor: (ref: string) => KeyRecord[]) => Promise<string>,
  ): Promise<string> {
    const key = c.req.header('idempotency-key');
    if (!key || !this.#honoursKeys) return accept(() => []);
    const id = `${c.req.path} ${key}`;
    const bodyHash = c.get('bodyHash');
    for (let first = this.#pending.get(id); first; first = this.#pending.get(id)) await first.catch(() => undefined);
    const known = this.#state.keys.get(id);
    if (known && known.bodyHash !== bodyHash) {
      throw new ApiError(409, 'Idempotency-Key: was used before with another body', {
        code: 'idempotency_key_reused',
        param: 'Idempotency-Key',
      });
    }
    if (known) return known.ref;
    const work = accept((ref) => [{ id, at: this.#now(), bodyHash, ref }]);
    this.#pending.set(id, work);
    try {
      return await work;
    } finally {
      this.#pending.delete(id);
    }
  }
}
