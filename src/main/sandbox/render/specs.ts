import type { ClipDefect } from '../clipDefects.ts';
import type { SceneRecipe } from '../state/records.ts';

/** The jobs of a render worker and their results. Everything here can be posted between threads. */
export interface StillSpec {
  width: number;
  height: number;
  prompt: string;
  seed: number;
  /** The image model's version, `--v` (spec 9.3): it changes the grade. */
  version: string;
  label: string;
}

export interface EditSpec {
  width: number;
  height: number;
  prompt: string;
  seed: number;
  label: string;
  /** PNG bytes of the picture. */
  base: Uint8Array;
  /** PNG bytes, pure black and white, same size. */
  mask: Uint8Array;
}

export interface ClipSpec {
  width: number;
  height: number;
  seconds: number;
  audio: boolean;
  prompt: string;
  seed: number;
  /** Encoded pictures. */
  references: Uint8Array[];
  image?: Uint8Array;
  lastFrame?: Uint8Array;
  /** The end of the clip that this one continues. */
  extends?: { lastFrame: Uint8Array; scene?: SceneRecipe | undefined };
  /** The encoder's quantizer, 10 to 51: a greater one makes a smaller file with less detail. */
  quantizer?: number;
  /** Without a watermark: for the sample film. */
  isUnmarked?: boolean;
  /** The scripted defects. */
  defects?: readonly ClipDefect[];
}

export interface Clip {
  /** MP4: H.264, and AAC if sound was requested. */
  video: Uint8Array;
  /** PNG of the last frame before encoding. */
  lastFrame: Uint8Array;
  scene: SceneRecipe;
}

export type RenderJob =
  | { kind: 'still'; spec: StillSpec }
  | { kind: 'edit'; spec: EditSpec }
  | { kind: 'clip'; spec: ClipSpec };

export type RenderReply =
  /** The drawn share, 0 to 1. */
  | { id: number; drawn: number }
  | { id: number; ok: true; result: Uint8Array | Clip }
  | { id: number; ok: false; message: string };
