import { foundation } from './0001-foundation.ts';
import { night } from './0002-night.ts';
import { downloadState } from './0003-download-state.ts';
import { stated } from './0004-stated.ts';
import { revisions } from './0005-revisions.ts';
import { play } from './0006-play.ts';
import { listed } from './0007-listed.ts';
import { mismatches } from './0008-mismatches.ts';
import { refusals } from './0009-refusals.ts';
import { remembered } from './0010-remembered.ts';
import { shortOfMoney } from './0011-short-of-money.ts';
import { ended } from './0012-ended.ts';
import { unpricedConversations } from './0013-unpriced-conversations.ts';

export interface Migration {
  version: number;
  name: string;
  ddl: string;
}

/** Every migration there is, in order. A released one is never changed; a change is a new one. */
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
];
