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
 * The input of a spending call without the price and quotes that were shown: a call repeated after a price change is still the same. The
 * shown price is checked when the call is carried out.
 */
export function withoutShown<Input extends object>(input: Input): Omit<Input, 'shown' | 'quotes'> {
  const { shown: _, quotes: __, ...order } = input as Input & { shown?: unknown; quotes?: unknown };
  return order;
}
