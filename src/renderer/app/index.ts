/**
 * What a page may use of the shell. The shell itself (`app/shell`) is for `main.tsx` alone.
 *
 * - Data: `useCall(name, input, { on: ['job.changed'] })` reads a query and keeps it fresh; `useJob`, `useAsset` read one thing from
 *   the cache that events patch; `cacheJobs`, `cacheAssets` put an answer into it; `useStudio` holds what the window shows.
 * - Routes: `navigate(page, params)`, `useRoute()`; `params` are the page's own (`job`, `asset`, `conversation`, `section`).
 * - Actions: `useShortcut(id, run, enabled?, offer?)` gives one of `keys/actions.ts` what it does, for its key and the palette, and answers
 *   the hint for its control; `useKeyHint(id)` is the hint alone. `usePlace(place)` says where the page is.
 * - Focus: `useListFocus(listRef)` for a page's main list, so that a page called by key can be moved through at once.
 * - Incidents: `useActiveIncidents()` holds the problems that were reported and are not over.
 * - Announcements: `announce(sentence)` for screen readers, `showOutcome(place, …)` for what the click just made did, and
 *   `toast(…)` from `ui` for what happened elsewhere.
 */

export { ActionButton, ActionChoice, ActionKey, BackButton } from './ActionButton.tsx';
export { announce } from './announce.ts';
export {
  type Choice,
  chosenCount,
  chosenInput,
  isChosen,
  NOTHING_CHOSEN,
  only,
  onlyChosen,
} from './choice.ts';
export { copyJobAsCurl, copyText } from './copies.ts';
export { evidenceOfJob, evidenceOfMonth, evidenceOfNight } from './evidenceLink.ts';
export { type HelpSection, readGuide, sectionsWith } from './help/guide.ts';
export { openHelp } from './help/openHelp.ts';
export { jobTitle, ROW_TITLE_LENGTH } from './jobTitle.ts';
export type { ActionId } from './keys/actions.ts';
export { isMac, isTyping, printChord } from './keys/chords.ts';
export { useChangedKeys, useKeyHint, usePlace, useShortcut } from './keys/shortcuts.ts';
export { spendWords, useSpendChord } from './keys/spendChord.ts';
export { lazyPage } from './lazyPage.ts';
export { type ChoiceView, listChoice, stepOf, useForgottenChoice, useStepTo } from './listChoice.ts';
export { MoneyPlate, type MoneyPlateProps } from './MoneyPlate.tsx';
export { announceReplaced, OutcomeLine, refuseAt, showOutcome } from './outcome.tsx';
export { focusBlankPrompt, focusOnArrival, focusTemporarily, isFocusFree, useListFocus } from './pageFocus.ts';
export { RatingChoice, saveVerdict } from './RatingChoice.tsx';
export { refusalOf, showRefusal } from './refusals.ts';
export { hashOf, navigate, parseRoute, replaceParams, useRoute } from './route.ts';
export { leftMs, leftWords, runningWords, useRunningWords } from './runningWords.ts';
export { askEncoding } from './shell/EncodingDialog.tsx';
export { Mark } from './shell/Mark.tsx';
export { mayPay } from './state/askRealMoney.ts';
export {
  cacheAssets,
  cacheJobs,
  keepCached,
  needsReading,
  useAsset,
  useEntities,
  useJob,
  useListedJobs,
  useWholeJob,
} from './state/entities.ts';
export { createFilm, firstVideoModel, newFilm } from './state/films.ts';
export { idsBetween, PER_READING, type RangeEnd } from './state/idsBetween.ts';
export { dismissIncident, type Incident, useActiveIncidents, useIncidents } from './state/incidents.ts';
export { newerOf } from './state/newest.ts';
export { PAGE_LINES } from './state/pagedList.ts';
export { useSharedParts } from './state/sharedParts.ts';
export {
  openProject,
  openSample,
  readMoney,
  saveBudget,
  saveSettings,
  takeProfile,
  takeQueue,
  useActiveProfile,
  useIsPlay,
  useLacksKey,
  useProject,
  useProjectId,
  useStudio,
} from './state/studio.ts';
export { takeName, useFreshTakes, useTake, useTakes } from './state/takes.ts';
export { useBurst, useCall, useEvent, useNow } from './state/useCall.ts';
export {
  type AssetFilter,
  type AssetSort,
  type Days,
  FOUND_AT_ONCE,
  type Listing,
  type Pages,
  REST_MS,
  useAssetList,
  useConversationList,
  useJobList,
  useJobPages,
} from './state/useLists.ts';
export { TopBarNote } from './topBarNote.tsx';
export { useAction } from './useAction.ts';
export { useHasFocus } from './useHasFocus.ts';
export { useLongList } from './useLongList.ts';
export { useModelLimits } from './useModelLimits.ts';
export { useOneAtATime } from './useOneAtATime.ts';
