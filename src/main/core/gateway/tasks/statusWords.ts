import type { ErrorKind } from '../../../../shared/job.ts';
import type { Source } from '../errors/index.ts';

export type TaskState = 'running' | 'succeeded' | 'failed';

/** A word or a number for the state of a task. */
export interface StatusWord {
  state: TaskState;
  /** The kind of failure, if the number means one. */
  kind?: ErrorKind;
  /** The word of a number, for the message. */
  word?: string;
  source: Source;
  /** In `video-words.jsonl`. */
  fixture: string;
}

type Group = readonly [state: TaskState, source: Source, words: string];

/** Each word has its case of the same name. */
const GROUPS: readonly Group[] = [
  ['running', 'midjourney', 'NOT_START SUBMITTED IN_PROGRESS'],
  ['running', 'newApi', 'MODAL'],
  ['running', 'ttapi', 'PENDING_QUEUE ON_QUEUE'],
  ['running', 'useapi', 'progress started'],
  ['running', 'piapi', 'staged'],
  ['running', 'replicate', 'starting processing'],
  ['running', 'batches', 'queued validating finalizing cancelling'],
  ['running', 'bfl', 'Pending'],
  ['running', 'minimax', 'Queueing Preparing'],
  ['running', 'fal', 'IN_QUEUE'],
  ['running', 'kie', 'waiting queuing generating'],
  ['running', 'vidu', 'created scheduling'],
  ['running', 'luma', 'dreaming'],
  ['running', 'runway', 'RUNNING THROTTLED'],
  ['running', 'vertex', 'JOB_STATE_PAUSED JOB_STATE_UPDATING MEDIA_GENERATION_STATUS_ACTIVE'],
  ['running', 'azureVideo', 'preprocessing'],
  ['running', 'krea', 'backlogged scheduled sampling intermediate-complete'],
  ['running', 'civitai', 'unassigned'],
  ['running', 'synthesia', 'in_review'],
  ['running', 'shotstack', 'rendering fetching saving'],
  ['running', 'beam', 'RETRY'],
  ['running', 'creatomate', 'planned transcribing'],
  // The upscaling is still to come; `completed` follows it.
  ['running', 'yunwu', 'video_generation_completed video_upsampling'],
  ['succeeded', 'midjourney', 'SUCCESS'],
  ['succeeded', 'replicate', 'succeeded'],
  ['succeeded', 'kling', 'succeed'],
  ['succeeded', 'vertex', 'MEDIA_GENERATION_STATUS_SUCCESSFUL JOB_STATE_PARTIALLY_SUCCEEDED'],
  ['succeeded', 'batches', 'completed'],
  ['succeeded', 'leonardo', 'COMPLETE'],
  ['succeeded', 'did', 'done'],
  ['succeeded', 'autojourney', 'finished'],
  // Also where a code beside it says that it failed.
  ['succeeded', 'tencent', 'FINISH'],
  ['succeeded', 'proxies', 'ok'],
  ['succeeded', 'bfl', 'Ready'],
  ['failed', 'replicate', 'failed canceled aborted'],
  ['failed', 'midjourney', 'FAILURE'],
  ['failed', 'proxies', 'CANCEL'],
  ['failed', 'minimax', 'Fail'],
  ['failed', 'did', 'error rejected'],
  ['failed', 'batches', 'cancelled'],
  ['failed', 'ark', 'expired'],
  ['failed', 'beam', 'TIMEOUT'],
  ['failed', 'runpod', 'TIMED_OUT'],
  ['failed', 'autojourney', 'banned'],
  ['failed', 'tavus', 'deleted'],
  ['failed', 'kie', 'CREATE_TASK_FAILED GENERATE_FAILED GENERATE_MP4_FAILED SENSITIVE_WORD_ERROR'],
  ['failed', 'stability', 'CONTENT_FILTERED'],
  ['failed', 'bfl', 'Content_Moderated'],
  ['failed', 'useapi', 'moderated'],
  ['failed', 'higgsfield', 'nsfw'],
  ['failed', 'yunwu', 'video_upsampling_failed'],
  ['failed', 'imgix', 'errored'],
  ['failed', 'seedanceMcp', 'interrupted'],
];

/** Words whose case is in another file. */
const FIXTURES: Readonly<Record<string, string>> = { ok: 'image-polls: a word for success: ok' };

/** The letters of a word; nothing else of it counts. */
export const lettersOf = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '');

export const STATUS_WORDS = new Map<string, StatusWord>(
  GROUPS.flatMap(([state, source, words]) =>
    words.split(' ').map((word) => [lettersOf(word), { state, source, fixture: FIXTURES[word] ?? word }] as const),
  ),
);

/** Substrings of status words in Chinese, in the sequence in which they are tried. */
export const STATUS_SUBSTRINGS: readonly (StatusWord & { sign: string; atEnd?: true })[] = [
  { sign: '失败', state: 'failed', source: 'newApi', fixture: '失败' },
  { sign: '取消', state: 'failed', source: 'newApi', fixture: '已取消' },
  { sign: '超时', state: 'failed', source: 'newApi', fixture: '超时' },
  { sign: '中', state: 'running', source: 'newApi', fixture: '生成中', atEnd: true },
  { sign: '排队', state: 'running', source: 'newApi', fixture: '排队' },
  { sign: '未开始', state: 'running', source: 'newApi', fixture: '未开始' },
  { sign: '已提交', state: 'running', source: 'newApi', fixture: '已提交' },
  { sign: '成功', state: 'succeeded', source: 'newApi', fixture: '成功' },
  { sign: '完成', state: 'succeeded', source: 'newApi', fixture: '已完成' },
];

/** Numeric states; each belongs to one family, which the field's name identifies. */
export const STATUS_NUMBERS = new Map<string, StatusWord>(
  (
    [
      ['running', 'kie', 'successFlag=0'],
      ['succeeded', 'kie', 'successFlag=1'],
      ['failed', 'kie', 'successFlag=2 successFlag=3'],
      ['succeeded', 'pixverse', 'Resp.status=1'],
      ['running', 'pixverse', 'Resp.status=5'],
      ['failed', 'pixverse', 'Resp.status=6', undefined, 'deleted'],
      ['failed', 'pixverse', 'Resp.status=7', 'moderation'],
      ['failed', 'pixverse', 'Resp.status=8'],
      ['failed', 'tencent', 'JobStatusCode=4'],
      ['succeeded', 'tencent', 'JobStatusCode=5'],
      // Only this number: 1, which is a queue at Akool, is a finished video at PixVerse.
      ['failed', 'akool', 'videoStatus=4'],
    ] as const
  ).flatMap(([state, source, numbers, kind, word]) =>
    numbers
      .split(' ')
      .map(
        (number) =>
          [number, { state, source, fixture: number, ...(kind ? { kind } : {}), ...(word ? { word } : {}) }] as const,
      ),
  ),
);
