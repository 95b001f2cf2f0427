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
  /** How long a refused secret is not asked for again: each time may be a question to the user. */
  rest?: (() => Promise<void>) | undefined;
}

interface PatientVault {
  /** Null if there is no keychain now. Rejects while it does not open: it is not known then what is in it. */
  open(): Promise<Vault | null>;
  /** Resolves once it has opened, however late. */
  eventually(): Promise<Vault>;
}

/**
 * A keychain that hangs must not block the studio. One that asks the user first is awaited for its time once; until it answers, later
 * calls are told at once that it does not. One that does not open, or is not there, such as early in a login, is tried again after a rest.
 * It is asked for one secret at a time: its questions do not pile up, and no more than one thread waits for it.
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
  /** There is no answer, or not yet. */
  unread(error: unknown): void;
}

function inTime(vault: Vault, patience: Patience): Vault {
  const reads = new Map<string, Awaiting<string | null>>();
  /** Answers that came too late, for whoever asks next: the user may have been asked for them. */
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
  /** What was read before a change is not the answer after it. */
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
  /** Somebody was told that it does not come. */
  isLate(): boolean;
}

/** Waits for an answer as long as `timeout` lets it, once: afterwards the answer is there, or it rejects at once. Only the first is told. */
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
