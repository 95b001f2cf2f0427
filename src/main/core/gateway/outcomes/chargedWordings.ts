import { saysOneOf, wordingsOf, wordsInNames } from '../errors/index.ts';

/** How a failure says that it was charged all the same. */
export const CHARGED = wordingsOf('charged', [
  ['maxApi', 'you have been charged'],
  ['chargingPrograms', 'you were charged|you were billed|you have been billed|已扣费|已扣款'],
  ['chargingPrograms', 'credits have been charged|credits have been consumed|credits have been deducted'],
  ['chargingPrograms', 'credits were charged|credits were consumed|credits were deducted'],
  ['chargingPrograms', 'credit has been charged|credit has been consumed|credit has been deducted'],
  ['chargingPrograms', 'credits has been charged|credits has been consumed|credits has been deducted'],
  ['chargingPrograms', 'credits was charged|credits was consumed|credits was deducted'],
  ['chargingPrograms', 'credit have been charged|credit have been consumed|credit have been deducted'],
  ['chargingPrograms', 'credit were charged|credit were consumed|credit were deducted'],
  ['chargingPrograms', 'credit was charged|credit was consumed|credit was deducted'],
]);

/** What takes the charge back: that no credits were taken, or that it only may have been. */
const TAKEN_BACK = /(?<![\w.,])(?:(?:no|0|zero|without)\s+credits?|if\s+you)\b/gi;

/** Whether the message says that the service has charged. This can only raise a doubt, never settle one. */
export const saysCharged = (message: string): boolean =>
  saysOneOf(wordsInNames(message.replace(TAKEN_BACK, ' ')), CHARGED);
