export { noSuchConversation } from './answerRequests.ts';
export { Chat } from './chat.ts';
export { chatCalls } from './chatCalls.ts';
export { ConversationFiles } from './conversationFiles.ts';
export { foundMessages, referencedInChats } from './conversations.ts';
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
  writeProgramCall,
} from './programChat.ts';
