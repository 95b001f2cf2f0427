import type { BUNDLE_ROLE, UploadedBundle } from '../../shared/bundle/calls.ts';
import type { StudioEvent } from '../../shared/contract/events.ts';
import type { DragStep } from '../../shared/contract/hostEvents.ts';
import type { Result } from '../../shared/contract/result.ts';
import type { Asset, UploadRole } from '../../shared/library/asset.ts';

/**
 * `lost`: the studio itself cannot be reached (not the gateway); what the page shows may be old until it is `up` again.
 * `signedOut`: it answers, and takes this page's key no longer; the page must be opened again.
 */
export type LinkState = 'up' | 'lost' | 'signedOut';

/** What a file is brought in for: a role, with the asset that it was made from, or its checksum where it is known; the media task that it answers; or a bundle to be opened. */
export type UploadPurpose =
  | { role: UploadRole; parent?: string; sha256?: string }
  | { task: string }
  | { role: typeof BUNDLE_ROLE };

/** How a page reaches the studio; one in Electron, one over loopback HTTP, a fake one in tests. */
export interface Transport {
  host: 'electron' | 'browser';
  /** Answers a result, never throws. `isLeaving`: the page goes, and the call is sent all the same. */
  call(name: string, input: unknown, options?: { isLeaving?: boolean }): Promise<Result<unknown>>;
  /** Every change, in order, for as long as the page lives. */
  subscribe(onEvent: (event: StudioEvent) => void, onLink: (state: LinkState) => void): void;
  /** Address of an asset's bytes; ranges work. */
  mediaUrl(assetId: string): string;
  /** Streams bytes to the studio, for what `purpose` says: it answers an asset, or of a bundle its upload. */
  upload<T extends Asset | UploadedBundle>(body: Blob, name: string, purpose: UploadPurpose): Promise<Result<T>>;
  /** A file of the library is dragged out of the window by its host; absent where the page does it itself. */
  drag?(step: DragStep, assetId: string): Promise<Result<unknown>>;
  /** Writes a piece of a film that this page has claimed, at a position in bytes. */
  writeFilm(taskId: string, at: number, piece: Uint8Array<ArrayBuffer>): Promise<Result<null>>;
}

/** What the preload puts into the page. */
export interface DailiesBridge {
  call(name: string, input: unknown): Promise<Result<unknown>>;
  subscribe(listener: (event: StudioEvent) => void): () => void;
}

declare global {
  interface Window {
    dailies?: DailiesBridge;
  }
}
