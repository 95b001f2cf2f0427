import { BUNDLE_ROLE, type UploadedBundle } from '../../shared/bundle/calls.ts';
import type { CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts';
import type { StudioEvent } from '../../shared/contract/events.ts';
import type { Result } from '../../shared/contract/result.ts';
import type { SpendingCall } from '../../shared/contract/spendingCall.ts';
import type { Asset } from '../../shared/library/asset.ts';
import { errorText, reasonsOf } from '../words/index.ts';
import { bridgeTransport } from './bridge.ts';
import { hostAddress } from './hostAddress.ts';
import { httpTransport } from './http.ts';
import type { LinkState, Transport, UploadPurpose } from './transport.ts';

/**
 * The typed client of the studio. Its transport is chosen at the first use: `window.dailies` (Electron) or loopback HTTP. Tests set their
 * own with {@link setTransport} before anything is rendered.
 */

let chosen: Transport | undefined;
/**
 * `asked`: still opening, but a call was made, so changes may have been missed since. `reopened`: reported as lost, and reported as up in
 * the next task unless the transport says otherwise.
 */
let link: LinkState | 'opening' | 'asked' | 'reopened' = 'opening';
const opened: (() => void)[] = [];
/** Listeners for events and for changes of the link. */
const told = { event: new Set<(event: StudioEvent) => void>(), link: new Set<(state: LinkState) => void>() };

function transport(): Transport {
  if (!chosen) setTransport(window.dailies ? bridgeTransport(window.dailies) : httpTransport());
  return chosen as Transport;
}

/** Replaces the transport; events of an earlier one are ignored. */
export function setTransport(next: Transport): void {
  chosen = next;
  link = 'opening';
  next.subscribe(
    (event) => {
      if (chosen !== next) return;
      for (const listener of [...told.event]) listener(event);
      if (event.type === 'studio.reopened') lostAndFound();
    },
    (state) => chosen === next && takeLink(state),
  );
}

/**
 * The page now talks to another studio, perhaps with an older database, so everything is read again as after a lost link. `up` follows in a
 * later task, so that rendering sees both states.
 */
function lostAndFound(): void {
  if (link !== 'up') return;
  link = 'reopened';
  tellLink('lost');
  setTimeout(() => link === 'reopened' && takeLink('up'), 0);
}

/** Reports only real changes: the first `up` only if something was asked before it. */
function takeLink(state: LinkState): void {
  const before = link === 'reopened' ? 'lost' : link;
  link = state;
  if (state === 'up') for (const done of opened.splice(0)) done();
  if (state !== before && !(state === 'up' && before === 'opening')) tellLink(state);
}

function tellLink(state: LinkState): void {
  for (const listener of [...told.link]) listener(state);
}

/** Calls that cannot spend. Spending calls need a key and are made by `sendOnce` (`spending`). */
export type PlainCall = Exclude<CallName, SpendingCall>;

/** Calls the studio. Returns a result and never throws. */
export const call = <Name extends PlainCall>(
  name: Name,
  ...[input]: Record<string, never> extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>]
): Promise<Result<CallOutput<Name>>> => ask(name, input);

/** How the host starts dragging a library file out of its window; undefined if the page does that itself. */
export const dragByHost = (): Transport['drag'] => transport().drag;

/** Like {@link call}, while the page is being left: the request is sent in full, and nobody waits for the answer. */
export const callLeaving = <Name extends PlainCall>(name: Name, input: CallInput<Name>): void =>
  void transport().call(name, input, { isLeaving: true });

/** Like {@link call}, for a call that can spend: with its key it may be repeated and still takes effect once. */
export const callWithKey = <Name extends SpendingCall>(
  name: Name,
  input: CallInput<Name> & { requestKey: string },
): Promise<Result<CallOutput<Name>>> => ask(name, input);

async function ask<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<Result<CallOutput<Name>>> {
  if (link === 'opening') link = 'asked';
  return presented((await transport().call(name, input ?? {})) as Result<CallOutput<Name>>);
}

/** The contract reports a field by its name in the call. Pages have their own labels, and need none beside the field itself. */
function presented<T>(answer: Result<T>): Result<T> {
  if (answer.ok) return answer;
  const reasons = reasonsOf(answer.error);
  if (reasons.length === 0) return answer;
  return {
    ok: false,
    error: { ...answer.error, message: errorText(answer.error), data: { ...answer.error.data, reasons } },
  };
}

/** Listens to every event of the studio. The returned function stops that. */
export const onEvent = (listener: (event: StudioEvent) => void): (() => void) => hear(told.event, listener);

/**
 * Listens for the link being lost and found again, and for the first connection if something was asked before it. After `up` caches must be
 * read again, since events were missed.
 */
export const onLink = (listener: (state: LinkState) => void): (() => void) => hear(told.link, listener);

function hear<News>(listeners: Set<(news: News) => void>, listener: (news: News) => void): () => void {
  listeners.add(listener);
  transport();
  return () => listeners.delete(listener);
}

/** Resolves when the event stream is open, or after `mostMs`. Later reads miss no change. */
export function whenLinked(mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, mostMs);
    opened.push(() => {
      clearTimeout(timer);
      resolve();
    });
    transport();
    if (link === 'up') for (const done of opened.splice(0)) done();
  });
}

/** Address of an asset's bytes, for `<img>`, `<video>` and mediabunny's `UrlSource`. */
export const mediaUrl = (assetId: string): string => transport().mediaUrl(assetId);

/**
 * Address of an asset's bytes for a download link. On the page's own origin: browsers navigate to a link of another origin instead of
 * saving it.
 */
export const downloadUrl = (assetId: string): string => hostAddress(`media/${encodeURIComponent(assetId)}`);

/** Address of an exported file, to be played or saved; on the page's own origin. */
export const exportUrl = (exportId: string, name: string): string =>
  hostAddress(`exports/${encodeURIComponent(exportId)}/${name.split('/').map(encodeURIComponent).join('/')}`);

/** Streams bytes into the library for a `purpose`. */
export const uploadMedia = async (body: Blob, name: string, purpose: UploadPurpose): Promise<Result<Asset>> =>
  presented(await transport().upload<Asset>(body, name, purpose));

/** Streams a bundle to the studio, which stores it until it is opened or discarded. */
export const uploadBundle = async (file: File): Promise<Result<UploadedBundle>> =>
  presented(await transport().upload<UploadedBundle>(file, file.name, { role: BUNDLE_ROLE }));

/** Writes a piece of a film that this page has claimed, at a byte offset. */
export const writeFilm = (taskId: string, at: number, piece: Uint8Array<ArrayBuffer>): Promise<Result<null>> =>
  transport().writeFilm(taskId, at, piece);

/** The host of the page. */
export const host = (): Transport['host'] => transport().host;
