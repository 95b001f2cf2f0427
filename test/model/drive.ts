import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';

/** A studio driven by its calls. When `does` returns, the command's changes must have been announced. */
export interface Drive {
  ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  does<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
}
