import { wordingsOf } from '../errors/index.ts';

/** How services say that they do not know a task. */
export const UNKNOWN_TASKS = wordingsOf('poll-errors', [
  ['bfl', 'not found'],
  ['newApi', 'not exist'],
  ['midjourney', '不存在'],
]);

/** How services say that a result is not there yet. */
export const NOT_READY = wordingsOf('poll-errors', [
  ['openai', 'not ready'],
  ['newApi', 'not completed|生成中'],
  ['fal', 'still in progress'],
  ['ownServices', 'still processing|being generated'],
  ['modelsLab', 'is processing'],
  ['tavus', 'being processed'],
  ['tencent', '处理中'],
]);

/** What only the work itself does: an error that names it is no error of a poll. */
export const GENERATION = wordingsOf('poll-errors', [
  ['openai', 'generation|generating'],
  ['kie', 'generate'],
  ['aliyun', 'inference'],
  ['ownServices', '生成失败'],
]);
