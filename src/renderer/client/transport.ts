import type { BUNDLE_ROLE, UploadedBundle } from '../../shared/bundle/calls.ts';
import type { StudioEvent } from '../../shared/contract/events.ts';
import type { DragStep } from '../../shared/contract/hostEvents.ts';
import type { Result } from '../../shared/contract/result.ts';
import type { Asset, UploadRole } from '../../shared/library/asset.ts';

/**
 * `lost`: the studio itself (not the gateway) cannot be reached, and the page may show old data until it is `up` again. `signedOut`: the
 * studio answers but no longer accepts this page's key; the page must be opened again.
 */
export type LinkState = 'up' | 'lost' | 'signedOut';

/**
 * What an upload is for: a role, with the asset it was made from or its checksum if known; the media task that it answers; or a bundle to
 * open.
 */
export type UploadPurpose =
  | { role: UploadRole; parent?: string; sha256?: string }
  | { task: string }
  | { role: typeof BUNDLE_ROLE };

/** How a page reaches the studio: one in Electron, one over loopback HTTP, a fake one in tests. */
export interface Transport {
  host: 'electron' | 'browser';
  /** Returns a result and never throws. With `isLeaving` the call is sent although the page unloads. */
  call(name: string, input: unknown, options?: { isLeaving?: boolean }): Promise<Result<unknown>>;
  /** Every change, in order, for as long as the page lives. */
  subscribe(onEvent: (event: StudioEvent) => void, onLink: (state: LinkState) => void): void;
  /** Address of an asset's bytes. Range requests work. */
  mediaUrl(assetId: string): string;
  /** Streams bytes to the studio for a `purpose`. The answer is an asset, or the upload of a bundle. */
  upload<T extends Asset | UploadedBundle>(body: Blob, name: string, purpose: UploadPurpose): Promise<Result<T>>;
  /** Starts dragging a library file out of the window; absent if the page does that itself. */
  drag?(step: DragStep, assetId: string): Promise<Result<unknown>>;
  /** Writes a piece of a film that this page has claimed, at a byte offset. */
  writeFilm(taskId: string, at: number, piece: Uint8Array<ArrayBuffer>): Promise<Result<null>>;
}

/** The API that the preload script exposes to the page. */
export interface DailiesBridge {
  call(name: string, input: unknown): Promise<Result<unknown>>;
  subscribe(listener: (event: StudioEvent) => void): () => void;
}

declare global {
  interface Window {
    dailies?: DailiesBridge;
  }
}
