import { create } from 'zustand';
import type { ShownPrice } from '../../shared/ledger.ts';
import { isPlayMoney } from '../../shared/profile.ts';
import { t } from '../../shared/texts.ts';
import { useStudio } from '../app/index.ts';
import type { SendFailure } from './useSend.ts';

/** The profile that pays, or of several their side. */
export type Payer = string | { play: boolean };

/** An order for a night that is not planned yet: it goes along to the plan, and is made as soon as the night is armed. */
export interface NightOrder {
  /** "Make take 3 of shot 5". */
  what: string;
  /** At what price; the studio refuses it at another one. */
  shown: ShownPrice | undefined;
  onSend: () => Promise<SendFailure>;
  /** Whose money it is; without it, that of the profile that is active when it is made. */
  payer?: Payer | undefined;
  /** The profile that was active when it was ordered. */
  activeId?: string | undefined;
  /** The address of the page it was made on. */
  from: string;
}

/** At most one; it outlives the page it was made on, and not the plan of the night. */
export const useNightOrder = create<{ order: NightOrder | undefined }>()(() => ({ order: undefined }));

export const forgetNightOrder = (): void => useNightOrder.setState({ order: undefined });

/** Whoever takes it makes it: a second press finds none. */
export function takeNightOrder(): NightOrder | undefined {
  const { order } = useNightOrder.getState();
  forgetNightOrder();
  return order;
}

/** Of which gateway an order is, if it is of one, and whether it is play money. */
export function useSideOf({ payer, activeId }: NightOrder): { name: string | undefined; play: boolean } {
  const id = typeof payer === 'object' ? undefined : (payer ?? activeId);
  const name = useStudio(({ profiles }) => profiles.find((profile) => profile.id === id)?.name);
  return { name, play: typeof payer === 'object' ? payer.play : isPlayMoney(id ?? '') };
}

/** Why an order may not be made now: it was priced at a gateway that no longer is the one that would make it. */
export function offOfOrder({ what, payer, activeId }: NightOrder, state = useStudio.getState()): string | undefined {
  if (payer !== undefined || activeId === undefined || activeId === state.activeProfileId) return undefined;
  const name = state.profiles.find(({ id }) => id === activeId)?.name ?? t`a gateway that is gone`;
  return t`${what} was priced at ${name}, and another gateway is active now. Leave it out, or go back to ${name}.`;
}

/** The same for the order that came along. */
export function useOrderOff(): string | undefined {
  const order = useNightOrder((state) => state.order);
  return useStudio((state) => order && offOfOrder(order, state));
}
