import { type ReadDb, type Store, sql, unwatched, whereThereIsRoom } from '../store/index.ts';
import type { ClipFacts } from './clipFacts.ts';
import { clipFactsInProcess } from './inspector.ts';

const byHash = sql('clipFacts.byHash', 'SELECT facts FROM clip_facts WHERE sha256 = $sha256');
const save = sql(
  'clipFacts.save',
  'INSERT INTO clip_facts (sha256, facts) VALUES ($sha256, $facts) ON CONFLICT DO UPDATE SET facts = $facts',
);

function knownFacts(db: ReadDb, sha256: string): ClipFacts | undefined {
  const row = db.one<{ facts: string }>(byHash, { sha256 });
  const facts = row && (JSON.parse(row.facts) as ClipFacts);
  // Older versions read less of a clip.
  return facts?.video && facts.joining?.late === undefined ? undefined : facts;
}

/** What a local clip is made of, read once for each content; `null` if it cannot be read now. */
export async function clipFactsOf(store: Store, sha256: string, file: string): Promise<ClipFacts | null> {
  const known = knownFacts(store.read, sha256);
  if (known) return known;
  const facts = await clipFactsInProcess(file);
  const keep = () => store.transaction((db) => db.run(save, { sha256, facts: JSON.stringify(facts) }));
  // It is read again where it could not be kept, and changes nothing of what asked for it.
  if (facts) whereThereIsRoom(() => unwatched(keep));
  return facts;
}
