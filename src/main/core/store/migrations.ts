import { foundation } from './migrations/0001-foundation.ts';
import { night } from './migrations/0002-night.ts';
import { downloadState } from './migrations/0003-download-state.ts';
import { stated } from './migrations/0004-stated.ts';
import { revisions } from './migrations/0005-revisions.ts';
import { play } from './migrations/0006-play.ts';
import { listed } from './migrations/0007-listed.ts';
import { mismatches } from './migrations/0008-mismatches.ts';
import { refusals } from './migrations/0009-refusals.ts';
import { remembered } from './migrations/0010-remembered.ts';
import { shortOfMoney } from './migrations/0011-short-of-money.ts';
import { ended } from './migrations/0012-ended.ts';
import { unpricedConversations } from './migrations/0013-unpriced-conversations.ts';
import { release } from './migrations/0064-release-0.2.0.ts';

export interface Migration {
  version: number;
  name: string;
  /** The parts of a long one are told as steps. */
  ddl: string | readonly string[];
}

/**
 * Every migration there is, in order. A released one is never changed; a change is a new one. The versions 14 to 63 were those of
 * development builds.
 */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'foundation', ddl: foundation },
  { version: 2, name: 'night', ddl: night },
  { version: 3, name: 'downloadState', ddl: downloadState },
  { version: 4, name: 'stated', ddl: stated },
  { version: 5, name: 'revisions', ddl: revisions },
  { version: 6, name: 'play', ddl: play },
  { version: 7, name: 'listed', ddl: listed },
  { version: 8, name: 'mismatches', ddl: mismatches },
  { version: 9, name: 'refusals', ddl: refusals },
  { version: 10, name: 'remembered', ddl: remembered },
  { version: 11, name: 'shortOfMoney', ddl: shortOfMoney },
  { version: 12, name: 'ended', ddl: ended },
  { version: 13, name: 'unpricedConversations', ddl: unpricedConversations },
  { version: 64, name: 'release-0.2.0', ddl: release },
];
