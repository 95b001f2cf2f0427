import type { CallParsed } from '../../shared/contract/contract.ts';
import { Director, type DirectorDeps } from './director/index.ts';
import type { Ports } from './ports.ts';
import type { Profiles } from './profiles/index.ts';
import { QuoteBook, Quotes } from './quotes/index.ts';

/** The director and the quotes: drafts are approved through theirs, as are the orders of programs outside. */
export function createDirector({
  ports,
  profiles,
  ...parts
}: Omit<DirectorDeps, 'quotes' | 'activeProfile'> & { ports: Ports; profiles: Profiles }): {
  director: Director;
  quotes: Quotes;
} {
  const activeProfile = () => profiles.active();
  const director = new Director({ ...parts, activeProfile, quotes: new QuoteBook(parts.clock) });
  const drafts = {
    approve: (input: CallParsed<'director.approve'>) => director.approve(input),
    decline: (ids: readonly string[]) => director.decline(ids),
  };
  return { director, quotes: new Quotes({ ...parts, profiles, drafts, random: () => ports.random() }) };
}
