import { randomBytes, randomInt } from 'node:crypto';

/** Ids are random, so that they are unique over restarts and cannot be guessed: media addresses need no key. */
const token = (bytes: number) => randomBytes(bytes).toString('base64url').replaceAll('-', 'a').replaceAll('_', 'b');

export const newOperationName = () => `operations/${token(15)}`;
export const newCompletionId = () => `chatcmpl-${token(18)}`;
export const newToolCallId = () => `call_${token(15)}`;
export const newMediaId = () => randomBytes(16).toString('hex');
export const newRequestId = () => `req_${randomBytes(12).toString('hex')}`;

/** Nineteen digits, as at gateways of this family: more than a double can hold, so clients must keep it as text. */
export const newTaskId = () => `${randomInt(1, 10)}${digits(9)}${digits(9)}`;

const digits = (count: number) => String(randomInt(0, 10 ** count)).padStart(count, '0');
