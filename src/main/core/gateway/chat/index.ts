/** Chat: a request, and its answer put together from its chunks. */

export { applyEvent, ChatAssembly } from './assembly.ts';
export { choicesIn, finishOf, partsOf } from './chunk.ts';
export { chat } from './submitChat.ts';
export { blockedPrompt } from './vendorShapes.ts';
