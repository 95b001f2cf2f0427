import type { SearchHit } from '../../../shared/search/searchCall.ts';
import { counted, t } from '../../../shared/texts.ts';
import { useCall } from '../../app/index.ts';
import { activate } from './branching.ts';
import styles from './chat.module.css';
import { pick, useChat } from './state.ts';

const MOST = 60;
const REST_MS = 200;

/** What was said in any chat, in any branch, that holds the words. */
export function Hits({ words }: { words: string }) {
  const { data } = useCall('search.all', { text: words, types: ['message'], limit: MOST }, { debounceMs: REST_MS });
  const hits = data?.hits ?? [];
  if (hits.length === 0) return null;
  const chats = Map.groupBy(hits, ({ conversationId = '' }) => conversationId);
  const count = data?.nextCursor
    ? t`Newest ${counted(hits.length, 'hit')} in ${counted(chats.size, 'chat')}`
    : t`${counted(hits.length, 'hit')} in ${counted(chats.size, 'chat')}`;
  return (
    <section className={`${styles.hits} scroll`} aria-label={t`Messages found`}>
      <p className="t3 pad" role="status">
        {count}
      </p>
      {[...chats].map(([id, found]) => (
        <div key={id} className={styles.hitsOf}>
          <h3 className="cut">{found[0]?.title}</h3>
          {found.map((hit) => (
            <button key={hit.id} type="button" className={styles.hl} onClick={() => void jumpTo(hit)}>
              <span className="t3">{hit.role === 'user' ? t`You` : t`Model`}</span>
              <Snippet hit={hit} />
            </button>
          ))}
        </div>
      ))}
    </section>
  );
}

function Snippet({ hit: { snippet, found } }: { hit: SearchHit }) {
  if (!found) return <span>{snippet}</span>;
  return (
    <span>
      {snippet.slice(0, found.start)}
      <mark className={styles.hit}>{snippet.slice(found.start, found.end)}</mark>
      {snippet.slice(found.end)}
    </span>
  );
}

/** Opens the branch in which it was said, at the message. */
async function jumpTo({ conversationId, branch, id }: SearchHit): Promise<void> {
  if (conversationId === undefined) return;
  useChat.setState({ jumpTo: id });
  pick(conversationId);
  if (branch) await activate(conversationId, branch);
}
