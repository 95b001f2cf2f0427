/**
 * Everything that pages need to spend: the price of a request, the row and button that show it, the dialog before sending again;
 * `useSpend`, which sends one request per press and tracks its outcome; `sendOnce`, which makes every spending call; and `useSpendKey`, the
 * key of a spending button.
 */
export { ConfirmPriceDialog, risenPrice } from './ConfirmPrice.tsx';
export { NoPrice, priceParams, SetPrice } from './NoPrice.tsx';
export {
  forgetNightOrder,
  isNightOrder,
  leaveOutNightOrder,
  type NightOrder,
  offOfOrder,
  takeNightOrder,
  useAddedToNight,
  useNightOrder,
  useOrderOff,
  useSideOf,
} from './nightOrder.ts';
export { planNightFor, TonightButton, type TonightOrder, useKeyOff, useNowOrTonight } from './nowOrTonight.tsx';
export { LeftToday, PriceLine, PriceRow } from './PriceLine.tsx';
export { AskedAgain, SpendBar } from './SpendBar.tsx';
export { PriceOfJob, SpendAgainDialog, SpendDialog, shownOfJob } from './SpendDialog.tsx';
export { BEING_READ, type PriceNow, shownOf, usePrice, usePriceAgain, usePriceAt } from './usePrice.ts';
export { LOOK_MS, useSeen } from './useSeen.ts';
export { isAnswerLost, renameSent, type SendFailure, sendOnce, untilAnswered, useSends, useSpend } from './useSpend.ts';
export { useSpendKey } from './useSpendKey.ts';
export { WindowStore } from './windowStore.ts';
export { UNIT_WORDS, wordsOfReading } from './wordsOfReading.ts';
