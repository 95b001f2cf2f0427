import { create } from 'zustand';
import { isPlayMoney } from '../../shared/gateway/profile.ts';
import type { AddedToNight } from '../../shared/jobs/addedToNight.ts';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { t } from '../../shared/text/texts.ts';
import { useStudio } from '../app/index.ts';
import type { SendFailure } from './useSpend.ts';

/** The profile that pays; for several, real or test money. */
export type Payer = string | { play: boolean };

/** A request that is brought to the plan of an overnight run, and is sent as soon as the run is scheduled. */
export interface NightOrder {
  /** "Make take 3 of shot 5". */
  what: string;
  /** The shown price; the studio refuses the request at another one. */
  shown: ShownPrice | undefined;
  onSend: () => Promise<SendFailure>;
  /** The rows it would queue; the plan shows which of them fit. */
  lines?: Extract<AddedToNight, { readId: string }> | undefined;
  /** Who pays; by default the profile that is active when it is sent. */
  payer?: Payer | undefined;
  /** The profile that was active when it was created. */
  activeId?: string | undefined;
  /** The address of the page where it was created. */
  from: string;
  /** Sent, or left out by the user. */
  isSettled?: boolean;
}

/** At most one. It outlives the page where it was created, but not the plan. */
export const useNightOrder = create<{ order: NightOrder | undefined }>()(() => ({ order: undefined }));

export const forgetNightOrder = (): void => useNightOrder.setState({ order: undefined });

/**
 * Whether the caller should send the request: true once, even if the plan was left after its button was pressed, but not if the request was
 * left out meanwhile.
 */
export function takeNightOrder(order: NightOrder): boolean {
  if (order.isSettled) return false;
  order.isSettled = true;
  if (useNightOrder.getState().order === order) forgetNightOrder();
  return true;
}

/** Whether the request is neither sent nor left out yet. */
export const isNightOrder = (order: NightOrder): boolean => !order.isSettled;

/** Leaves the request out, even of a plan that is being scheduled. */
export function leaveOutNightOrder(): void {
  const { order } = useNightOrder.getState();
  if (order) order.isSettled = true;
  forgetNightOrder();
}

/** The gateway of a request, if there is only one, and whether it uses test money. */
export function useSideOf({ payer, activeId }: NightOrder): { name: string | undefined; play: boolean } {
  const id = typeof payer === 'object' ? undefined : (payer ?? activeId);
  const name = useStudio(({ profiles }) => profiles.find((profile) => profile.id === id)?.name);
  return { name, play: isPlayOf({ payer, activeId }) };
}

const isPlayOf = ({ payer, activeId }: Pick<NightOrder, 'payer' | 'activeId'>): boolean =>
  typeof payer === 'object' ? payer.play : isPlayMoney(payer ?? activeId ?? '');

const NO_PRICE: ShownPrice = { estimateNano: 0, lowNano: 0, unpriced: 1 };

/** The pending request in the form for a dry run. */
export function useAddedToNight(): AddedToNight | undefined {
  const order = useNightOrder((state) => state.order);
  return order && (order.lines ?? { title: order.what, shown: order.shown ?? NO_PRICE, play: isPlayOf(order) });
}

/** Why the request cannot be sent now: it was priced at another gateway than the active one. */
export function offOfOrder({ what, payer, activeId }: NightOrder, state = useStudio.getState()): string | undefined {
  if (payer !== undefined || activeId === undefined || activeId === state.activeProfileId) return undefined;
  const name = state.profiles.find(({ id }) => id === activeId)?.name ?? t`Removed gateway`;
  return t`${what} was priced at ${name}, but another gateway is active. Skip it, or switch back to ${name}.`;
}

/** The same for the pending request. */
export function useOrderOff(): string | undefined {
  const order = useNightOrder((state) => state.order);
  return useStudio((state) => order && offOfOrder(order, state));
}
