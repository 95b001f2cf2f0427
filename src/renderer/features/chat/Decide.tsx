import { type RefObject, useLayoutEffect, useRef } from 'react';
import { canBeApproved, type Draft, sumOfDrafts } from '../../../shared/chat/director/draft.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, MoneyPlate, useKeyHint, useSpendChord } from '../../app/index.ts';
import { AskedAgain, TonightButton, useKeyOff, useNowOrTonight, useSpend, useSpendKey } from '../../spending/index.ts';
import { Button, PriceTag, plural, priceText, WhyOff } from '../../ui/index.ts';
import { approve, nameOf, whyNotApproved } from './drafted.ts';
import styles from './drafts.module.css';
import { NotSent } from './MessagePrice.tsx';
import { useChat } from './state.ts';

interface DecideProps {
  chosen: readonly Draft[];
  focused: Draft | undefined;
  section: RefObject<HTMLElement | null>;
  hasFocus: boolean;
}

/**
 * The total of the selected drafts, and the buttons. Their keys work only while the focus is in this section, since every answer has the
 * same ones.
 */
export function Decide({ chosen, focused, section, hasFocus }: DecideProps) {
  const drafted = useChat((state) => state.drafted);
  const price = sumOfDrafts(chosen);
  const keyOff = useKeyOff();
  const off = whyNotApproved(chosen, drafted) ?? keyOff;
  const what = t`Approve ${counted(chosen.length, 'draft')}`;
  const many = useNowOrTonight({
    off,
    onSend: () => approve(chosen),
    tonight: { what, shown: price, onSend: () => approve(chosen, { night: true }) },
  });
  const one = useApproveOne(focused, hasFocus);
  const onBoard = useOnBoard(chosen);
  const button = useRef<HTMLButtonElement>(null);
  const pressMany = () => many.order(false);
  const hint = useSpendKey('chat.approveDrafts', button, {
    label: what,
    price: priceWords(chosen),
    off: many.off,
    isHeard: hasFocus,
    isBusy: many.isBusy,
    onSpend: pressMany,
  });
  useFocusKept(section);
  const failed = [many, one, onBoard].find(({ error }) => error !== undefined);
  return (
    <>
      {(many.isWaiting || one.isWaiting) && <AskedAgain />}
      {failed && <NotSent of={failed} />}
      <footer>
        <span className="t2 nums">{amountOf(chosen)}</span>
        <span className="grow" />
        <span className="t3">{t`Total`}</span>
        <MoneyPlate />
        <PriceTag nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />
        <div className={`row end ${styles.buttons}`}>
          {one.button}
          {onBoard.button}
          <TonightButton night={many.night} />
          <Button
            ref={button}
            variant="primary"
            kbd={hasFocus ? hint : undefined}
            off={many.off}
            busy={many.isBusy}
            onClick={pressMany}
          >
            {t`Approve ${chosen.length}`}
          </Button>
        </div>
      </footer>
      {off && chosen.length > 0 && <WhyOff>{off}</WhyOff>}
    </>
  );
}

function useOnBoard(chosen: readonly Draft[]) {
  const shots = chosen.filter(({ shot }) => shot !== undefined);
  const sending = useSpend(() => approve(shots, { unmade: true }));
  const button = (
    <Button
      off={shots.length === 0 ? t`Select a draft first.` : undefined}
      busy={sending.isBusy}
      title={t`Adds the selected shots without making them`}
      onClick={() => void sending.send()}
    >
      {t`Add to board`}
    </Button>
  );
  return { ...sending, button };
}

/** Approves the focused draft, or the one that had the focus last. */
function useApproveOne(focused: Draft | undefined, hasFocus: boolean) {
  const drafted = useChat((state) => state.drafted);
  const only = focused && canBeApproved(focused) ? focused : undefined;
  const keyOff = useKeyOff();
  const off = only ? (whyNotApproved([only], drafted) ?? keyOff) : t`Select a draft first.`;
  const sending = useSpend(() => approve(only ? [only] : []));
  const ref = useRef<HTMLButtonElement>(null);
  const price = only && priceWords([only]);
  const name = only && nameOf(only);
  const press = () => void sending.send();
  const hint = useSpendKey('chat.approveDraft', ref, {
    label: name === undefined ? t`Approve one` : t`Approve ${name}`,
    price: price ?? '',
    off,
    isHeard: hasFocus,
    isBusy: sending.isBusy,
    onSpend: press,
  });
  const button = (
    <Button ref={ref} kbd={hasFocus ? hint : undefined} off={off} busy={sending.isBusy} onClick={press}>
      {t`Approve one`}
      {name && <span className="cut t3">{name}</span>}
      {price && <span className="price t3">{price}</span>}
    </Button>
  );
  return { ...sending, button };
}

function priceWords(drafts: readonly Draft[]): string {
  const { estimateNano, lowNano, unpriced } = sumOfDrafts(drafts);
  return priceText(estimateNano, lowNano, 'range', unpriced);
}

/**
 * While a card has the focus, the chord that spends is ambiguous between this card and the message box: it announces the keys of the
 * buttons instead.
 */
export function useOfferSaid(section: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const [one, many] = [useKeyHint('chat.approveDraft'), useKeyHint('chat.approveDrafts')];
  useSpendChord(section, () =>
    announce(
      isOpen ? t`Nothing was sent. ${one} moves to this draft, ${many} to the selected drafts.` : t`Nothing to approve`,
    ),
  );
}

export const isInFooter = (target: EventTarget): boolean => (target as HTMLElement).closest('footer') !== null;

/** The buttons disappear once nothing is left to approve; the focus then returns to the cards. */
function useFocusKept(section: DecideProps['section']): void {
  useLayoutEffect(() => {
    const cards = section.current;
    return () => {
      if (document.activeElement && isInFooter(document.activeElement))
        cards?.querySelector<HTMLElement>('[data-draft][tabindex="0"]')?.focus();
    };
  }, [section]);
}

function amountOf(drafts: readonly Draft[]): string {
  const seconds = drafts.reduce((sum, { shot }) => sum + (shot ? secondsOf(shot) : 0), 0);
  const images = drafts.filter(({ image }) => image !== undefined).length;
  return [seconds > 0 && t`${seconds} s of video`, images > 0 && plural(images, 'image')].filter(Boolean).join(', ');
}

const secondsOf = ({ source, config }: NonNullable<Draft['shot']>): number =>
  (source === 'extend' ? 7 : (config.durationSeconds ?? 8)) *
  Math.max(config.sampleCount ?? 1, config.numberOfVideos ?? 1);
