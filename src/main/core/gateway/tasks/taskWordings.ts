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
  ['taskPrograms', 'invalid taskid|invalid jobid'],
  ['taskPrograms', 'bad id|bad task id|bad job id|bad operation id|bad video id'],
]);

/** How services say that a result is not there yet. */
export const NOT_READY = wordingsOf('poll-errors', [
  ['openai', 'not ready'],
  ['newApi', 'not complete*|生成中'],
  ['fal', 'still in progress'],
  ['ownServices', 'still process*|being generat*'],
  ['modelsLab', 'is process*'],
  ['tavus', 'being process*'],
  ['tencent', '处理中'],
  ['taskPrograms', 'not yet ready|not yet complete*|not finish*|not yet finish*|not done|not yet done'],
  ['taskPrograms', 'not generated|not yet generated|未完成'],
  ['taskPrograms', 'still being*|being render*|being prepared|being upload*'],
  ['taskPrograms', 'still in queue|still in the queue|still running|still pending|still queue*'],
  ['taskPrograms', 'is in process*|still in process*|currently in process*|being queue*'],
  ['taskPrograms', 'is in pending|still in pending|is in running|still in running'],
  ['taskPrograms', 'still generat*|still render*|still upload*'],
  ['taskPrograms', 'is in progress|is in queue|is in the queue|is running|is pending|is queue*|is generat*'],
  ['taskPrograms', 'currently in progress|currently in queue|currently running|currently pending|currently queue*'],
  ['taskPrograms', 'currently process*|currently generat*'],
]);

/** What only the work itself does: an error that names it is no error of a poll. */
export const GENERATION = wordingsOf('poll-errors', [
  ['openai', 'generation|generating'],
  ['kie', 'generate'],
  ['aliyun', 'inference'],
  ['ownServices', '生成|render*|diffusion'],
]);
