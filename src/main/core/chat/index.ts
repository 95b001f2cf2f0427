export { Chat } from './chat.ts';
export { ChatFiles } from './chatFiles.ts';
export { foundMessages } from './foundMessages.ts';
