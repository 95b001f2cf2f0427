import type { Difference } from './difference.ts';
import type { Verdict } from './verdict.ts';

/** Where an asset's bytes are: verified on this disk, only at the gateway, or at a link that has expired. */
export const ASSET_STATES = ['local', 'remote', 'expired'] as const;
export type AssetState = (typeof ASSET_STATES)[number];

/** What an asset is for; `source` is a file of the user's. Thumbnails are kept out of lists. */
export const ASSET_ROLES = ['output', 'grid', 'source', 'mask', 'frame', 'thumbnail'] as const;
export type AssetRole = (typeof ASSET_ROLES)[number];

/** The roles of an imported file. The other roles belong to files that the studio makes of an answer. */
export const UPLOAD_ROLES = ['source', 'mask', 'frame'] as const satisfies AssetRole[];
export type UploadRole = (typeof UPLOAD_ROLES)[number];

export interface Asset {
  id: string;
  /** Increases with every change of this object; the greater one is newer. */
  revision: number;
  /** Lower-case hex; empty while the bytes are not on this disk. */
  sha256: string;
  mime: string;
  /** Pixels; 0 if unknown. */
  width: number;
  height: number;
  /** Length of a clip. */
  seconds?: number;
  /** Whether a clip has sound, if that is known. */
  audio?: boolean;
  /** How it differs from the request. */
  differs?: Difference[];
  bytes: number;
  state: AssetState;
  /** When the gateway's link expires, milliseconds since 1970. */
  expiresAt?: number;
  /** The service gave no expiry: `expiresAt` is a cautious assumption. */
  expiryAssumed?: true;
  /** Why its bytes are not on this disk yet, or never will be: one sentence. */
  fault?: string;
  jobId?: string;
  /** The user's verdict on its job. */
  verdict?: Verdict;
  /** Its position among its job's outputs. */
  outputIndex?: number;
  role: AssetRole;
  /** The asset this one was made from (a frame, a thumbnail). */
  parentId?: string;
  name: string;
  model?: string;
  /** Its thumbnail, if there is one. */
  thumbnailId?: string;
  /** The last frame of a clip, if it has been extracted. */
  lastFrameId?: string;
  createdAt: number;
}

/** Work on pixels and frames, done by the media page (DESIGN "Media"). */
/** In milliseconds. A media page that works longer hangs: it is replaced, and its task goes to another. */
export const MEDIA_TASK_LIMIT_MS = 60_000;

export interface MediaTask {
  id: string;
  assetId: string;
  kind: 'thumbnail' | 'lastFrame';
  /** The asset's address: the page that does the work may request nothing else. */
  name: string;
  mime: string;
}
