import type { Fault } from '../decode/fault.ts';

/** The service says that it does not know the task, which right after an order may still change. */
export function isUnknownId(fault: Fault): boolean {
  const text = [fault.message, ...fault.words].join(' ').toLowerCase();
  return fault.code === 404 || UNKNOWN.test(text);
}

/** The same, said of the task itself: a failed task may have missed a picture of its own. */
export function isUnknownTask(fault: Fault): boolean {
  return (
    isUnknownId(fault) && /\b(task|job|operation|record|id)\b|任务/i.test([fault.message, ...fault.words].join(' '))
  );
}

const UNKNOWN =
  /not[ _]?(be )?found|no such|does ?n[o']t exist|not[ _]exist|unknown (task|job|id|operation|video)|(invalid|bad) (task|job|operation|video)?[ _]?id|no (task|job|record)|不存在|未找到/;

/** `status: "error"`, `"fail"` or `"timeout"` around an answer that names no task speaks of the call, not of the task. */
export function isCallWord(word: string | undefined): boolean {
  return /^(err|fail$|time)/i.test(word ?? '');
}
