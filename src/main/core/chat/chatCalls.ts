import type { HandlersOf } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/contract/result.ts';
import { readInThreadIf, type Store, walksMany } from '../store/index.ts';
import { type Storyboard, unknownProject } from '../storyboard/index.ts';
import type { Chat } from './chat.ts';
import type { ConversationFiles } from './conversationFiles.ts';
import { listConversations } from './conversations.ts';

interface ChatModules {
  store: Store;
  chat: Chat;
  conversationFiles: ConversationFiles;
  storyboard: Pick<Storyboard, 'projects'>;
}

export function chatCalls({ store, chat, conversationFiles, storyboard }: ChatModules): HandlersOf<'chat'> {
  const unknownIn = (input: { projectId?: string | undefined }) =>
    unknownProject(storyboard.projects().projects, input);
  return {
    'chat.create': (input) => unknownIn(input) ?? ok(chat.create(input)),
    'chat.send': (input) => chat.send(input),
    'chat.stop': (input) => chat.stop(input),
    'chat.edit': (input) => chat.edit(input),
    'chat.regenerate': (input) => chat.regenerate(input),
    'chat.continue': (input) => chat.continue(input),
    'chat.branch': (input) => chat.branch(input),
    'chat.activate': (input) => chat.activate(input),
    'chat.branches': (input) => chat.branches(input),
    'chat.set': (input) => chat.set(input),
    'chat.get': (input) => chat.get(input),
    'chat.list': (filter) => readInThreadIf(walksMany(filter), store, (db) => ok(listConversations(db, filter))),
    'chat.remove': ({ conversationId }) => chat.remove(conversationId),
    'chat.export': (input) => conversationFiles.export(input),
    'chat.import': (input) => unknownIn(input) ?? conversationFiles.import(input),
  };
}
