import type { Logger } from '../../core/ports.ts';

/** A system keychain. */
export interface Vault {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface VaultTimes {
  /** Rejects when the keychain takes too long; a locked one asks the user meanwhile. */
  timeout?: (() => Promise<never>) | undefined;
  /** How long a refused secret is not requested again: each request may ask the user. */
  rest?: (() => Promise<void>) | undefined;
}

interface PatientVault {
  /** Null if there is no keychain now. Rejects while it does not open, when its contents are unknown. */
  open(): Promise<Vault | null>;
  /** Resolves once it has opened, however late. */
  eventually(): Promise<Vault>;
}

/**
 * Keeps a hanging keychain from blocking the studio. A keychain that asks the user is awaited once; until it answers, later calls fail at
 * once. One that does not open, as early in a login, is tried again after a rest. Secrets are requested one at a time, so that dialogs do
 * not pile up and at most one thread waits.
 */
export function patientVault(
  openVault: () => Promise<Vault | null>,
  log: Logger,
  { timeout = keychainTimeout, rest = keychainRest }: VaultTimes = {},
): PatientVault {
  let opening: Awaiting<Vault | null> | undefined;
  const opened = Promise.withResolvers<Vault>();
  const patience: Patience = {
    timeout,
    rest,
    unread: (error) => log.warn({ error: String(error) }, 'the keychain could not be read'),
  };
  const open = async (): Promise<Vault | null> => {
    const vault = await openVault();
    return vault && inTime(vault, patience);
  };
  const tryAgainLater = () =>
    void rest().then(() => {
      opening = undefined;
    });
  const begun = () => {
    if (opening) return opening;
    opening = awaitedOnce(open(), patience);
    opening.answer.then((vault) => (vault ? opened.resolve(vault) : tryAgainLater()), tryAgainLater);
    return opening;
  };
  return { open: () => begun().ask(), eventually: () => opened.promise };
}

interface Patience {
  timeout: () => Promise<never>;
  rest: () => Promise<void>;
  /** A read failed, or has no answer yet. */
  unread(error: unknown): void;
}

function inTime(vault: Vault, patience: Patience): Vault {
  const reads = new Map<string, Awaiting<string | null>>();
  /** Late answers, for the next caller: the user may have been asked for them. */
  const unclaimed = new Map<string, string | null>();
  let last: Promise<unknown> = Promise.resolve();
  const begin = (name: string): Awaiting<string | null> => {
    const read = awaitedOnce(
      last.then(() => vault.get(name)),
      patience,
    );
    reads.set(name, read);
    last = read.answer.then(
      (found) => {
        if (reads.get(name) === read && read.isLate()) unclaimed.set(name, found);
        end(name, read);
      },
      () => void patience.rest().then(() => end(name, read)),
    );
    return read;
  };
  const end = (name: string, read: Awaiting<string | null>) => {
    if (reads.get(name) === read) reads.delete(name);
  };
  const claim = (name: string): string | null => {
    const found = unclaimed.get(name) ?? null;
    unclaimed.delete(name);
    return found;
  };
  /** A value read before a change is outdated after it. */
  const change = async (name: string, work: Promise<void>) => {
    const forgetRead = () => {
      reads.delete(name);
      unclaimed.delete(name);
    };
    forgetRead();
    try {
      await Promise.race([work, patience.timeout()]);
    } finally {
      forgetRead();
    }
  };
  return {
    get: async (name) => (unclaimed.has(name) ? claim(name) : (reads.get(name) ?? begin(name)).ask()),
    set: (name, value) => change(name, vault.set(name, value)),
    forget: (name) => change(name, vault.forget(name)),
  };
}

interface Awaiting<T> {
  answer: Promise<T>;
  ask(): Promise<T>;
  /** A caller has already been told that the secret is not available. */
  isLate(): boolean;
}

/**
 * Awaits an answer until `timeout`, once; later callers get the answer if it is there, else a rejection at once. Only the first timeout is
 * reported.
 */
function awaitedOnce<T>(answer: Promise<T>, { timeout, unread }: Patience): Awaiting<T> {
  let isThere = false;
  let late: unknown;
  const arrived = () => {
    isThere = true;
  };
  answer.then(arrived, (error: unknown) => {
    arrived();
    unread(error);
  });
  const ask = (): Promise<T> => {
    if (isThere) return answer;
    if (late !== undefined) return Promise.reject(late);
    const tooLate = timeout().catch((error: unknown) => {
      if (!isThere && late === undefined) {
        unread(error);
        late = error;
      }
      throw error;
    });
    return Promise.race([answer, tooLate]);
  };
  return { answer, ask, isLate: () => late !== undefined };
}

const KEYCHAIN_TIMEOUT_MS = 15_000;
const KEYCHAIN_REST_MS = 30_000;

const keychainTimeout = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('the keychain does not answer')), KEYCHAIN_TIMEOUT_MS).unref();
  });

const keychainRest = (): Promise<void> =>
  new Promise((over) => {
    setTimeout(over, KEYCHAIN_REST_MS).unref();
  });
