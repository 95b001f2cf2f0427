import type { CallInput, CallName } from './contract.ts';

/** The calls that can cause a paid request: those that take the caller's own key. */
export type SpendingCall = {
  [Name in CallName]: string extends keyof CallInput<Name>
    ? never
    : 'requestKey' extends keyof CallInput<Name>
      ? Name
      : never;
}[CallName];

/**
 * What a call that can spend orders: its input without what was seen of it, the price and the quotes. A price that changed after an answer
 * was lost makes it no other order; whether it is still what was seen is judged when the order is carried out.
 */
export function orderOf<Input extends object>(input: Input): Omit<Input, 'shown' | 'quotes'> {
  const { shown: _, quotes: __, ...order } = input as Input & { shown?: unknown; quotes?: unknown };
  return order;
}
