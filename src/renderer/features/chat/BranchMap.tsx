import type { BranchOnMap, BranchSum } from '../../../shared/chat/conversation.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { useCall } from '../../app/index.ts';
import { priceText, Reading, Section } from '../../ui/index.ts';
import { activate } from './branching.ts';
import { useOfThread } from './sending.ts';
import { useChat } from './state.ts';

interface Placed {
  branch: BranchOnMap;
  depth: number;
}

/** Deeper branches are not indented further, to leave room for their text. */
const MOST_DEPTH = 6;

/** Each branch under its parent, oldest first. A branch without a parent is listed on its own. */
export function placed(branches: readonly BranchOnMap[]): Placed[] {
  const ids = new Set(branches.map(({ id }) => id));
  const children = Map.groupBy(branches, ({ parent }) => (parent !== undefined && ids.has(parent) ? parent : ''));
  const seen = new Set<string>();
  const found: Placed[] = [];
  const open = (children.get('') ?? []).map((branch) => ({ branch, depth: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next.branch.id)) continue;
    seen.add(next.branch.id);
    found.push(next);
    const depth = Math.min(MOST_DEPTH, next.depth + 1);
    for (const branch of (children.get(next.branch.id) ?? []).toReversed()) open.push({ branch, depth });
  }
  return [...found, ...branches.filter(({ id }) => !seen.has(id)).map((branch) => ({ branch, depth: 0 }))];
}

export function useBranches(): CallOutput<'chat.branches'> | undefined {
  const conversationId = useChat((state) => state.selectedId);
  const shown = useOfThread((thread) => thread?.branch);
  const ask = conversationId === undefined ? null : { conversationId, ...(shown ? { branch: shown } : {}) };
  return useCall('chat.branches', ask, { on: ['conversation.changed'] }).data;
}

export function BranchCosts({ branches: { branches, way } }: { branches: CallOutput<'chat.branches'> }) {
  const whole = useOfThread((thread) => thread?.conversation);
  return (
    <table className="mini">
      <tbody>
        <tr>
          <td>{t`This branch, ${counted(way.messageCount, 'message')}`}</td>
          <td className="r">{chatCost(way)}</td>
        </tr>
        {whole && (
          <tr>
            <td>{branches.length === 1 ? t`Conversation` : t`All ${branches.length} branches`}</td>
            <td className="r">{chatCost(whole)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

export function BranchMap() {
  const conversationId = useChat((state) => state.selectedId);
  const shown = useOfThread((thread) => thread?.branch);
  const data = useBranches();
  if (conversationId === undefined) return <p className="pad t2">{t`Send a message to start.`}</p>;
  if (!data) return <Reading of={{}} />;
  return (
    <>
      <Section title={t`Branches`}>
        <ul className="lines">
          {placed(data.branches).map(({ branch, depth }, index) => (
            <li key={branch.id}>
              <button
                type="button"
                style={{ paddingLeft: 8 + 14 * depth }}
                aria-current={branch.id === shown || undefined}
                onClick={() => void activate(conversationId, branch.id)}
              >
                <span className="cut grow">{branch.title || t`Branch ${index + 1}`}</span>
                <span className="t3 nums">{chatCost(branch)}</span>
              </button>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t`Cost`}>
        <BranchCosts branches={data} />
        <p className="t3">{t`Other branches are not sent.`}</p>
      </Section>
    </>
  );
}

/** The charged cost of a chat or branch, followed by the unconfirmed amount if there is one. */
export function chatCost({ chargedNano, uncertainNano, unpriced }: Omit<BranchSum, 'messageCount'>): string {
  const charged = priceText(chargedNano, undefined, 'range', unpriced);
  return uncertainNano > 0 ? t`${charged}, ${formatNano(uncertainNano)} unconfirmed` : charged;
}
