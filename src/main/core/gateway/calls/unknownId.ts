import type { Fault } from '../decode/fault.ts';

/** The service says that it does not know the task, which right after an order may still change. */
export function isUnknownId(fault: Fault): boolean {
  const text = [fault.message, ...fault.words].join(' ').toLowerCase();
  return fault.code === 404 || UNKNOWN.test(text);
}

const UNKNOWN =
  /not[ _]?(be )?found|no such|does ?n[o']t exist|not[ _]exist|unknown (task|job|id|operation|video)|(invalid|bad) (task|job|operation|video)?[ _]?id|no (task|job|record)|不存在|未找到/;
