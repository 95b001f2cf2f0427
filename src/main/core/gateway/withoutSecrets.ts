import { createScrubber, MIN_GUARDED_LENGTH, scrubPlain, streamScrubber } from '../secrets/index.ts';
import type { ChatDelta, ChatOutcome, Gateway, RemoteOutput, RemoteTask, Secrets } from './types.ts';

/** Replaces a secret in a sentence or an answer. */
const SECRET_MARK = '•••';
const MIN_LENGTH = 4;
/** Longer texts are files: a key in them is searched for only in its plain spelling. */
const MAX_SENTENCE_LENGTH = 65_536;

const allOf = ({ apiKey, botToken, headers = {} }: Secrets): string[] =>
  [apiKey, botToken, ...Object.values(headers)].filter((secret) => secret !== undefined);

/** Removes the secrets of one profile from a text, in every form in which they may come back. */
export function secretScrubber(
  secrets: Secrets,
  shortest = MIN_LENGTH,
  { pieces = true } = {},
): (text: string) => string {
  const scrubber = createScrubber({ mark: SECRET_MARK, shortest, pieces });
  for (const secret of allOf(secrets)) scrubber.hide(secret);
  return scrubber.scrub;
}

/**
 * The same client, but its outcomes hold no secret, whatever the service echoes: not in errors, ids and reasons, and not in the text of
 * an answer. So no secret reaches the database, an event or the log. An address with the key in it still works: it is kept with a
 * placeholder, which is replaced by the key when the address is fetched from the profile's own origin.
 */
export function withoutSecrets(gateway: Gateway, baseUrl: string, secrets: Secrets): Gateway {
  const guarded = allOf(secrets).filter((secret) => secret.length >= MIN_GUARDED_LENGTH);
  // Short secrets are already removed from sentences; in an id or an answer, a word such as `none` is no secret.
  const scrub = secretScrubber(secrets, MIN_GUARDED_LENGTH);
  const scrubId = secretScrubber(secrets, MIN_GUARDED_LENGTH, { pieces: false });
  const origin = new URL(baseUrl).origin;
  const clean = <T>(value: T): T => cleaned(value, { scrub, scrubId, guarded, secrets }) as T;
  const placeholders = placeholdersOf(secrets);
  const restored = (address: string): string =>
    placeholders.reduce(
      (text, { placeholder, secret }) => text.replaceAll(placeholder, encodeURIComponent(secret)),
      address,
    );
  const ownTask = (task: RemoteTask): RemoteTask =>
    task.pollPath === undefined ? task : { ...task, pollPath: restored(task.pollPath) };
  return {
    ...gateway,
    async chat(request, send, onDelta, onPicture) {
      const stream = chatStream(guarded, onDelta);
      const showClean = onPicture && ((output: RemoteOutput) => onPicture(clean(output)));
      const outcome = await gateway.chat(request, send, stream.next, showClean).finally(stream.end);
      return cleanChat(outcome, guarded, clean);
    },
    submitVideo: async (request, send) => clean(await gateway.submitVideo(request, send)),
    submitImagine: async (request, send) => clean(await gateway.submitImagine(request, send)),
    submitEdit: async (request, send) => clean(await gateway.submitEdit(request, send)),
    submitTask: async (request, send) => clean(await gateway.submitTask(request, send)),
    repeat: async (request) => clean(await gateway.repeat(request)),
    poll: async (task, signal, call) => clean(await gateway.poll(ownTask(task), signal, call)),
    fetchMedia: async (uri, options) => {
      const outcome = await gateway.fetchMedia(
        URL.parse(uri, baseUrl)?.origin === origin ? restored(uri) : uri,
        options,
      );
      return 'error' in outcome ? { ...outcome, error: clean(outcome.error) } : outcome;
    },
    listPrices: async () => clean(await gateway.listPrices()),
    readModels: async () => clean(await gateway.readModels()),
    recordedCost: async (id) => clean(await gateway.recordedCost(id)),
    test: async () => clean(await gateway.test()),
    found: () => clean(gateway.found()),
  };
}

/** Scrubs the pieces of an answer, each channel by itself; a key may be split over two pieces. */
function chatStream(guarded: readonly string[], onDelta: (delta: ChatDelta) => void) {
  const channels = {
    text: streamScrubber(guarded, SECRET_MARK),
    reasoning: streamScrubber(guarded, SECRET_MARK),
  };
  const emit = (channel: ChatDelta['channel'], text: string): void => {
    if (text !== '') onDelta({ channel, text });
  };
  return {
    next: ({ channel, text }: ChatDelta): void => emit(channel, channels[channel].next(text)),
    end: (): void => {
      emit('reasoning', channels.reasoning.end());
      emit('text', channels.text.end());
    },
  };
}

/** The answer's text, scrubbed like its pieces, so that all pieces joined are the stored message. */
function cleanChat(outcome: ChatOutcome, guarded: readonly string[], clean: <T>(value: T) => T): ChatOutcome {
  if (outcome.type !== 'answered') return clean(outcome);
  const { text, reasoning, ...rest } = outcome.result;
  const texts = {
    text: scrubPlain(text, guarded, SECRET_MARK),
    ...(reasoning === undefined ? {} : { reasoning: scrubPlain(reasoning, guarded, SECRET_MARK) }),
  };
  const { result: _result, ...around } = outcome;
  return { ...clean(around), result: { ...clean(rest), ...texts } };
}

interface Cleaning {
  scrub(text: string): string;
  scrubId(text: string): string;
  guarded: readonly string[];
  secrets: Secrets;
}

const ADDRESS_FIELDS = new Set(['uri', 'pollPath']);
/** A task is polled by its id, so an id that shares some characters with the key stays unchanged. */
const ID_FIELDS = new Set(['id', 'remoteId']);
/** Our own values. */
const OWN_FIELDS = new Set(['type', 'kind', 'role', 'billed', 'accepted']);

function cleaned(value: unknown, how: Cleaning, name = ''): unknown {
  if (typeof value === 'string') return cleanText(value, how, name);
  if (Array.isArray(value)) return value.map((entry) => cleaned(entry, how, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([inner, entry]) => [inner, cleaned(entry, how, inner)]));
}

/** The placeholder of each secret in an address that must work again: the secret replaces it on the profile's own origin only. */
function placeholdersOf({ apiKey, botToken, headers = {} }: Secrets): { placeholder: string; secret: string }[] {
  const named: [string, string | undefined][] = [['key', apiKey], ['bot-token', botToken], ...Object.entries(headers)];
  return named.flatMap(([name, secret]) =>
    secret === undefined || secret.length < MIN_GUARDED_LENGTH
      ? []
      : [{ placeholder: `dailies-${encodeURIComponent(name.toLowerCase())}-goes-here`, secret }],
  );
}

/** The address without our secrets, for a host other than the profile's own. */
export function keylessAddress(address: string, secrets: Secrets): string {
  return placeholdersOf(secrets).reduce(
    (text, { placeholder, secret }) =>
      [
        secret,
        encodeURIComponent(secret),
        encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
      ].reduce((clean, spelling) => clean.replaceAll(spelling, placeholder), text),
    address,
  );
}

function cleanText(text: string, { scrub, scrubId, guarded, secrets }: Cleaning, name: string): string {
  if (OWN_FIELDS.has(name) || text.startsWith('data:')) return text;
  if (ID_FIELDS.has(name)) return scrubId(text);
  if (!ADDRESS_FIELDS.has(name))
    return text.length > MAX_SENTENCE_LENGTH ? scrubPlain(text, guarded, SECRET_MARK) : scrub(text);
  return keylessAddress(text, secrets);
}
