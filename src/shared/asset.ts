import type { Difference } from './difference.ts';
import type { Verdict } from './verdict.ts';

/** Where an asset's bytes are: verified on this disk, only at the gateway, or at a link that has ended. */
export const ASSET_STATES = ['local', 'remote', 'expired'] as const;
export type AssetState = (typeof ASSET_STATES)[number];

/** What an asset is for; `source` is a file of the user's. Thumbnails are kept out of lists. */
export const ASSET_ROLES = ['output', 'grid', 'source', 'mask', 'frame', 'thumbnail'] as const;
export type AssetRole = (typeof ASSET_ROLES)[number];

/** What a file can be brought in for. The other roles are for what the studio makes of an answer. */
export const UPLOAD_ROLES = ['source', 'mask', 'frame'] as const satisfies AssetRole[];
export type UploadRole = (typeof UPLOAD_ROLES)[number];

export interface Asset {
  id: string;
  /** Grows with every change of what stands here; the greater one is the newer. */
  revision: number;
  /** Lower-case hex; empty while the bytes are not here. */
  sha256: string;
  mime: string;
  /** Pixels; 0 where not known. */
  width: number;
  height: number;
  /** Length of a clip. */
  seconds?: number;
  /** Whether a clip has sound, where that is known. */
  audio?: boolean;
  /** In what it is not what was ordered. */
  differs?: Difference[];
  bytes: number;
  state: AssetState;
  /** When the gateway's link ends, milliseconds since 1970. */
  expiresAt?: number;
  /** Nobody said when it ends: `expiresAt` is a cautious assumption. */
  expiryAssumed?: true;
  /** Why it is not here yet, or never will be: one sentence. */
  fault?: string;
  jobId?: string;
  /** How its job was judged. */
  verdict?: Verdict;
  /** The place among its job's outputs. */
  outputIndex?: number;
  role: AssetRole;
  /** The asset this one was made from (a frame, a thumbnail). */
  parentId?: string;
  name: string;
  model?: string;
  /** A small picture of it, where one has been made. */
  thumbnailId?: string;
  /** The last frame of a clip, where it has been taken. */
  lastFrameId?: string;
  createdAt: number;
}

/** Work on pixels and frames, done by the media page (DESIGN "Media"). */
/** In milliseconds. A media page that has worked for longer hangs: its task goes to another, and it is replaced. */
export const MEDIA_TASK_LIMIT_MS = 60_000;

export interface MediaTask {
  id: string;
  assetId: string;
  kind: 'thumbnail' | 'lastFrame';
  /** Of the asset: the page that does the work may ask for nothing else. */
  name: string;
  mime: string;
}
