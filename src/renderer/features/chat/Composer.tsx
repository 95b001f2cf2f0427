import { Clapperboard, Square } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { shotTitle } from '../../../shared/board/board.ts';
import { KINDS, priceKindOf } from '../../../shared/kinds/index.ts';
import type { PricedQuantity } from '../../../shared/kinds/pricedQuantity.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { type Price as BookPrice, costOf, priceFor } from '../../../shared/money/price.ts';
import { isBlank } from '../../../shared/text/nulCharacters.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  ActionButton,
  announce,
  focusOnArrival,
  OutcomeLine,
  showRefusal,
  useActiveProfile,
  useCall,
  useProjectId,
  useSpendChord,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import {
  AskedAgain,
  BEING_READ,
  type PriceNow,
  SetPrice,
  shownOf,
  TonightButton,
  useNowOrTonight,
} from '../../spending/index.ts';
import { Button, formatCount, Icon, type Offered, OfferList, TextArea, useOffer, WhyOff } from '../../ui/index.ts';
import styles from './chat.module.css';
import { MessagePrice, NotSent } from './MessagePrice.tsx';
import { AddPictures, DraftPictures } from './Pictures.tsx';
import { type Outgoing, useOfThread, useOutgoing } from './sending.ts';
import { sendMessage, sendNameOf } from './sendMessage.ts';
import { setDraft, useChat } from './state.ts';
import { outcomeOfBox } from './useRecalled.ts';

const REST_MS = 350;

export function Composer() {
  const outgoing = useOutgoing();
  const { key, draft, awaited } = outgoing;
  const projectId = useProjectId();
  const price = useMessagePrice(outgoing);
  const off = outgoing.off ?? price?.off;
  const send = (night: boolean) => () => sendMessage(outgoing, { projectId, shown: price?.shown, night });
  const tonight = { what: t`Send message`, shown: price?.shown, onSend: send(true) };
  const sending = useNowOrTonight({ off, onSend: send(false), tonight, of: sendNameOf(key) });
  const { order, isBusy, isWaiting, night } = sending;
  const box = useRef<HTMLTextAreaElement>(null);
  const shots = useShotsToMention(outgoing.mayDraft);
  const press = () => (sending.off ? announce(sending.off) : order(false));
  const composer = useRef<HTMLDivElement>(null);
  const hint = useSpendChord(composer, press, { isMain: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is opened to write in it.
  useEffect(() => focusOnArrival(box.current), [key]);
  return (
    <div className={`stack pad top-line fixed ${styles.composer}`} ref={composer}>
      {isWaiting && <AskedAgain />}
      <NotSent of={sending} />
      <OutcomeLine place={outcomeOfBox(key)} />
      <DraftPictures draftKey={key} pictures={draft.pictures ?? []} />
      <Box outgoing={outgoing} box={box} shots={shots} />
      <div className="row">
        <MentionButton outgoing={outgoing} box={box} shots={shots} />
        <AddPictures draftKey={key} pictures={draft.pictures ?? []} />
        {!isBlank(draft.text) && off && <WhyOff>{off}</WhyOff>}
        <span className="grow" />
        {price && <Price outgoing={outgoing} shown={price.shown} />}
        {awaited === 'coming' && <Stop conversationId={key} />}
        <Button variant="primary" kbd={hint} off={sending.off} busy={isBusy} onClick={press}>
          {t`Send`}
        </Button>
        <TonightButton night={night} />
      </div>
    </div>
  );
}

interface BoxProps {
  outgoing: Outgoing;
  box: RefObject<HTMLTextAreaElement | null>;
  shots: readonly MentionedShot[];
}

function Box({ outgoing: { key, draft }, box, shots }: BoxProps) {
  const write = (text: string) => setDraft(key, { text });
  const offer = useOffer({ field: box, text: draft.text, items: shots, wordsFor: wordsOfShot, onValue: write });
  return (
    <div className="offers">
      <TextArea
        {...offer.field}
        ref={box}
        aria-label={t`Message`}
        placeholder={t`Write a message`}
        rows={2}
        value={draft.text}
        onValue={write}
      />
      {offer.list && <OfferList label={t`Shots on the board`} list={offer.list} above />}
    </div>
  );
}

function MentionButton({ outgoing: { key, draft }, box, shots }: BoxProps) {
  if (shots.length === 0) return null;
  const mention = () => mentionAt(box.current, draft.text, (text) => setDraft(key, { text }));
  return (
    <Button variant="ghost" title={t`Or type @ in the message`} onClick={mention}>
      <Icon of={Clapperboard} />
      {t`Mention a shot`}
    </Button>
  );
}

/** The quantities that price a message. The history is counted here, so that it need not be sent to get a price. */
function useQuantity({ draft, request }: Outgoing): PricedQuantity | undefined {
  const outputTokens = useActiveProfile()?.limits.outputTokens ?? 0;
  if (isBlank(draft.text) || request.model === '') return undefined;
  return { kind: KINDS.chat.name, model: request.model, quantity: KINDS.chat.most(request, { outputTokens }) };
}

/**
 * The studio's price, computed here by the same rules, so that a price is shown before the button can be pressed, even while the studio's
 * answer is on its way.
 */
function priceHere(prices: readonly BookPrice[], { kind, model, quantity }: PricedQuantity): ShownPrice {
  const price = priceFor(prices, priceKindOf(kind), model);
  if (!price) return { estimateNano: 0, lowNano: 0, unpriced: 1 };
  const cost = costOf(price, quantity);
  return { estimateNano: cost.nano, lowNano: cost.lowNano, unpriced: 0 };
}

/** The price at the button; undefined without a message. Sending is off while a changed price is being read. */
function useMessagePrice(outgoing: Outgoing): Pick<PriceNow, 'shown' | 'off'> | undefined {
  const order = useQuantity(outgoing);
  const prices = useActiveProfile()?.prices ?? [];
  const { data, stale, outdated } = useCall('ledger.estimate', order ? { quantities: [order] } : null, {
    on: ['profiles.changed'],
    debounceMs: REST_MS,
  });
  if (!order) return undefined;
  if (outdated) return { shown: undefined, off: BEING_READ };
  return { shown: data && !stale ? shownOf(data) : priceHere(prices, order), off: undefined };
}

function Price({ outgoing: { tokens }, shown }: { outgoing: Outgoing; shown: ShownPrice | undefined }) {
  const all = tokens.system + tokens.thread + tokens.message;
  return (
    <span className="row" aria-live="off">
      <span className={`t3 nums ${styles.about}`}>{t`About ${formatCount(all)} in`}</span>
      {shown && <MessagePrice shown={shown} />}
      {shown && shown.unpriced > 0 && <SetPrice kind="chat" />}
    </span>
  );
}

function Stop({ conversationId }: { conversationId: string }) {
  const branch = useOfThread((thread) => thread?.branch);
  const stop = async () => {
    const answer = await call('chat.stop', { conversationId, ...(branch ? { branch } : {}) });
    if (answer.ok) announce(t`Stopped. The text so far is kept.`);
    else showRefusal(answer.error);
  };
  return (
    <ActionButton action="page.leave" onDo={() => void stop()}>
      <Icon of={Square} />
      {t`Stop`}
    </ActionButton>
  );
}

interface MentionedShot extends Offered {
  /** The text that represents this shot for a model that cannot read the board. */
  prompt: string;
  title: string;
  number: number;
}

const NO_SHOTS: readonly MentionedShot[] = [];
const MOST_SAID = 300;

/** The shots of the chat's project, or of the project a new chat will be in. */
function useShotsToMention(mayRead: boolean): readonly MentionedShot[] {
  const isNew = useChat((state) => state.selectedId === undefined);
  const own = useOfThread((thread) => thread?.conversation?.projectId);
  const active = useProjectId();
  const projectId = isNew ? active : own;
  const { data } = useCall('storyboard.get', projectId ? { projectId } : null, { on: ['board.changed'] });
  return useMemo(() => {
    if (!projectId || data?.projectId !== projectId) return NO_SHOTS;
    return data.shots.map((shot, index): MentionedShot => {
      const [number, title] = [index + 1, shotTitle(shot)];
      const prompt = mayRead ? '' : shortened(shot.prompt.trim(), MOST_SAID);
      return { id: shot.id, number, title, prompt, name: t`Shot ${number}, ${title}`, note: shot.model };
    });
  }, [data, projectId, mayRead]);
}

const wordsOfShot = ({ number, title, prompt }: MentionedShot): string =>
  prompt === '' || prompt === title ? t`shot ${number} “${title}”` : t`shot ${number} “${title}” (${prompt})`;

/** Inserts the sign at the caret, with a space after a word; typing it opens the list. */
function mentionAt(field: HTMLTextAreaElement | null, text: string, write: (text: string) => void): void {
  if (!field) return;
  const at = field.selectionStart;
  const sign = at > 0 && !/\s/.test(text[at - 1] ?? '') ? ' @' : '@';
  write(`${text.slice(0, at)}${sign}${text.slice(field.selectionEnd)}`);
  field.focus();
  requestAnimationFrame(() => field.setSelectionRange(at + sign.length, at + sign.length));
}
