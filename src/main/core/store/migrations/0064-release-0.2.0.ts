import { chat } from './release-0.2.0/chat.ts';
import { jobs } from './release-0.2.0/jobs.ts';
import { library } from './release-0.2.0/library.ts';
import { money } from './release-0.2.0/money.ts';
import { studio, words } from './release-0.2.0/studio.ts';

/** What 0.2.0 keeps more than 0.1.0. Triggers keep sums and copied values, so that no statement can forget them. */
export const release: readonly string[] = [jobs, money, chat, words, library, studio];
