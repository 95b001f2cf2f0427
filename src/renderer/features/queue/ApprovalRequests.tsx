import { MessageSquare, PlugZap } from 'lucide-react';
import { useId, useState } from 'react';
import { kindOf, priceKindOf, promptOf } from '../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import type { Quote } from '../../../shared/money/quote.ts';
import { safeProgramName } from '../../../shared/text/safeProgramName.ts';
import { safeName, shownJson } from '../../../shared/text/safeText.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, hashOf, useAction, useCall, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { NoPrice, PriceLine, SpendDialog, sendOnce } from '../../spending/index.ts';
import {
  Button,
  formatCount,
  formatStamp,
  Icon,
  Panel,
  PriceTag,
  plural,
  Reading,
  Refusal,
  rich,
  TextAction,
  TextArea,
} from '../../ui/index.ts';
import styles from './approvalRequests.module.css';
import queueStyles from './queue.module.css';

/**
 * Requests of programs and models: who asks, what would be sent and its price. Only a press here, or in the chat of a draft, sends one.
 * Hidden if there is none.
 */
export function ApprovalRequests() {
  // The dialog stays open although its row disappears: a request that expired before the press reports it in the dialog.
  const [looked, setLooked] = useState<Quote>();
  return (
    <>
      <RequestList onLook={setLooked} />
      {looked && <ApproveQuote quote={looked} onClose={() => setLooked(undefined)} />}
    </>
  );
}

function RequestList({ onLook }: { onLook: (quote: Quote) => void }) {
  const read = useCall('quotes.list', { state: 'open', limit: 200 }, { on: ['quotes.changed'] });
  const { data, error } = read;
  const outside = data?.quotes.filter(({ asker }) => 'client' in asker) ?? [];
  const chats = Map.groupBy(data?.quotes ?? [], ({ asker }) => ('client' in asker ? '' : asker.conversationId));
  chats.delete('');
  // The list has only the first 200.
  const more = (data?.open ?? 0) - (data?.quotes.length ?? 0);
  const label = useId();
  if (!data && error) return <Reading of={read} />;
  if (outside.length === 0 && chats.size === 0) return null;
  return (
    <Panel label={t`Approval requests`} className={`${queueStyles.side} ${styles.requests}`}>
      <div className="bar">
        <Icon of={PlugZap} />
        <h2 id={label}>{t`Approval requests`}</h2>
        <span className="t3 cut">{t`${formatCount(data?.open ?? 0)} open`}</span>
      </div>
      <ul className="scroll" aria-labelledby={label}>
        {outside.map((quote) => (
          <Asked key={quote.id} quote={quote} onLook={() => onLook(quote)} />
        ))}
        {[...chats].map(([id, quotes]) => (
          <ChatDrafts key={id} conversationId={id} quotes={quotes} />
        ))}
        {more > 0 && <li className="t3">{t`${formatCount(more)} more`}</li>}
      </ul>
    </Panel>
  );
}

const shownOf = ({ estimateNano, lowNano, unpriced }: Quote): ShownPrice => ({
  estimateNano,
  lowNano,
  unpriced: unpriced ? 1 : 0,
});

const titleOf = ({ request }: Quote): string =>
  safeName(shortened(promptOf(request).trim() || kindOf(request).words.title, 120));

/** The name is what the program calls itself. */
const nameOf = ({ asker }: Quote): string => ('client' in asker ? safeProgramName(asker.client) : t`A model`);

/** The mark distinguishes programs with the same name. */
const markOf = ({ asker }: Quote): string => ('client' in asker && asker.mark !== undefined ? `(${asker.mark})` : '');

const askerOf = (quote: Quote): string => `${nameOf(quote)} ${markOf(quote)}`.trim();

function Asked({ quote, onLook }: { quote: Quote; onLook: () => void }) {
  const { refusal, run } = useAction();
  const title = titleOf(quote);
  const decline = async () => {
    const answer = await run(call('quotes.decline', { id: quote.id }));
    if (answer.ok) announce(t`Declined. Nothing was sent.`);
  };
  return (
    <li className="stack pad bottom-line" aria-label={t`${askerOf(quote)} asks for ${title}`}>
      <div className="row">
        <span className="col grow">
          <b className="cut">{title}</b>
          <span className="t3 row">
            <q className="cut">{nameOf(quote)}</q>
            <span className="nw">{[markOf(quote), kindOf(quote.request).words.title].filter(Boolean).join(' · ')}</span>
          </span>
        </span>
        <PriceTag nano={quote.estimateNano} lowNano={quote.lowNano} unpriced={quote.unpriced} />
      </div>
      <div className="row">
        <Button onClick={onLook} aria-label={t`Approve… ${title}`}>
          {t`Approve…`}
        </Button>
        <TextAction aria-label={t`Decline ${title}`} onClick={() => void decline()}>
          {t`Decline`}
        </TextAction>
        {quote.expiresAt !== undefined && (
          <span className={`t3 cut ${styles.until}`}>{t`Valid until ${formatStamp(quote.expiresAt)}`}</span>
        )}
      </div>
      <Refusal text={refusal} />
    </li>
  );
}

/** The request exactly as it would be sent, with its price at the button. */
function ApproveQuote({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const gateway = useStudio(
    (state) => state.profiles?.find(({ id }) => id === quote.profileId)?.name ?? quote.profileId,
  );
  const isActive = useStudio((state) => state.activeProfileId === quote.profileId);
  const order = (night: boolean) => async () => {
    const input = { id: quote.id, shown: shownOf(quote), ...(night ? { night } : {}) };
    const answer = await sendOnce('quotes.approve', input, { payers: [quote.profileId] });
    if (answer.ok) announce(night ? t`Scheduled overnight` : t`Approved`);
    return answer.ok ? undefined : answer.error;
  };
  const off = isActive ? undefined : t`Switch to ${gateway} first.`;
  const tonight = { what: titleOf(quote), shown: shownOf(quote), payer: quote.profileId, onSend: order(true) };
  const price = (
    <>
      <PriceLine what={plural(1, 'request')} price={shownOf(quote)} profileId={quote.profileId} />
      {quote.unpriced && <NoPrice kind={priceKindOf(quote.request)} profileId={quote.profileId} />}
    </>
  );
  return (
    <SpendDialog label={t`Approve`} off={off} onSend={order(false)} tonight={tonight} onClose={onClose} price={price}>
      <Order quote={quote} gateway={gateway} />
    </SpendDialog>
  );
}

function Order({ quote, gateway }: { quote: Quote; gateway: string }) {
  const project = useStudio((state) => state.projects.find(({ id }) => id === quote.projectId)?.name);
  const until = quote.expiresAt;
  const asker = <q key="asker">{askerOf(quote)}</q>;
  return (
    <div className="stack">
      <p>
        {project
          ? rich`${asker} asks for this in ${safeName(project)}, at ${gateway}.`
          : rich`${asker} asks for this at ${gateway}.`}{' '}
        {until !== undefined && t`Valid until ${formatStamp(until)}`}{' '}
        {t`The program’s name is not verified. Only this request is sent, at this price.`}
      </p>
      <TextArea
        className="mono"
        readOnly
        rows={8}
        aria-label={t`Request preview`}
        value={shownJson(JSON.stringify(quote.request, null, 2))}
        onValue={() => undefined}
      />
      {quote.files.length > 0 && (
        <p className="t3">
          {plural(quote.files.length, 'file')}:{' '}
          {quote.files.map(({ field, sha256 }) => `${field} ${sha256.slice(0, 12)}…`).join(', ')}
        </p>
      )}
      <p className="t3 mono">{quote.id.slice(0, 24)}…</p>
    </div>
  );
}

/** The drafts of a chat. They are approved there, together with their starting frames. */
function ChatDrafts({ conversationId, quotes }: { conversationId: string; quotes: readonly Quote[] }) {
  const sum = (key: 'estimateNano' | 'lowNano') => quotes.reduce((all, quote) => all + quote[key], 0);
  const unpriced = quotes.filter((quote) => quote.unpriced).length;
  return (
    <li className="stack pad bottom-line" aria-label={t`${counted(quotes.length, 'draft')} in a chat`}>
      <div className="row">
        <Icon of={MessageSquare} />
        <span className="cut grow">{t`${counted(quotes.length, 'draft')} in a chat`}</span>
        <PriceTag nano={sum('estimateNano')} lowNano={sum('lowNano')} unpriced={unpriced} />
        <a className="lnk nw" href={hashOf('chat', { conversation: conversationId })}>
          {t`Open the chat`}
        </a>
      </div>
    </li>
  );
}
