import type { ClipDefect } from '../clipDefects.ts';

/** The sandbox's records. Each is plain JSON; the newest record of an id wins. Times are epoch milliseconds. */

export interface BillEntry {
  at: number;
  /** The id by which the client knows the work: operation name, image task id, or chat completion id. */
  id: string;
  kind: 'chat' | 'video' | 'imagine' | 'edit';
  model: string;
  prompt: string;
  /** Nano-dollars (10^-9 USD), an integer. */
  nano: number;
}

/** A picture or clip that was made. Its bytes are in the media folder as `<id>.<extension>`. */
export interface MediaRecord {
  id: string;
  extension: 'mp4' | 'png';
  createdAt: number;
  expiresAt: number;
  width: number;
  height: number;
  model: string;
  etag: string;
  bytes: number;
  /** How a clip was drawn, so that an extension can continue its scene. */
  scene?: SceneRecipe;
  /** The label of a picture's watermark, which an edit keeps. */
  label?: string;
}

/** The scene at the end of a clip: enough to draw the seconds after it. */
export interface SceneRecipe {
  name: string;
  prompt: string;
  seed: number;
  endSecond: number;
  /** The colours of the reference pictures. */
  palette?: Palette;
}

export interface Palette {
  /** The tint of the scene. */
  tint: [number, number, number];
  /** Lights, as `red,green,blue`. */
  lights: string[];
}

/** One clip of an operation: its seed and its outcome. */
export interface VideoSample {
  seed: number;
  filtered: boolean;
  mediaId?: string;
}

export interface VideoOperation {
  /** `operations/…` for a long-running operation, `chatcmpl-…` if the completion contains the clip. Also the id on the bill. */
  id: string;
  createdAt: number;
  /** Never reported done before this time: the simulated latency. */
  dueAt: number;
  model: string;
  prompt: string;
  plan: VideoPlan;
  samples: VideoSample[];
  state: 'running' | 'done' | 'failed';
  failure?: string;
}

/** The validated options of spec 2.2 and 2.3. `image` and the like name files in the inputs folder; `video` names a media record. */
export interface VideoPlan {
  width: number;
  height: number;
  seconds: number;
  audio: boolean;
  seed: number | null;
  samples: number;
  image?: string;
  lastFrame?: string;
  references: string[];
  video?: string;
  /** The scripted defects of its clips. */
  defects?: readonly ClipDefect[];
}

export interface ImageTask {
  id: string;
  action: 'IMAGINE' | 'EDIT';
  createdAt: number;
  dueAt: number;
  /** The prompt as sent, flags included. */
  prompt: string;
  mode: 'fast' | 'relax' | 'turbo';
  plan: ImaginePlan | EditPlan;
  hookUrl?: string;
  state: 'running' | 'done' | 'failed' | 'canceled';
  failure?: string;
  mediaId?: string;
  finishedAt?: number;
  /** Webhook deliveries scripted by a fault file. */
  hook?: HookFault;
}

export interface HookFault {
  what: 'repeated' | 'forged' | 'late' | 'omitted';
  ms?: number | undefined;
}

export interface ImaginePlan {
  kind: 'imagine';
  width: number;
  height: number;
  seed: number;
  version: string;
  quality: number;
  /** The prompt without its flags. */
  words: string;
}

export interface EditPlan {
  kind: 'edit';
  base: string;
  mask: string;
  width: number;
  height: number;
  seed: number;
  words: string;
}

/** A chat answer, kept whole so that a repeated `Idempotency-Key` gets the same words. */
export interface ChatRecord {
  id: string;
  createdAt: number;
  model: string;
  reasoning: string;
  text: string;
  toolCalls: ToolCall[];
  finishReason: 'stop' | 'length' | 'tool_calls';
  usage: ChatUsage;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
}

export interface ChatUsage {
  promptTokens: number;
  completionTokens: number;
  reasoningTokens: number;
}

/** The first use of an `Idempotency-Key`. */
export interface KeyRecord {
  /** Endpoint and key. */
  id: string;
  at: number;
  bodyHash: string;
  /** Id of the chat, operation or task that answers it. */
  ref: string;
}

/** One change of the state: one line of the journal, so that all of it is kept or none. */
export interface Change {
  videos?: VideoOperation[];
  images?: ImageTask[];
  chats?: ChatRecord[];
  media?: MediaRecord[];
  keys?: KeyRecord[];
  bill?: BillEntry[];
  /** Ids whose bill entry is removed, since the work could not be done. */
  unbill?: string[];
}
