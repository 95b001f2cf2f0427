/**
 * What every page spends with: the price of a request, in which money it is, the row and the button that show it, the dialog before something is sent again,
 * `useSend`, which sends one request for one press and knows what became of it, `useSpendKey`, the key of a button that spends, and `sendOnce`, which makes every call that can spend: where its answer is lost, it is
 * asked for again with its key, and nothing is sent twice. `sendAsItWas` is that for an order of which the user chose a part only.
 * `wordsOfReading` says what a price is.
 */
export { AfterPrice, LeftAfterShort } from './AfterPrice.tsx';
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
} from './nightOrder.ts';
export { planNightFor, TonightButton, type TonightOrder, useNowOrTonight } from './nowOrTonight.tsx';
export { OrderPayer, PLAY_MONEY, PlayMoney, PlayMoneyLine } from './PlayMoney.tsx';
export { PriceRow } from './PriceRow.tsx';
export { AskedAgain, SpendBar } from './SpendBar.tsx';
export { PriceOfJob, SpendAgainDialog, SpendDialog, shownOfJob } from './SpendDialog.tsx';
export { sendAsItWas } from './sendAsItWas.ts';
export { isAnswerLost, sendOnce, untilAnswered } from './sendOnce.ts';
export { renameSent, useSends } from './sends.ts';
export { Unanswered } from './unanswered.ts';
export { BEING_READ, type PriceNow, shownOf, usePrice, usePriceAgain, usePriceAt } from './usePrice.ts';
export { LOOK_MS, useSeen } from './useSeen.ts';
export { type SendFailure, useSend } from './useSend.ts';
export { useSpendKey } from './useSpendKey.ts';
export { wordsOfReading } from './wordsOfReading.ts';
