import { wordingsOf } from '../errors/index.ts';

/** How services say that they do not know a task. */
export const UNKNOWN_TASKS = wordingsOf('poll-errors', [
  ['bfl', 'not found'],
  ['newApi', 'not exist*'],
  ['midjourney', '不存在'],
  ['minimax', 'invalid task id'],
  ['taskPrograms', 'not be found|cannot be found|notfound|no such|doesn t exist|doesnot exist*|未找到'],
  ['taskPrograms', 'unknown task*|unknown job*|unknown operation|unknown video|unknown id|no task*|no job*|no record*'],
  ['taskPrograms', 'invalid id|invalid job id|invalid operation id|invalid video id'],
  ['taskPrograms', 'bad id|bad task id|bad job id|bad operation id|bad video id'],
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
