import type { CallInput, CallName } from './contract.ts';

/** The calls that can cause a paid request: those that take the caller's own key. */
export type SpendingCall = {
  [Name in CallName]: string extends keyof CallInput<Name>
    ? never
    : 'requestKey' extends keyof CallInput<Name>
      ? Name
      : never;
}[CallName];
