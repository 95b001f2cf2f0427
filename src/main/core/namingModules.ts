import { namedInChats } from './chat/index.ts';
import type { Exports } from './exports/index.ts';
import { type Engine, namedInJobs } from './jobs/index.ts';
import type { NamingModule } from './library/index.ts';
import { namedInBoards, type Storyboard } from './storyboard/index.ts';

/** What is named there stays, whatever is in the bin. */
export const namingModules = ({
  storyboard,
  engine,
  exports,
}: {
  storyboard: Storyboard;
  engine: Engine;
  exports: Exports;
}): NamingModule[] => [
  { reason: 'board', documents: 'boards', namedIn: namedInBoards, namedInMemory: () => storyboard.namedInHistories() },
  { reason: 'chat', documents: 'conversations', namedIn: namedInChats },
  { reason: 'job', documents: 'jobs', namedIn: namedInJobs, namedInMemory: () => engine.commands.inHand.named() },
  { reason: 'export', filesInUse: () => exports.filesInUse(), filesLinked: () => exports.filesLinked() },
];
