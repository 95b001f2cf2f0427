export { Chat } from './chat.ts';
export { foundMessages } from './foundMessages.ts';
