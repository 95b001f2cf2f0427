import { expect, test } from 'vitest';
import { echoOf } from '../../exchange/echo.ts';
import { type Json, parseJson } from '../../json/parse.ts';
import { parseImage } from './parsedImage.ts';

const SENT = echoOf(['https://ours.example/ref.png a hill --v 7', 'http://127.0.0.1:9/hooks/j/s']);
const READING = { base: 'https://api.example', isEcho: SENT.has };
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((name) => `https://cdn.example/${name}.png`) as [
  string,
  string,
  string,
  string,
];
const GRID = 'https://cdn.example/sheet.png';
const OTHER = 'https://media.chat.example/sheet.png';

/** Answers to a fetch, and the pictures in them: outputs, then the grid. */
const PICTURES: [string, Json, string[], string?][] = [
  ['cdnImage alone', { cdnImage: A }, [A]],
  ['cdnImage and another host', { chatImage: OTHER, cdnImage: A }, [A]],
  // new-api, MjForwardUrl, before its own address is set.
  [
    'the place of a gateway that does not know its own address',
    { status: 'SUCCESS', imageUrl: 'http://localhost:3000/mj/image/17' },
    ['https://api.example/mj/image/17'],
  ],
  ['imageUrl as text', { status: 'SUCCESS', imageUrl: A }, [A]],
  ['imageUrl as object', { status: 'SUCCESS', image_url: { url: A } }, [A]],
  ['four singles', { status: 'SUCCESS', imageUrls: [A, B, C, D] }, [A, B, C, D]],
  ['singles as objects', { images: [{ url: A, thumbnail: 'https://t/1.png' }, { url: B }] }, [A, B]],
  ['a sheet and its singles', { cdnImage: GRID, chatImage: OTHER, imageUrls: [A, B, C, D] }, [A, B, C, D], GRID],
  ['a sheet by name', { gridUrl: GRID, images: [A, B, C, D] }, [A, B, C, D], GRID],
  [
    'a sheet in the list',
    { images: ['https://cdn.example/x/grid_0.webp', A, B, C, D] },
    [A, B, C, D],
    'https://cdn.example/x/grid_0.webp',
  ],
  [
    'a sheet in a typed list',
    {
      images: [
        { type: 'grid', url: GRID },
        { type: 'single', url: A },
        { type: 'single', url: B },
      ],
    },
    [A, B],
    GRID,
  ],
  ['a sheet that leads the list', { imageUrl: GRID, images: [GRID, A, B, C, D] }, [A, B, C, D], GRID],
  ['a sheet in a list of one', { images: [GRID], imageUrls: [A, B, C, D] }, [A, B, C, D], GRID],
  ['two lists of the same', { cdnImages: [A, B], imageUrls: ['https://o/a.png', 'https://o/b.png'] }, [A, B]],
  ['a list of one and its copy', { cdnImage: A, imageUrls: ['https://o/a.png'] }, [A]],
  ['the same twice', { images: [A, A, B] }, [A, B]],
  ['a wrapper', { code: 1, data: { status: 'SUCCESS', imageUrl: A } }, [A]],
  ['a list as data', { created: 1, data: [{ url: A }, { url: B }] }, [A, B]],
  [
    'bytes',
    { created: 1, data: [{ b64_json: 'iVBORw0KGgoAAAANSUhEUg' }] },
    ['data:image/png;base64,iVBORw0KGgoAAAANSUhEUg'],
  ],
  ['task_result', { data: { task_status: 'succeed', task_result: { images: [{ index: 0, url: A }] } } }, [A]],
  ['an odd field', { status: 'SUCCESS', fail_reason: A }, [A]],
  ['a relative address', { imageUrl: '/img/a.png' }, ['https://api.example/img/a.png']],
  [
    'echoes and buttons',
    {
      prompt: 'https://ours.example/ref.png a hill',
      promptImage: 'https://ours.example/ref.png',
      hookUrl: 'http://127.0.0.1:9/hooks/j/s',
      imageUrl: A,
      buttons: [{ emoji: 'x', url: 'https://b/c.png' }],
    },
    [A],
  ],
  ['a reference from our prompt', { imageUrl: 'https://ours.example/ref.png' }, []],
  ['a thumbnail only', { status: 'SUBMITTED', thumbnailUrl: A }, []],
];

test.each(PICTURES)('pictures: %s', (_name, body, outputs, grid) => {
  const found = parseImage(body, READING).outputs;
  expect(found.filter((output) => output.role === 'output').map((output) => output.uri)).toEqual(outputs);
  expect(found.filter((output) => output.role === 'grid').map((output) => output.uri)).toEqual(
    grid === undefined ? [] : [grid],
  );
});

/** Answers to a submit, as text, and the id in them. */
const IDS: [string, string, string | undefined][] = [
  ['a bare number', '1740000000000000001', '1740000000000000001'],
  ['a number beyond 2^53', '98765432109876543210', '98765432109876543210'],
  ['a JSON text', '"3f2a-77"', '3f2a-77'],
  ['plain text', '3f2a-77', '3f2a-77'],
  ['jobId', '{"jobId":"3f2a"}', '3f2a'],
  ['a number as jobId', '{"jobId":9007199254740993}', '9007199254740993'],
  ['nested job_id', '{"data":{"job_id":"3f2a"},"status":"SUCCESS"}', '3f2a'],
  ['an accepted code', '{"code":1,"description":"Submit success","result":"1320098173412546"}', '1320098173412546'],
  [
    'a number as result',
    '{"code":22,"description":"In queue","result":98765432109876543210,"properties":{"n":3}}',
    '98765432109876543210',
  ],
  ['id in a list', '{"data":[{"task_id":"t-5"}]}', 't-5'],
  ['words', '"OK"', undefined],
  ['a message', '{"message":"ok"}', undefined],
];

test.each(IDS)('id: %s', (_name, text, id) => {
  expect(parseImage(parseJson(text) ?? text, READING).id).toBe(id);
});

test.each<[string, Json, object]>([
  ['queue full', { code: 23, description: 'Queue is full', result: '' }, { refusal: { kind: 'rate_limit' } }],
  [
    'banned prompt',
    { code: 24, description: 'Banned word', properties: { bannedWord: 'x' } },
    { refusal: { kind: 'moderation' } },
  ],
  ['no account', { code: 3, description: 'No available account instance' }, { refusal: { kind: 'server' } }],
  ['invalid', { code: 4, description: 'prompt cannot be empty' }, { refusal: { kind: 'invalid' } }],
  ['no quota', { code: 4, description: 'quota_not_enough: insufficient quota' }, { refusal: { kind: 'quota' } }],
  ['saturated', { code: 30, description: 'Upstream saturated' }, { refusal: { kind: 'rate_limit' } }],
  ['accepted', { code: 1, description: 'ok', result: '132' }, { refusal: undefined, serviceError: undefined }],
  ['known already', { code: 21, description: 'Exists already', result: '132' }, { serviceError: undefined, id: '132' }],
  [
    'a refusal in a wrapper',
    { success: false, message: 'model not allowed' },
    { serviceError: { message: 'model not allowed' } },
  ],
])('code: %s', (_name, body, expected) => {
  expect(parseImage(body, READING)).toMatchObject(expected);
});

test.each<[Json, string | undefined, number | undefined]>([
  [{ status: 'NOT_START', progress: '0%' }, 'running', 0],
  [{ status: 'SUBMITTED', progress: '' }, 'running', undefined],
  [{ status: 'IN_PROGRESS', progress: '45%' }, 'running', 45],
  [{ status: 'PENDING_QUEUE', progress: null }, 'running', undefined],
  [{ status: 'ON_QUEUE', progress: '65' }, 'running', 65],
  [{ status: 'MODAL', progress: 0.5 }, 'running', 50],
  [{ status: 'SUCCESS', progress: '100%' }, 'succeeded', 100],
  [{ status: 'FAILURE', progress: 'failed' }, 'failed', undefined],
  [{ status: 'FAILED', progress: 30 }, 'failed', 30],
  [{ status: '', progress: 'waiting to start' }, undefined, undefined],
])('%j stands at %s, %s', (body, state, progress) => {
  const read = parseImage(body, READING);
  expect(read.taskStatus.state).toBe(state);
  expect(read.progress).toBe(progress);
});
