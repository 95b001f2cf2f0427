export {
  type CalledTools,
  calledTools,
  hasConversation,
  jobOfMessage,
  messageOfJob,
  messagesUpTo,
  saveToolResults,
  toolResultsOf,
} from './calledTools.ts';
export { Chat } from './chat.ts';
export { ChatFiles } from './chatFiles.ts';
export { foundMessages } from './foundMessages.ts';
export { namedInChats } from './namedInChats.ts';
export { isChatOf, writeOutsideCall } from './outsideChat.ts';
