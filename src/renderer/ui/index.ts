/**
 * The component library: the look's controls on @base-ui/react, keyboard-usable and named.
 * Styles are in `css/` (one file a topic) and `tokens.css`; `ui.css` brings them all. Class names are the look's, so that
 * page layouts may use them directly (`row`, `col`, `grow`, `cut`, `t2`, `t3`, `mono`, `scroll`, `sec`, `tbl`, `grp`, `sendbar`, …).
 *
 * - Buttons: `off="reason"` keeps a button focusable, speaks the reason and swallows the click; print it beside with `<WhyOff>`.
 * - Fields: put any input into `<Field label hint error>`; outside one give it `aria-label`.
 * - Money: `PriceTag`, `MoneyTriple`, `MoneyBar`; there is no component for a sum of the three, on purpose.
 * - `Boundary` around what may fail to be drawn, such as a message or a block of it.
 * - What is read: `<Reading of={call} label>` shows that it is, why it could not be, or what its child makes of it.
 * - States: `JobStateGlyph`, `StorageGlyph`; boxes: `EmptyState`, `LoadingBars`, `ErrorBox`, `UncertainBox`, `OfflineBox`.
 */
export * from './boundary.tsx';
export * from './boxes.tsx';
export * from './button.tsx';
export * from './choice.tsx';
export { DateFields } from './dateFields.tsx';
export {
  ANY_DATE,
  type DateChoice,
  ledgerTimesOf,
  monthKey,
  timesOf,
  wordsOfDates,
} from './dates.ts';
export * from './drawer.tsx';
export * from './field.tsx';
export { FileButton } from './fileButton.tsx';
export * from './finding.tsx';
export * from './format.ts';
export * from './glyphs.tsx';
export * from './inspector.tsx';
export * from './layers.tsx';
export { listBox, stepInList } from './listBox.ts';
export * from './media.tsx';
export * from './modals.ts';
export * from './money.tsx';
export * from './offer.tsx';
export { rich } from './rich.ts';
export { isLastHour, useStorage } from './storage.ts';
export * from './table.tsx';
export * from './toasts.tsx';
