/**
 * What every page spends with: the price of a request, the row and the button that show it, the dialog before something is sent again,
 * and `useSend`, which sends one order for one press.
 */
export { SetPrice } from './NoPrice.tsx';
export { PriceRow } from './PriceRow.tsx';
export { SpendBar } from './SpendBar.tsx';
export { PriceOfJob, SpendAgainDialog, SpendDialog, shownOfJob } from './SpendDialog.tsx';
export { BEING_READ, type PriceNow, shownOf, usePrice } from './usePrice.ts';
export { type SendFailure, useSend } from './useSend.ts';
