import { Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { costOf, priceFor, quantityOf } from '../../../shared/price.ts';
import type { ChatRequest } from '../../../shared/request.ts';
import { announce, isBehindModal, useActiveProfile, useCall, useKeyHint, useShortcut } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { SetPrice } from '../../media/NoPrice.tsx';
import { Button, ErrorBox, formatCount, Icon, PriceTag, plural, TextArea, WhyOff } from '../../ui/index.ts';
import { type Outgoing, useSend } from './sending.ts';
import { setDraft } from './state.ts';

/** Prices are asked for when typing rests. */
const REST_MS = 350;

/** The box, the price before it is sent, stop while an answer comes. */
export function Composer({ outgoing }: { outgoing: Outgoing }) {
  const { key, draft, off, live } = outgoing;
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const hint = useKeyHint('spend.go');
  const sendNow = useSend(outgoing);
  const box = useRef<HTMLTextAreaElement>(null);
  const send = async () => {
    if (off || busy) return announce(off ?? 'Being sent');
    setBusy(true);
    setError(await sendNow());
    setBusy(false);
  };
  useShortcut('spend.go', (event) => {
    if (!event.repeat && !isBehindModal(box.current)) void send();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is opened to write in it.
  useEffect(() => box.current?.focus(), [key]);
  return (
    <div className="composer">
      {error && (
        <ErrorBox title={error} cures={[{ label: 'Dismiss', onCure: () => setError(undefined) }]}>
          Nothing was sent. Your message is still in the box.
        </ErrorBox>
      )}
      <TextArea
        ref={box}
        aria-label="Message"
        placeholder="Write a message"
        rows={2}
        value={draft.text}
        onValue={(text) => setDraft(key, { text })}
      />
      <div className="row">
        {draft.text.trim() !== '' && off ? <WhyOff>{off}</WhyOff> : <Length outgoing={outgoing} />}
        <span className="grow" />
        <Price outgoing={outgoing} />
        {live && <Stop conversationId={key} />}
        <Button variant="primary" kbd={hint} off={off} busy={busy} onClick={() => void send()}>
          Send
        </Button>
      </div>
    </div>
  );
}

function Length({ outgoing: { draft } }: { outgoing: Outgoing }) {
  return <span className="t3 nums">{draft.text === '' ? '' : plural(draft.text.length, 'character')}</span>;
}

/** A history of this size is not sent along only to ask its price; it is far over what fits anyway. */
const MOST_CHARACTERS = 200_000;

/**
 * What the studio will say, worked out here by the same rules: the price stands there before anybody can press, also while the question
 * is on its way.
 */
function usePriceNow(request: ChatRequest): { estimateNano: number; lowNano: number; unpriced: number } {
  const profile = useActiveProfile();
  const price = priceFor(profile?.prices ?? [], 'chat', request.model);
  if (!price) return { estimateNano: 0, lowNano: 0, unpriced: 1 };
  const cost = costOf(price, quantityOf(request, profile?.limits.outputTokens ?? 0));
  return { estimateNano: cost.nano, lowNano: cost.lowNano, unpriced: 0 };
}

function Price({ outgoing: { draft, request, tokens } }: { outgoing: Outgoing }) {
  const size = request.messages.reduce((sum, { content }) => sum + content.length, 0);
  const ask = draft.text.trim() !== '' && request.model !== '' && size <= MOST_CHARACTERS;
  const now = usePriceNow(request);
  const { data: said, stale } = useCall('ledger.estimate', ask ? { requests: [request] } : null, {
    on: ['profiles.changed'],
    debounceMs: REST_MS,
  });
  if (draft.text.trim() === '' || request.model === '') return null;
  const data = said && !stale ? said : now;
  const all = tokens.system + tokens.thread + tokens.message;
  return (
    <span className="row" aria-live="off">
      <span className="t3 nums about">about {formatCount(all)} in</span>
      <PriceTag nano={data.estimateNano} lowNano={data.lowNano} as="most" unpriced={data.unpriced} />
      {data.unpriced > 0 && <SetPrice kind="chat" />}
    </span>
  );
}

function Stop({ conversationId }: { conversationId: string }) {
  const hint = useKeyHint('page.leave');
  const stop = () => {
    void call('chat.stop', { conversationId });
    announce('Stopped. What had come is kept.');
  };
  useShortcut('page.leave', stop);
  return (
    <Button kbd={hint} onClick={stop}>
      <Icon of={Square} />
      Stop
    </Button>
  );
}
