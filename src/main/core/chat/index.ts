export { noSuchConversation } from './asking.ts';
export { Chat } from './chat.ts';
export { chatCalls } from './chatCalls.ts';
export { ConversationFiles } from './conversationFiles.ts';
export { foundMessages, namedInChats } from './conversations.ts';
export {
  type CalledTools,
  calledTools,
  hasConversation,
  isChatOf,
  jobOfMessage,
  messageOfJob,
  messagesUpTo,
  saveToolResults,
  toolResultsOf,
  writeOutsideCall,
} from './outsideChat.ts';
