import { create } from 'zustand';
import type { ShownPrice } from '../../shared/ledger.ts';
import type { SendFailure } from './useSend.ts';

/** An order for a night that is not planned yet: it goes along to the plan, and is made as soon as the night is armed. */
export interface NightOrder {
  /** "Make take 3 of shot 5". */
  what: string;
  /** At what price; the studio refuses it at another one. */
  shown: ShownPrice | undefined;
  onSend: () => Promise<SendFailure>;
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
