import type { ErrorKind } from '../../../../shared/jobs/job.ts';

export type TaskState = 'running' | 'succeeded' | 'failed';

/** A word or a number for the state of a task. */
export interface StatusWord {
  state: TaskState;
  /** The kind of failure, if the number means one. */
  kind?: ErrorKind;
  /** The word of a number, for the message. */
  word?: string;
  /** In `video-words.jsonl`. */
  fixture: string;
}

/** Each word has its case of the same name. */
const WORDS: Readonly<Record<TaskState, readonly string[]>> = {
  running: [
    'NOT_START SUBMITTED IN_PROGRESS MODAL PENDING_QUEUE ON_QUEUE progress started staged starting processing',
    'queued validating finalizing cancelling Pending Queueing Preparing IN_QUEUE waiting queuing generating',
    'created scheduling dreaming RUNNING THROTTLED JOB_STATE_PAUSED JOB_STATE_UPDATING',
    'MEDIA_GENERATION_STATUS_ACTIVE preprocessing backlogged scheduled sampling intermediate-complete unassigned',
    'in_review rendering fetching saving RETRY planned transcribing video_generation_completed video_upsampling',
  ],
  succeeded: [
    'SUCCESS succeeded succeed MEDIA_GENERATION_STATUS_SUCCESSFUL JOB_STATE_PARTIALLY_SUCCEEDED completed',
    'COMPLETE done finished FINISH ok Ready',
  ],
  failed: [
    'failed canceled aborted FAILURE CANCEL Fail error rejected cancelled expired TIMEOUT TIMED_OUT banned',
    'deleted CREATE_TASK_FAILED GENERATE_FAILED GENERATE_MP4_FAILED SENSITIVE_WORD_ERROR CONTENT_FILTERED',
    'Content_Moderated moderated nsfw video_upsampling_failed errored interrupted',
  ],
};

/** Words whose case is in another file. */
const FIXTURES: Readonly<Record<string, string>> = { ok: 'image-polls: a word for success: ok' };

/** The letters of a word; nothing else of it counts. */
export const lettersOf = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '');

export const STATUS_WORDS = new Map<string, StatusWord>(
  (Object.keys(WORDS) as TaskState[]).flatMap((state) =>
    WORDS[state]
      .flatMap((words) => words.split(' '))
      .map((word) => [lettersOf(word), { state, fixture: FIXTURES[word] ?? word }] as const),
  ),
);

/** Substrings of status words in Chinese, in the sequence in which they are tried. */
export const STATUS_SUBSTRINGS: readonly (StatusWord & { sign: string; atEnd?: true })[] = [
  { sign: '失败', state: 'failed', fixture: '失败' },
  { sign: '取消', state: 'failed', fixture: '已取消' },
  { sign: '超时', state: 'failed', fixture: '超时' },
  { sign: '中', state: 'running', fixture: '生成中', atEnd: true },
  { sign: '排队', state: 'running', fixture: '排队' },
  { sign: '未开始', state: 'running', fixture: '未开始' },
  { sign: '已提交', state: 'running', fixture: '已提交' },
  { sign: '成功', state: 'succeeded', fixture: '成功' },
  { sign: '完成', state: 'succeeded', fixture: '已完成' },
];

/** Numeric states; each belongs to one family, which the field's name identifies. */
export const STATUS_NUMBERS = new Map<string, StatusWord>(
  (
    [
      ['running', 'successFlag=0'],
      ['succeeded', 'successFlag=1'],
      ['failed', 'successFlag=2 successFlag=3'],
      ['succeeded', 'Resp.status=1'],
      ['running', 'Resp.status=5'],
      ['failed', 'Resp.status=6', undefined, 'deleted'],
      ['failed', 'Resp.status=7', 'moderation'],
      ['failed', 'Resp.status=8'],
      ['failed', 'JobStatusCode=4'],
      ['succeeded', 'JobStatusCode=5'],
      // Only this number: 1, which is a queue at Akool, is a finished video at PixVerse.
      ['failed', 'videoStatus=4'],
    ] as const
  ).flatMap(([state, numbers, kind, word]) =>
    numbers
      .split(' ')
      .map(
        (number) => [number, { state, fixture: number, ...(kind ? { kind } : {}), ...(word ? { word } : {}) }] as const,
      ),
  ),
);
