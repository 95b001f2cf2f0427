import { create } from 'zustand';
import { isPlayMoney } from '../../shared/gateway/profile.ts';
import type { AddedToNight } from '../../shared/jobs/addedToNight.ts';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { t } from '../../shared/text/texts.ts';
import { useStudio } from '../app/index.ts';
import type { SendFailure } from './useSpend.ts';

/** The profile that pays, or of several their side. */
export type Payer = string | { play: boolean };

/** An order that goes along to the plan of a night, and is made as soon as the night is armed. */
export interface NightOrder {
  /** "Make take 3 of shot 5". */
  what: string;
  /** At what price; the studio refuses it at another one. */
  shown: ShownPrice | undefined;
  onSend: () => Promise<SendFailure>;
  /** The lines that it queues: the plan shows which of them fit. */
  lines?: Extract<AddedToNight, { readId: string }> | undefined;
  /** Whose money it is; without it, that of the profile that is active when it is made. */
  payer?: Payer | undefined;
  /** The profile that was active when it was ordered. */
  activeId?: string | undefined;
  /** The address of the page it was made on. */
  from: string;
  /** It was made, or left out by the user. */
  isSettled?: boolean;
}

/** At most one; it outlives the page it was made on, and not the plan of the night. */
export const useNightOrder = create<{ order: NightOrder | undefined }>()(() => ({ order: undefined }));

export const forgetNightOrder = (): void => useNightOrder.setState({ order: undefined });

/**
 * Whether the order is to be made by who asks: once, also where the plan was left after its button was pressed, but not where the order
 * was left out meanwhile.
 */
export function takeNightOrder(order: NightOrder): boolean {
  if (order.isSettled) return false;
  order.isSettled = true;
  if (useNightOrder.getState().order === order) forgetNightOrder();
  return true;
}

/** Whether it is neither made nor left out yet. */
export const isNightOrder = (order: NightOrder): boolean => !order.isSettled;

/** It does not go along any more, also with a plan that is being armed. */
export function leaveOutNightOrder(): void {
  const { order } = useNightOrder.getState();
  if (order) order.isSettled = true;
  forgetNightOrder();
}

/** Of which gateway an order is, if it is of one, and whether it is play money. */
export function useSideOf({ payer, activeId }: NightOrder): { name: string | undefined; play: boolean } {
  const id = typeof payer === 'object' ? undefined : (payer ?? activeId);
  const name = useStudio(({ profiles }) => profiles.find((profile) => profile.id === id)?.name);
  return { name, play: isPlayOf({ payer, activeId }) };
}

const isPlayOf = ({ payer, activeId }: Pick<NightOrder, 'payer' | 'activeId'>): boolean =>
  typeof payer === 'object' ? payer.play : isPlayMoney(payer ?? activeId ?? '');

const NO_PRICE: ShownPrice = { estimateNano: 0, lowNano: 0, unpriced: 1 };

/** The order that came along, as a dry run tries it. */
export function useAddedToNight(): AddedToNight | undefined {
  const order = useNightOrder((state) => state.order);
  return order && (order.lines ?? { title: order.what, shown: order.shown ?? NO_PRICE, play: isPlayOf(order) });
}

/** Why an order may not be made now: it was priced at a gateway that no longer is the one that would make it. */
export function offOfOrder({ what, payer, activeId }: NightOrder, state = useStudio.getState()): string | undefined {
  if (payer !== undefined || activeId === undefined || activeId === state.activeProfileId) return undefined;
  const name = state.profiles.find(({ id }) => id === activeId)?.name ?? t`Removed gateway`;
  return t`${what} was priced at ${name}, but another gateway is active. Skip it, or switch back to ${name}.`;
}

/** The same for the order that came along. */
export function useOrderOff(): string | undefined {
  const order = useNightOrder((state) => state.order);
  return useStudio((state) => order && offOfOrder(order, state));
}
