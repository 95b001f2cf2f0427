import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../testing/client.ts';
import { MANNERS, play, type Script } from '../testing/played.ts';
import { type RawServer, rawServer, reply } from '../testing/rawServer.ts';
import type { PollOutcome, RemoteTask } from '../types.ts';

/** What services of this family answer when they are asked how a video is doing, and what it means. */
const ID = 'task_8f31c2';
const A = 'https://cdn.example/a.mp4';
const B = 'https://cdn.example/b.mp4';
const OURS = 'https://ours.example/first.png';
const OUR_CLIP = 'https://ours.example/clip.mp4';

type Expected = object;
const done = (...uris: string[]): Expected => ({ type: 'done', uris });
const running = (progress?: number): Expected => ({ type: 'running', ...(progress === undefined ? {} : { progress }) });
const failed = (kind: string, billed: 'no' | 'unknown' = 'no', message?: string): Expected => ({
  type: 'failed',
  billed,
  kind,
  ...(message === undefined ? {} : { message }),
});
const missing: Expected = { type: 'missing' };
const unreachable = (kind?: string): Expected => ({ type: 'unreachable', ...(kind ? { kind } : {}) });
const CONTENT = `/v1/videos/${ID}/content`;

type Case = [string, string | object, Expected, Partial<Script>?];
const op = (response: object, more: object = {}): object => ({
  name: `models/veo-3/operations/${ID}`,
  done: true,
  response,
  ...more,
});

const OPERATIONS: Case[] = [
  ['veo: only a name', { name: `models/veo-3/operations/${ID}` }, running()],
  [
    'veo: done false',
    { name: `operations/${ID}`, done: false, metadata: { '@type': 'x', progressPercent: 40 } },
    running(40),
  ],
  ['veo: done as text', { name: `operations/${ID}`, done: 'false' }, running()],
  [
    'veo: done as text, with a clip',
    { name: `operations/${ID}`, done: 'true', response: { videos: [{ uri: A }] } },
    done(A),
  ],
  ['veo: samples', op({ '@type': 'x', generateVideoResponse: { generatedSamples: [{ video: { uri: A } }] } }), done(A)],
  [
    'veo: a file to download',
    op({
      generateVideoResponse: {
        generatedSamples: [{ video: { uri: 'https://g.example/v1beta/files/9x:download?alt=media' } }],
      },
    }),
    done('https://g.example/v1beta/files/9x:download?alt=media'),
  ],
  [
    'veo: two samples',
    op({ generateVideoResponse: { generatedSamples: [{ video: { uri: A } }, { video: { uri: B } }] } }),
    done(A, B),
  ],
  [
    'veo: samples in snake_case',
    op({ generate_video_response: { generated_samples: [{ video: { uri: A } }] } }),
    done(A),
  ],
  [
    'veo: samples without the wrapper',
    op({ generatedSamples: [{ video: { uri: 'gs://b/0.mp4', encoding: 'video/mp4' } }] }),
    done('gs://b/0.mp4'),
  ],
  [
    'vertex: gcsUri',
    op({ '@type': 'x', raiMediaFilteredCount: 0, videos: [{ gcsUri: 'gs://b/s_0.mp4', mimeType: 'video/mp4' }] }),
    done('gs://b/s_0.mp4'),
  ],
  [
    'vertex: two in storage',
    op({ videos: [{ gcsUri: 'gs://b/0' }, { gcsUri: 'gs://b/1' }] }),
    done('gs://b/0', 'gs://b/1'),
  ],
  [
    'vertex: bytes',
    op({ videos: [{ bytesBase64Encoded: 'AAAAIGZ0eXBpc29tAAAA', mimeType: 'video/mp4' }] }),
    done('data:video/mp4;base64,AAAAIGZ0eXBpc29tAAAA'),
  ],
  [
    'vertex: bytes in snake_case',
    op({ videos: [{ bytes_base64_encoded: 'AAAAIGZ0eXBpc29tAAAA', mime_type: 'video/mp4' }] }),
    done('data:video/mp4;base64,AAAAIGZ0eXBpc29tAAAA'),
  ],
  ['sdk: generatedVideos', op({ generatedVideos: [{ video: { uri: A, mimeType: 'video/mp4' } }] }), done(A)],
  [
    'sdk: generated_videos under result',
    { name: `operations/${ID}`, done: true, result: { generated_videos: [{ video: { uri: A } }] } },
    done(A),
  ],
  [
    'sdk: videoBytes',
    op({ generatedVideos: [{ video: { videoBytes: 'AAAAIGZ0eXBpc29tAAAA', mimeType: 'video/mp4' } }] }),
    done('data:video/mp4;base64,AAAAIGZ0eXBpc29tAAAA'),
  ],
  ['an operation in a list of one', [op({ videos: [{ uri: A }] })], done(A)],
  ['an operation in a wrapper', { code: 0, msg: 'ok', data: { operation: op({ videos: [{ uri: A }] }) } }, done(A)],
  ['an operation as JSON text', { code: 0, data: JSON.stringify(op({ videos: [{ uri: A }] })) }, done(A)],
  [
    'all filtered',
    op({
      generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Faces of children (58061214).'] },
    }),
    failed('moderation', 'no', 'Faces of children (58061214).'),
  ],
  [
    'all filtered, in snake_case and text',
    op({ rai_media_filtered_count: '2', rai_media_filtered_reasons: ['unsafe'] }),
    failed('moderation', 'no'),
  ],
  ['all filtered, an empty list of clips', op({ raiMediaFilteredCount: 1, videos: [] }), failed('moderation', 'no')],
  [
    'filtered, with a reason only',
    op({ generateVideoResponse: { raiMediaFilteredReasons: ['celebrity'] } }),
    failed('moderation', 'no', 'celebrity'),
  ],
  [
    'one of two filtered',
    op({
      generateVideoResponse: {
        raiMediaFilteredCount: 1,
        raiMediaFilteredReasons: ['x'],
        generatedSamples: [{ video: { uri: A } }],
      },
    }),
    done(A),
  ],
  ['none filtered, nothing there', op({ raiMediaFilteredCount: 0 }), failed('server', 'unknown')],
  ['done with nothing', op({}), failed('server', 'unknown')],
  ['done without a response', { name: `operations/${ID}`, done: true }, failed('server', 'unknown')],
  ['done with an empty list', op({ generatedVideos: [] }), failed('server', 'unknown')],
  [
    'done with an error',
    { name: `operations/${ID}`, done: true, error: { code: 3, message: 'Unsupported aspect ratio' } },
    failed('invalid', 'no', 'Unsupported aspect ratio'),
  ],
  [
    'done with an error about safety',
    {
      name: `operations/${ID}`,
      done: true,
      error: { code: 3, message: 'The prompt could not be submitted. It violates our usage guidelines.' },
    },
    failed('moderation'),
  ],
  [
    'done with an inner error',
    {
      name: `operations/${ID}`,
      done: true,
      error: { code: 13, message: 'Internal error encountered.', status: 'INTERNAL' },
    },
    failed('server'),
  ],
  ['done, no error in words', op({ videos: [{ uri: A }] }, { error: null }), done(A)],
  ['done, an error object that is none', op({ videos: [{ uri: A }] }, { error: { code: 0, message: '' } }), done(A)],
  [
    'operations in a list, a long status word',
    {
      operations: [
        { operation: { name: ID, metadata: { video: { fifeUrl: A } } }, status: 'MEDIA_GENERATION_STATUS_SUCCESSFUL' },
      ],
    },
    done(A),
  ],
  [
    'a long status word, under way',
    { operations: [{ operation: { name: ID }, status: 'MEDIA_GENERATION_STATUS_ACTIVE' }] },
    running(),
  ],
];

const TASKS: Case[] = [
  [
    'sora: queued',
    { id: ID, object: 'video', model: 'sora-2', status: 'queued', progress: 0, seconds: '8', size: '720x1280' },
    running(0),
  ],
  ['sora: in progress', { id: ID, object: 'video', status: 'in_progress', progress: 33 }, running(33)],
  [
    'sora: completed',
    { id: ID, object: 'video', status: 'completed', progress: 100, error: null, remixed_from_video_id: null },
    done(CONTENT),
  ],
  [
    'sora: failed',
    {
      id: ID,
      object: 'video',
      status: 'failed',
      error: { code: 'moderation_blocked', message: 'Blocked by our moderation system.' },
    },
    failed('moderation'),
  ],
  ['sora: failed without a reason', { id: ID, object: 'video', status: 'failed', error: null }, failed('server')],
  [
    'sora behind a proxy: an address of its own',
    { id: ID, object: 'video', status: 'completed', video_url: A, thumbnail_url: 'https://c/t.webp' },
    done(A),
  ],
  ['sora behind a proxy: metadata', { id: ID, object: 'video', status: 'completed', metadata: { url: A } }, done(A)],
  [
    'sora behind a proxy: bytes at home',
    { id: ID, object: 'video', status: 'completed', url: `/v1/videos/${ID}/content` },
    done(CONTENT),
  ],
  ['runway: pending', { id: ID, status: 'PENDING', createdAt: '2025-01-01T00:00:00Z' }, running()],
  ['runway: throttled', { id: ID, status: 'THROTTLED' }, running()],
  ['runway: a share of one', { id: ID, status: 'RUNNING', progress: 0.45 }, running(45)],
  ['runway: succeeded', { id: ID, status: 'SUCCEEDED', output: [A] }, done(A)],
  [
    'runway: failed',
    { id: ID, status: 'FAILED', failure: 'Input text did not pass safety.', failureCode: 'SAFETY.INPUT.TEXT' },
    failed('moderation', 'no', 'Input text did not pass safety.'),
  ],
  [
    'kling: submitted',
    {
      code: 0,
      message: 'SUCCEED',
      request_id: 'r',
      data: { task_id: ID, task_status: 'submitted', created_at: 1, updated_at: 1 },
    },
    running(),
  ],
  [
    'kling: done',
    {
      code: 0,
      message: 'SUCCEED',
      data: {
        task_id: ID,
        task_status: 'succeed',
        task_status_msg: '',
        task_info: { parent_video: { id: 'x', url: OUR_CLIP } },
        task_result: { videos: [{ id: 'v', url: A, duration: '5' }] },
      },
    },
    done(A),
  ],
  [
    'kling: failed',
    {
      code: 0,
      message: 'SUCCEED',
      data: { task_id: ID, task_status: 'failed', task_status_msg: 'Failure to pass the risk control system' },
    },
    failed('moderation', 'no', 'Failure to pass the risk control system'),
  ],
  [
    'luma: dreaming',
    {
      id: ID,
      state: 'dreaming',
      failure_reason: null,
      assets: null,
      request: { prompt: 'x', keyframes: { frame0: { type: 'image', url: 'https://in/x.png' } } },
    },
    running(),
  ],
  [
    'luma: completed',
    {
      id: ID,
      state: 'completed',
      assets: { image: 'https://c/i.jpg', video: A, progress_video: B },
      request: { generation_type: 'video' },
    },
    done(A),
  ],
  [
    'luma: failed',
    { id: ID, state: 'failed', failure_reason: 'Prompt was moderated', assets: null },
    failed('moderation'),
  ],
  [
    'pika: finished',
    {
      id: ID,
      status: 'finished',
      videos: [{ sharingUrl: 'https://pika.example/v/1', resultUrl: A, imageThumb: 'https://c/t.jpg', progress: 100 }],
    },
    done(A),
  ],
  [
    'replicate: starting',
    {
      id: ID,
      status: 'starting',
      input: { prompt: 'x', image: OURS },
      output: null,
      error: null,
      logs: '',
      urls: { get: `https://api/p/${ID}`, cancel: 'https://api/c' },
    },
    running(),
  ],
  [
    'replicate: a log with per cent and links',
    { id: ID, status: 'processing', logs: 'Downloading https://w.example/weights.mp4\n 12%|#', output: null },
    running(),
  ],
  [
    'replicate: one output',
    {
      id: ID,
      status: 'succeeded',
      input: { image: 'https://in/x.png', video: 'https://in/v.mp4' },
      output: A,
      error: null,
      urls: { get: 'https://api/p', stream: 'https://s/x', web: 'https://w/p' },
    },
    done(A),
  ],
  ['replicate: a list', { id: ID, status: 'succeeded', output: [A, B] }, done(A, B)],
  [
    'replicate: failed',
    { id: ID, status: 'failed', error: 'NSFW content detected. Try running it again.', output: null },
    failed('moderation'),
  ],
  ['replicate: aborted', { id: ID, status: 'aborted', output: null }, failed('server')],
  ['vidu: processing', { id: ID, state: 'processing', err_code: '', credits: 4, creations: [] }, running()],
  [
    'vidu: success',
    {
      id: ID,
      state: 'success',
      err_code: '',
      creations: [{ id: '1', url: A, cover_url: 'https://c/c.jpg', watermarked_url: B }],
    },
    done(A),
  ],
  ['vidu: failed', { id: ID, state: 'failed', err_code: 'AuditSubmitIllegal', creations: [] }, failed('server')],
  [
    'dashscope: running',
    { request_id: 'r', output: { task_id: ID, task_status: 'RUNNING', submit_time: 'x' } },
    running(),
  ],
  [
    'dashscope: succeeded',
    {
      request_id: 'r',
      output: {
        task_id: ID,
        task_status: 'SUCCEEDED',
        orig_prompt: 'see https://in/x.mp4',
        actual_prompt: 'x',
        video_url: A,
      },
      usage: { video_count: 1 },
    },
    done(A),
  ],
  [
    'dashscope: failed',
    {
      request_id: 'r',
      output: {
        task_id: ID,
        task_status: 'FAILED',
        code: 'DataInspectionFailed',
        message: 'Output data may contain inappropriate content.',
      },
    },
    failed('moderation'),
  ],
  ['dashscope: unknown', { request_id: 'r', output: { task_id: ID, task_status: 'UNKNOWN' } }, missing],
  ['ark: running', { id: ID, model: 'seedance', status: 'running', created_at: 1, updated_at: 2 }, running()],
  [
    'ark: succeeded',
    {
      id: ID,
      status: 'succeeded',
      content: { video_url: A, last_frame_url: 'https://c/l.png' },
      usage: { completion_tokens: 1 },
      seed: 3,
      resolution: '720p',
    },
    done(A),
  ],
  [
    'ark: expired',
    { id: ID, status: 'expired', error: { code: 'Expired', message: 'task timed out' } },
    failed('timeout'),
  ],
  [
    'visual: in queue',
    {
      code: 10000,
      data: { status: 'in_queue', video_url: '', resp_data: '' },
      message: 'Success',
      request_id: 'r',
      status: 10000,
    },
    running(),
  ],
  [
    'visual: done',
    {
      code: 10000,
      data: { status: 'done', video_url: A, aigc_meta_tagged: true, binary_data_base64: [] },
      message: 'Success',
      status: 10000,
    },
    done(A),
  ],
  ['visual: not found', { code: 10000, data: { status: 'not_found', video_url: '' }, message: 'Success' }, missing],
  ['glm: processing', { id: ID, model: 'cog', request_id: 'r', task_status: 'PROCESSING' }, running()],
  [
    'glm: success',
    { id: ID, task_status: 'SUCCESS', video_result: [{ url: A, cover_image_url: 'https://c/c.png' }] },
    done(A),
  ],
  ['glm: fail', { id: ID, task_status: 'FAIL' }, failed('server')],
  [
    'minimax: queueing',
    { task_id: ID, status: 'Queueing', file_id: '', base_resp: { status_code: 0, status_msg: 'success' } },
    running(),
  ],
  [
    'minimax: fail',
    { task_id: ID, status: 'Fail', file_id: '', base_resp: { status_code: 1027, status_msg: 'output new_sensitive' } },
    failed('moderation'),
  ],
  [
    'minimax: with its address',
    {
      task_id: ID,
      status: 'Success',
      file_id: '17',
      download_url: A,
      base_resp: { status_code: 0, status_msg: 'success' },
    },
    done(A),
  ],
  [
    'new-api: under way',
    {
      code: 'success',
      message: '',
      data: {
        task_id: ID,
        action: 'GENERATE',
        status: 'IN_PROGRESS',
        fail_reason: '',
        progress: '30%',
        submit_time: 1,
        data: null,
      },
    },
    running(30),
  ],
  ['new-api: not started', { code: 'success', data: { task_id: ID, status: 'NOT_START', progress: '0%' } }, running(0)],
  [
    'new-api: the address as reason',
    {
      code: 'success',
      data: {
        task_id: ID,
        status: 'SUCCESS',
        fail_reason: A,
        progress: '100%',
        data: { id: 'x', status: 'succeeded' },
      },
    },
    done(A),
  ],
  [
    'new-api: the upstream inside',
    {
      code: 'success',
      data: {
        task_id: ID,
        status: 'SUCCESS',
        fail_reason: '',
        data: { code: 0, data: { task_status: 'succeed', task_result: { videos: [{ url: A }] } } },
      },
    },
    done(A),
  ],
  [
    'new-api: failure over a stale upstream',
    {
      code: 'success',
      data: {
        task_id: ID,
        status: 'FAILURE',
        fail_reason: 'upstream lost the task',
        progress: '100%',
        data: { id: 'x', status: 'processing' },
      },
    },
    failed('server', 'no', 'upstream lost the task'),
  ],
  [
    'piapi: pending',
    {
      code: 200,
      data: {
        task_id: ID,
        status: 'pending',
        input: { image_url: 'https://in/x.png' },
        output: {},
        error: { code: 0, raw_message: '', message: '', detail: null },
      },
      message: 'success',
    },
    running(),
  ],
  [
    'piapi: works',
    {
      code: 200,
      data: {
        task_id: ID,
        status: 'completed',
        config: { webhook_config: { endpoint: 'https://h/x', secret: '' } },
        output: {
          type: 'm2v',
          works: [
            {
              content_type: 'video',
              status: 99,
              cover: { resource: 'https://c/c.png' },
              video: { resource: A, height: 720, duration: 5100 },
            },
          ],
        },
        error: { code: 0, message: '' },
      },
      message: 'success',
    },
    done(A),
  ],
  [
    'piapi: works and an address',
    {
      code: 200,
      data: {
        task_id: ID,
        status: 'completed',
        output: { video_url: A, works: [{ video: { resource: A, resource_without_watermark: A } }] },
        error: { code: 0 },
      },
    },
    done(A),
  ],
  [
    'piapi: failed',
    {
      code: 200,
      data: {
        task_id: ID,
        status: 'failed',
        output: null,
        error: { code: 10000, raw_message: 'sensitive', message: 'task failed: content moderation' },
      },
      message: 'success',
    },
    failed('moderation'),
  ],
  [
    'pixverse',
    { ErrCode: 0, ErrMsg: 'Success', Resp: { id: ID, status: 1, url: A, prompt: 'see https://in/x.mp4' } },
    done(A),
  ],
  ['pixverse: under way', { ErrCode: 0, ErrMsg: 'Success', Resp: { id: ID, status: 5, url: '' } }, running()],
  [
    'heygen',
    {
      code: 100,
      data: {
        id: ID,
        status: 'completed',
        video_url: A,
        video_url_caption: B,
        gif_url: 'https://c/g.gif',
        thumbnail_url: 'https://c/t.jpg',
        error: null,
      },
      message: 'Success',
    },
    done(A),
  ],
  ['xai: pending', { status: 'pending' }, running(), { status: 202 }],
  ['xai: done', { request_id: ID, status: 'done', video: { url: A, duration: 6, respect_moderation: true } }, done(A)],
  [
    'leonardo',
    {
      generations_by_pk: {
        id: ID,
        status: 'COMPLETE',
        prompt: 'https://in/x.mp4',
        generated_videos: [{ url: A, id: 'v' }],
      },
    },
    done(A),
  ],
  ['leonardo: pending', { generations_by_pk: { id: ID, status: 'PENDING', generated_videos: [] } }, running()],
  [
    'useapi',
    {
      videoId: ID,
      status: 2,
      statusName: 'completed',
      statusFinal: true,
      percent: 100,
      downloadURL: A,
      videoURL: A,
      coverURL: 'https://c/c.png',
    },
    done(A),
  ],
  ['useapi: under way', { videoId: ID, status: 1, statusName: 'processing', percent: 70 }, running(70)],
  [
    'ltx: files',
    {
      status: 'ok',
      result: {
        id: ID,
        state: 'done',
        files: [
          { type: 'video/mp4', url: A },
          { type: 'image/png', url: 'https://c/p' },
        ],
      },
    },
    done(A),
  ],
  ['json:api', { data: { id: ID, type: 'video', attributes: { status: 'ready', url: A } } }, done(A)],
  [
    'json:api: under way',
    { data: { id: ID, type: 'video', attributes: { status: 'rendering', progress: 12 } } },
    running(12),
  ],
  ['a list of one task', { code: 200, data: [{ task_id: ID, status: 'success', result: { video_url: A } }] }, done(A)],
  ['tasks by id', { success: true, tasks: [{ task_id: ID, status: 'completed', video_urls: [A] }] }, done(A)],
  [
    'three wrappers',
    { code: 0, data: { task: { job: { id: ID, state: 'SUCCEEDED', output: { video: A } } } } },
    done(A),
  ],
  [
    'camelCase wrapper',
    { statusCode: 200, data: { taskId: ID, taskStatus: 'FINISHED', taskResult: { videoUrl: A } } },
    done(A),
  ],
  [
    'result as text in text',
    {
      task_id: ID,
      state: 'success',
      resultJson: `{"resultUrls":["${A}"],"originUrls":["${A}"]}`,
      param: '{"imageUrls":["https://in/x.png"]}',
    },
    done(A),
  ],
  [
    'our own picture and clip beside it',
    { id: ID, status: 'completed', image: { uri: OURS }, video: { uri: OUR_CLIP }, videos: [{ uri: A }] },
    done(A),
  ],
  ['our own clip only, still queued', { id: ID, status: 'queued', video: { uri: OUR_CLIP }, url: OUR_CLIP }, running()],
  [
    'request objects with clips of others',
    {
      id: ID,
      status: 'succeeded',
      request: { video_url: 'https://in/v.mp4' },
      params: { clip: 'https://in/w.mp4' },
      input: { video: { url: 'https://in/u.mp4' } },
      video: { url: A },
    },
    done(A),
  ],
  [
    'the same clip under two signatures',
    {
      id: ID,
      status: 'succeeded',
      videos: [{ url: `${A}?X-Amz-Signature=1` }],
      data: { videos: [{ url: `${A}?X-Amz-Signature=2` }] },
    },
    done(`${A}?X-Amz-Signature=1`),
  ],
  [
    'a page to share beside the clip',
    {
      id: ID,
      status: 'done',
      video: {
        share_url: 'https://w.example/s/1',
        page_url: 'https://w.example/p/1',
        embed_url: 'https://w.example/e/1',
        url: A,
      },
    },
    done(A),
  ],
  [
    'an HLS list beside the file',
    { id: ID, status: 'done', video: { hls_url: 'https://c/p.m3u8', mp4_url: A } },
    done(A),
  ],
  ['a clip in words of another field', { id: ID, status: 'SUCCESS', message: A }, done(A)],
  ['Chinese words', { code: 0, data: { task_id: ID, status: '生成中', progress: '20%' } }, running(20)],
  ['Chinese words, done', { code: 0, data: { task_id: ID, status: '已完成', video_url: A } }, done(A)],
  ['Chinese words, failed', { code: 0, data: { task_id: ID, status: '失败', msg: '内容违规' } }, failed('moderation')],
  ...[
    'completed',
    'complete',
    'done',
    'finished',
    'ok',
    'success',
    'succeeded',
    'ready',
    'TASK_STATUS_SUCCEED',
    'Successful',
  ].map((word): Case => [`a word for success: ${word}`, { id: ID, status: word, video_url: A }, done(A)]),
  ...['failed', 'error', 'expired', 'timeout', 'rejected', 'nsfw', 'FAILURE', 'JOB_STATE_FAILED'].map(
    (word): Case => [`a word for failure: ${word}`, { id: ID, status: word }, { type: 'failed', billed: 'no' }],
  ),
  ...['canceled', 'cancelled', 'CANCEL', 'TASK_CANCELED'].map(
    (word): Case => [
      `a word for a cancel: ${word}`,
      { id: ID, status: word },
      { type: 'failed', billed: 'no', canceled: true },
    ],
  ),
  ...[
    'pending',
    'waiting',
    'queued',
    'created',
    'starting',
    'processing',
    'running',
    'in_progress',
    'generating',
    'IN_QUEUE',
    'In Progress',
    'not-started',
    'something_new',
  ].map((word): Case => [`a word for work: ${word}`, { id: ID, status: word, video_url: '' }, running()]),
  ['a preview before success', { id: ID, status: 'processing', video_url: A, progress: '65' }, running(65)],
  ['progress in words', { id: ID, status: 'processing', progress: 'almost there' }, running()],
  ['progress as a share in text', { id: ID, status: 'processing', progress: '0.5' }, running(50)],
  ['progress null', { id: ID, status: 'processing', progress: null }, running()],
  ['progress beyond its end', { id: ID, status: 'processing', progress: 140 }, running(100)],
  ['an object for a status', { id: ID, status: { state: 'running', message: 'x' } }, running()],
  ['an id of digits only', `{"code":0,"data":{"task_id":98765432109876543210,"status":"running"}}`, running()],
];

const CALLS: Case[] = [
  ['nothing', '', missing],
  ['null', 'null', missing],
  ['an empty object', {}, missing],
  ['an unknown id, politely', { code: 404, message: 'task not found', data: null }, missing],
  ['an unknown id as failure', { status: 'failed', message: 'Task not found' }, missing],
  [
    'an unknown id with 400',
    { code: 'task_not_exist', message: 'task_not_exist', data: null },
    missing,
    { status: 400 },
  ],
  [
    'an unknown id with 404',
    { error: { message: `Video ${ID} not found`, type: 'invalid_request_error' } },
    missing,
    { status: 404 },
  ],
  ['a wrapper that means the call', { status: 'success', message: 'query ok', data: null }, running()],
  ['ok alone', { ok: true, status: 'ok', id: ID }, running()],
  ['the service fails', { code: 500, message: 'internal error', data: null }, unreachable('server')],
  ['the service fails with 500', { error: { message: 'oops' } }, unreachable('server'), { status: 500 }],
  ['the service slows down', { error: { message: 'Rate limit reached' } }, unreachable('rate_limit'), { status: 429 }],
  ['an empty 429', '', unreachable('rate_limit'), { status: 429 }],
  ['a shut door', { error: { message: 'Invalid token' } }, unreachable('auth'), { status: 401 }],
  ['a gateway times out', '<html><title>504 Gateway Time-out</title></html>', unreachable(), { status: 504 }],
  [
    'a failed call that blames the picture',
    { status: 'error', message: 'Generation failed: no face found' },
    { type: 'failed' },
  ],
  ['a failed call, busy', { status: 'error', message: 'server busy, try again' }, unreachable()],
  ['half a JSON', '{"id":"task_8f31c2","status":"comp', missing],
  [
    'a redirect to another host',
    '',
    unreachable('invalid'),
    { status: 302, headers: { location: 'http://127.0.0.1:9/x' } },
  ],
];

let server: RawServer;
let script: Script & { at: string };
let manner: (typeof MANNERS)[number] = 'whole';
beforeAll(async () => {
  server = await rawServer((request, socket) => {
    if (request.path === script.at) play(socket, manner, script);
    else socket.write(reply(404, { error: { message: 'Not found' } }));
  });
});
afterAll(() => server.close());

function told(outcome: PollOutcome): object {
  const error = 'error' in outcome && outcome.error ? { kind: outcome.error.kind, message: outcome.error.message } : {};
  const uris = outcome.type === 'done' ? { uris: outcome.outputs.map(({ uri }) => uri.replace(server.url, '')) } : {};
  const { outputs: _, ...rest } = { outputs: undefined, ...outcome };
  return { ...rest, ...error, ...uris };
}

const task = (more: Partial<RemoteTask> = {}): RemoteTask => ({
  id: ID,
  kind: 'video',
  acceptedAt: 0,
  ownUris: [OURS, OUR_CLIP],
  ...more,
});

test.each([...OPERATIONS, ...TASKS, ...CALLS].map((one, index) => [index, ...one] as const))(
  'video poll %i, %s',
  async (index, _name, body, expected, more = {}) => {
    script = { body, ...more, at: `/v1/videos/${ID}` };
    manner = MANNERS[index % MANNERS.length] ?? 'whole';
    const id = typeof body === 'string' && body.includes('98765432109876543210') ? '98765432109876543210' : ID;
    const outcome = await clientOf(server.url).gateway.poll(task({ id, pollPath: `/v1/videos/${ID}` }));
    expect(told(outcome)).toMatchObject(expected);
    expect(outcome.type === 'running' ? outcome.progress : undefined).toBe(
      (expected as { progress?: number }).progress,
    );
  },
);
