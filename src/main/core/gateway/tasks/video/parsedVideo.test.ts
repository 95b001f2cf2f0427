import { expect, test } from 'vitest';
import { echoOf } from '../../exchange/echo.ts';
import { type Json, parseJson } from '../../json/parse.ts';
import { parseVideo } from './parsedVideo.ts';

const SENT = echoOf([
  'a storm, like https://mood.example/board.mp4',
  'https://ours.example/first.png',
  'gs://ours/clip.mp4',
]);
const READING = { base: 'https://api.example', isEcho: SENT.has };
const MP4 = 'https://cdn.example/a.mp4';
const said = (content: Json): Json => ({
  id: 'chatcmpl-9',
  object: 'chat.completion',
  choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
});

const LOG = `\`\`\`json
{"prompt": "a storm", "images": ["https://ours.example/first.png"], "model": "video-pro"}
\`\`\`
> 🎬 Processing video request...
> Task ID: \`veo3:7a1f-99\`
> [Data Preview](https://pages.example/web/veo3:7a1f-99) | [Raw Data](https://pages.example/source/veo3:7a1f-99)
> Progress: 42.. 77.. 100
> 🎥 [▶️ Watch Online](https://files.example/cdn/2025/x1.mp4) | [⏬ Download Now](https://files.example/cdn/download/2025/x1.mp4)`;

/** Answers with results, in the forms that services use, and the addresses in them. */
const RESULTS: [string, Json, string[]][] = [
  ['uri on the message', { choices: [{ message: { content: '', video: { uri: MP4 } } }] }, [MP4]],
  ['uri on the body', { id: 'x', video: { uri: MP4 }, choices: [{ message: { content: 'done' } }] }, [MP4]],
  ['uri on both', { video: { uri: MP4 }, choices: [{ message: { video: { uri: MP4 } } }] }, [MP4]],
  [
    'one per choice',
    { choices: [{ message: { video: { uri: 'https://c/1' } } }, { message: { video: { uri: 'https://c/2' } } }] },
    ['https://c/1', 'https://c/2'],
  ],
  // new-api hands results on at this address until its own is set (setting/system_setting: ServerAddress).
  [
    'the place of a gateway that does not know its own address',
    { id: 't', status: 'completed', video_url: 'http://localhost:3000/v1/videos/t/content' },
    ['https://api.example/v1/videos/t/content'],
  ],
  [
    'another file of this machine, which nobody asks for',
    { id: 't', status: 'completed', video_url: 'http://localhost:3000/files/a.mp4' },
    ['http://localhost:3000/files/a.mp4'],
  ],
  ['JSON in the content', said(`{"video":{"uri":"${MP4}"}}`), [MP4]],
  ['JSON in a fence', said(`Here it is:\n\`\`\`json\n{"status":"succeeded","video_url":"${MP4}"}\n\`\`\``), [MP4]],
  ['JSON in a sentence', said(`Result: {"videoUrl":"${MP4}"} enjoy`), [MP4]],
  ['a markdown log', said(LOG), ['https://files.example/cdn/2025/x1.mp4']],
  [
    'a markdown link without an ending',
    said('Your clip: [Watch the video](https://cdn.example/v/9f2)'),
    ['https://cdn.example/v/9f2'],
  ],
  ['a bare address', said('https://cdn.example/v/9f2'), ['https://cdn.example/v/9f2']],
  ['an address in a sentence', said(`Your video is ready: ${MP4}.`), [MP4]],
  ['an HTML player', said(`<video controls src="${MP4}"></video>`), [MP4]],
  ['a data address', said('data:video/mp4;base64,AAAAIGZ0eXBpc29t'), ['data:video/mp4;base64,AAAAIGZ0eXBpc29t']],
  [
    'a content part',
    said([
      { type: 'text', text: 'done' },
      { type: 'video_url', video_url: { url: MP4 } },
    ]),
    [MP4],
  ],
  ['a content part in camelCase', said([{ type: 'video', videoUrl: { url: MP4 } }]), [MP4]],
  ['storage only', said('Stored at gs://bucket/out/clip-0'), ['gs://bucket/out/clip-0']],
  [
    'generatedSamples',
    {
      name: 'operations/1',
      done: true,
      response: {
        generateVideoResponse: {
          generatedSamples: [{ video: { uri: 'https://c/0' } }, { video: { uri: 'https://c/1' } }],
        },
      },
    },
    ['https://c/0', 'https://c/1'],
  ],
  ['snake generated_videos', { done: true, response: { generated_videos: [{ video: { uri: MP4 } }] } }, [MP4]],
  [
    'videos with gcsUri',
    { done: true, response: { videos: [{ gcsUri: 'gs://b/0.mp4', mimeType: 'video/mp4' }] } },
    ['gs://b/0.mp4'],
  ],
  [
    'videos with bytes',
    { done: true, response: { videos: [{ bytesBase64Encoded: 'AAAAIGZ0eXBpc29t', mimeType: 'video/mp4' }] } },
    ['data:video/mp4;base64,AAAAIGZ0eXBpc29t'],
  ],
  [
    'bytes before storage',
    { done: true, response: { videos: [{ gcs_uri: 'gs://b/0', bytes_base64_encoded: 'AAAAIGZ0eXBpc29t' }] } },
    ['data:video/mp4;base64,AAAAIGZ0eXBpc29t'],
  ],
  ['a task with a url', { id: 'task_1', status: 'completed', url: MP4 }, [MP4]],
  ['a task with metadata', { id: 'task_1', object: 'video', status: 'completed', metadata: { url: MP4 } }, [MP4]],
  [
    'a wrapper',
    {
      code: 'success',
      data: { task_id: 't1', status: 'SUCCESS', data: { video_url: MP4, cover_url: 'https://c/a.jpg' } },
    },
    [MP4],
  ],
  [
    'an odd field',
    { code: 'success', data: { task_id: 't1', status: 'SUCCESS', fail_reason: MP4, action: 'GENERATE' } },
    [MP4],
  ],
  [
    'task_result.videos',
    {
      code: 0,
      data: { task_id: 't', task_status: 'succeed', task_result: { videos: [{ id: 'v', url: MP4, duration: '5' }] } },
    },
    [MP4],
  ],
  [
    'a list of outputs',
    {
      id: 'p',
      status: 'succeeded',
      output: [MP4],
      urls: { get: 'https://api.example/v1/p', cancel: 'https://api.example/v1/p/cancel' },
    },
    [MP4],
  ],
  [
    'creations with covers',
    {
      state: 'success',
      creations: [{ id: '1', url: MP4, cover_url: 'https://c/c.jpg', watermarked_url: 'https://c/w.mp4' }],
    },
    [MP4],
  ],
  [
    'content.video_url beside its last frame',
    { id: 'cgt-1', status: 'succeeded', content: { video_url: MP4, last_frame_url: 'https://c/l.png' } },
    [MP4],
  ],
  ['result JSON as text', { task_id: 't', status: 'SUCCESS', result: `{"video_url":"${MP4}"}` }, [MP4]],
  [
    'a relative address',
    { id: 'v1', status: 'completed', video: { url: '/files/v1.mp4' } },
    ['https://api.example/files/v1.mp4'],
  ],
  [
    'an echo beside the result',
    {
      request: { image: { uri: 'https://ours.example/first.png' }, video: { uri: 'https://other.example/in.mp4' } },
      video: { uri: MP4 },
    },
    [MP4],
  ],
  [
    'typed media',
    {
      state: 'success',
      media: [
        { type: 'image', url: 'https://c/cover' },
        { type: 'video', url: 'https://c/clip' },
      ],
    },
    ['https://c/clip'],
  ],
  [
    'predictions',
    { predictions: [{ gcsUri: 'gs://b/1.mp4' }, { gcsUri: 'gs://b/2.mp4' }] },
    ['gs://b/1.mp4', 'gs://b/2.mp4'],
  ],
  [
    'JSON text within JSON',
    {
      code: 200,
      data: {
        taskId: 't',
        state: 'success',
        param: '{"imageUrl":"https://in/x.png"}',
        resultJson: `{"resultUrls":["${MP4}"]}`,
      },
    },
    [MP4],
  ],
  ['our clip and the new one', { status: 'completed', videos: [{ uri: 'gs://ours/clip.mp4' }, { uri: MP4 }] }, [MP4]],
];

test.each(RESULTS)('result: %s', (_name, body, uris) => {
  expect(parseVideo(body, READING).outputs.map((output) => output.uri)).toEqual(uris);
});

/** Answers without a result, or with none of ours. */
const NO_RESULTS: [string, Json][] = [
  [
    'a status page only',
    said('Queued. [Data Preview](https://pages.example/web/1) | [Raw Data](https://pages.example/source/1)'),
  ],
  ['a task page', said('Follow it at https://studio.example/tasks/abc-123')],
  ['our own first frame', { id: 't', status: 'queued', image: { uri: 'https://ours.example/first.png' } }],
  ['our own source clip', { id: 't', status: 'queued', video: { uri: 'gs://ours/clip.mp4' } }],
  ['an address from our prompt', said('I will make a storm, like https://mood.example/board.mp4')],
  [
    'a hook',
    { task_id: 't', status: 'submitted', hookUrl: 'http://127.0.0.1:9/hooks/j/s', callback_url: 'https://x/y' },
  ],
  ['a polling address', { data: { taskId: 't', pollingUrl: 'https://api.example/v1/x/t' } }],
  ['a cover only', { id: 't', status: 'processing', cover_url: 'https://c/c.mp4', preview_url: 'https://c/p.mp4' }],
  ['an apology', said('I am sorry, I cannot make that.')],
];

test.each(NO_RESULTS)('no result: %s', (_name, body) => {
  expect(parseVideo(body, READING).outputs).toEqual([]);
});

/** Ids, with all their digits. */
const IDS: [string, string, string | undefined][] = [
  ['an operation name', '{"name":"models/veo/operations/abc123"}', 'models/veo/operations/abc123'],
  ['an operation in words', JSON.stringify(said('Started operations/abc-123. Come back later.')), 'operations/abc-123'],
  ['a task id in words', JSON.stringify(said('**Task ID:** `veo3:7a1f-99`')), 'veo3:7a1f-99'],
  ['a bare id as content', JSON.stringify(said('task_01jz9k2m')), 'task_01jz9k2m'],
  ['JSON content', JSON.stringify(said('{"task_id":"t-1","status":"queued"}')), 't-1'],
  ['a wrapper', '{"code":0,"request_id":"r-1","data":{"task_id":9007199254740993123}}', '9007199254740993123'],
  ['taskId with a polling url', '{"data":{"taskId":"abc","pollingUrl":"/v1/x/abc"}}', 'abc'],
  ['a task object', '{"id":"video_123","object":"video","status":"queued"}', 'video_123'],
  ['data as the id', '{"code":200,"data":"task-20250101"}', 'task-20250101'],
  ['a queue', '{"status":"IN_QUEUE","request_id":"req-9","status_url":"https://api.example/q/req-9/status"}', 'req-9'],
  ['a chat answer alone', JSON.stringify(said('Hello there')), undefined],
];

test.each(IDS)('id: %s', (_name, text, id) => {
  expect(parseVideo(parseJson(text) ?? null, READING).id).toBe(id);
});

test.each<[string, Json, object]>([
  [
    'filtered',
    {
      done: true,
      response: { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['unsafe'] } },
    },
    { filtered: { count: 1, reasons: ['unsafe'] }, outputs: [] },
  ],
  [
    'some filtered',
    { done: true, response: { rai_media_filtered_count: 1, videos: [{ uri: MP4 }] } },
    { filtered: { count: 1, reasons: [] } },
  ],
  ['done: false', { name: 'operations/1', done: false }, { taskStatus: { state: 'running' } }],
  [
    'wrapper success, task running',
    { status: 'success', data: { status: 'IN_PROGRESS', progress: '45%' } },
    { taskStatus: { state: 'running' }, progress: 45 },
  ],
  ['prefixed words', { data: { status: 'TASK_STATUS_SUCCEED' } }, { taskStatus: { state: 'succeeded' } }],
  [
    'no error',
    { id: 't', status: 'completed', url: MP4, error: { code: 0, message: 'success' } },
    { serviceError: undefined },
  ],
  [
    'an error',
    { id: 't', status: 'failed', error: { code: 'moderation_blocked', message: 'Blocked' } },
    { serviceError: { message: 'Blocked' }, taskStatus: { state: 'failed' } },
  ],
  [
    'when it ends',
    { id: 't', status: 'completed', video: { url: 'https://c/a.mp4?X-Amz-Date=20250101T000000Z&X-Amz-Expires=3600' } },
    { outputs: [{ expiresAt: Date.UTC(2025, 0, 1, 1) }] },
  ],
])('reads %s', (_name, body, expected) => {
  expect(parseVideo(body, READING)).toMatchObject(expected);
});
