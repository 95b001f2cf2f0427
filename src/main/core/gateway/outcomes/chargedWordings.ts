import { saysOneOf, wordingsOf, wordsInNames } from '../errors/index.ts';

/** How a failure says that it was charged all the same. */
export const CHARGED = wordingsOf('charged', [
  ['maxApi', 'you have been charged'],
  ['chargingPrograms', 'you were charged|credits have been consumed|credits have been deducted|已扣费|已扣款'],
]);

/** Whether the message says that the service has charged. This can only raise a doubt, never settle one. */
export const saysCharged = (message: string): boolean =>
  saysOneOf(wordsInNames(message).replaceAll(' no credits ', ' '), CHARGED);
