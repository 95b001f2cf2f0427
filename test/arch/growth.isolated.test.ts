import { expect, test } from 'vitest';
import { countWork } from '../helpers/countWork.ts';
// The counter sees only code that is loaded after it.
import { patternsOfSource } from './patterns.ts';

const { chatReader } = await import('../helpers/gateway/chatReader.ts');
const { parsePartialJson } = await import('../../src/main/core/gateway/json/parse.ts');
const { echoOf, withoutEcho } = await import('../../src/main/core/gateway/exchange/echo.ts');
const { explicitError, serviceErrorOf } = await import('../../src/main/core/gateway/errors/serviceError.ts');
const { taskFromWebhook } = await import('../../src/main/core/gateway/tasks/taskId.ts');
const { parseImage } = await import('../../src/main/core/gateway/families/imageTasks/parsedImage.ts');
const { errorKindOf } = await import('../../src/main/core/gateway/errors/classify.ts');
const { clipsIn, failureIn, linksIn, pagesAmong, taskIdIn } = await import(
  '../../src/main/core/gateway/addresses/links.ts'
);
const { parseVideo } = await import('../../src/main/core/gateway/tasks/video/parsedVideo.ts');
const { retryAfterMs } = await import('../../src/main/core/gateway/errors/retryAfter.ts');
const { createScrubber } = await import('../../src/main/core/secrets/index.ts');

/**
 * Texts that repeat one token, for every token that a pattern of the gateway knows: twice the length must be twice the work. `countWork`
 * counts the branches of our own code and the characters that built-in functions examine, but not the steps inside one match of a regular
 * expression, which `patterns.test.ts` checks.
 */

const scrubber = createScrubber();
scrubber.hide('sk-test-0123456789abcdef');
const context = { base: 'https://api.example', isEcho: () => false };

function readEverywhere(text: string): void {
  const spoken = {
    choices: [{ message: { content: text } }],
    status: text,
    error: { message: text, code: text },
    url: text,
  };
  for (const body of [text, spoken]) {
    parseVideo(body, context);
    parseImage(body, context);
    explicitError(body);
    errorKindOf(serviceErrorOf(body), 500);
    retryAfterMs({ 'retry-after': text }, body, 0, true, text);
  }
  clipsIn(text);
  pagesAmong(linksIn(text));
  taskIdIn(text);
  failureIn(text);
  parsePartialJson(`{"a":"${text}`);
  parsePartialJson(`{"a":${text}`);
  taskFromWebhook(text, { prompt: text, at: 0 });
  echoOf([text]).has(text);
  withoutEcho(text, [text]);
  scrubber.scrub(text);
  const stream = chatReader(() => undefined);
  stream.feed(Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n${text}`));
  stream.end();
}

/** Words, and characters that stand for themselves. */
const tokensIn = (pattern: string): string[] =>
  (pattern.match(/[\p{L}\p{N}]{2,}|\\[^\w]|[^\w\s\\]/gu) ?? []).map((token) => token.replace(/^\\/, ''));

const patterns = patternsOfSource().literals.filter(({ place }) => place.startsWith('src/main/core/'));
const words = [...new Set(patterns.flatMap(({ pattern }) => tokensIn(pattern)))];
const shapes = [
  '](',
  'https://a ',
  '[a](http://a) ',
  'src="a" ',
  'task-1 ',
  'task-a ',
  'operations/a ',
  'models/a/',
  '“a” ',
  '1 s ',
  '[](a:',
  '[](http:',
  'src="',
  '<a',
  '{"',
  '{"a":[',
  '\\"',
  '\t',
  '\n',
  ' ',
  '\r\n',
  'data: {\n',
  '1.',
  '0x',
  '<think>',
  '</think>',
  '```json\n{',
];

/** With batches of this size, work that grows faster than linearly still shows. */
const BATCH = 12;
const batches = Array.from({ length: Math.ceil(words.length / BATCH) }, (_, at) =>
  words.slice(at * BATCH, (at + 1) * BATCH),
);

test('there are tokens to try', () => {
  expect(words.length).toBeGreaterThan(200);
});

async function growth(units: readonly string[], length: number): Promise<number> {
  const work = (long: number): Promise<number> =>
    countWork(() => {
      for (const unit of units) readEverywhere(unit.repeat(Math.ceil(long / unit.length)));
    });
  await work(200);
  return (await work(2 * length)) / (await work(length));
}

test.each(batches.map((batch) => [batch.join(' '), batch] as const))('words and signs: %s', async (_name, batch) => {
  expect(await growth(batch, 3_000)).toBeLessThan(2.2);
});

test.each(shapes)('whole shapes, again and again: %j', async (shape) => {
  expect(await growth([shape], 10_000)).toBeLessThan(2.2);
});
