import type { Answer } from '../exchange/index.ts';
import { field, isObject, textOf } from '../json/index.ts';
import { serviceErrorOf } from './serviceError.ts';

/** As new-api and OpenAI write it, gin, Express and NestJS. A model's own 404 says nothing about the route. */
const WORDS = /^invalid url \((get|post) \/|^404 page not found$|(?:^|<pre>)cannot (get|post) \//i;

/** Whether a sentence says that there is no such route. */
export const saysNoRoute = (message: string): boolean => WORDS.test(message.trim());

/** Whether an answer says that nothing is at its path: whatever was sent there, nothing was made of it. */
export function isNoSuchRoute({ status, json, text }: Pick<Answer, 'status' | 'json' | 'text'>): boolean {
  if (status === 405) return true;
  if (status !== 404) return false;
  // Starlette and FastAPI say only this.
  if (isObject(json) && Object.keys(json).length === 1 && textOf(field(json, 'detail')) === 'Not Found') return true;
  return saysNoRoute(serviceErrorOf(json ?? text.trim()).message) || saysNoRoute(text.slice(0, 500));
}
