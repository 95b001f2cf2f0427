import type { ContextMenuParams, MenuItemConstructorOptions, PopupOptions } from 'electron';
import { t } from '../../../../shared/text/texts.ts';
import { assetOf } from '../origin.ts';

/** The part of Electron's parameters that the menu depends on. */
export type ClickedOn = Pick<
  ContextMenuParams,
  'isEditable' | 'selectionText' | 'misspelledWord' | 'dictionarySuggestions' | 'mediaType' | 'srcURL' | 'linkURL'
> & { editFlags: Pick<ContextMenuParams['editFlags'], 'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste'> };

export interface ContextActions {
  replaceWord(word: string): void;
  learnWord(word: string): void;
  copyPicture(): void;
  copyLink(address: string): void;
  /** Saves a library file where the user chooses. */
  save(assetId: string): void;
  showInFolder(assetId: string): void;
}

const MOST_SUGGESTIONS = 5;

/** The menu of a right click or of the menu key; may be empty. */
export function contextMenuOf(on: ClickedOn, act: ContextActions): MenuItemConstructorOptions[] {
  const groups = [spelling(on, act), editing(on), media(on, act), link(on, act)].filter(({ length }) => length > 0);
  return groups.flatMap((group, at) => (at === 0 ? group : [{ type: 'separator' }, ...group]));
}

/**
 * Position and state of the menu: called by key, it opens at the caret or the focused element with its first line selected; otherwise at the
 * mouse, which is the default (electron.d.ts, `PopupOptions`).
 */
export function popupFor({
  menuSourceType,
  frame,
  x,
  y,
}: Pick<ContextMenuParams, 'menuSourceType' | 'frame' | 'x' | 'y'>): Omit<PopupOptions, 'window'> {
  const place = menuSourceType === 'keyboard' ? { x: Math.round(x), y: Math.round(y) } : {};
  return { sourceType: menuSourceType, ...(frame ? { frame } : {}), ...place };
}

function spelling(
  { isEditable, misspelledWord, dictionarySuggestions }: ClickedOn,
  act: ContextActions,
): MenuItemConstructorOptions[] {
  if (!isEditable || misspelledWord === '') return [];
  const words = dictionarySuggestions.slice(0, MOST_SUGGESTIONS);
  const suggested = words.map((label) => ({ label, click: () => act.replaceWord(label) }));
  return [
    ...(suggested.length > 0 ? suggested : [{ label: t`No suggestion`, enabled: false }]),
    { label: t`Add to the dictionary`, click: () => act.learnWord(misspelledWord) },
  ];
}

/** Roles have the system's labels and act on the focused element. */
function editing({ isEditable, selectionText, editFlags }: ClickedOn): MenuItemConstructorOptions[] {
  const { canUndo, canRedo, canCut, canCopy, canPaste } = editFlags;
  if (isEditable) {
    return [
      { role: 'undo', enabled: canUndo },
      { role: 'redo', enabled: canRedo },
      { type: 'separator' },
      { role: 'cut', enabled: canCut },
      { role: 'copy', enabled: canCopy },
      { role: 'paste', enabled: canPaste },
      { role: 'selectAll' },
    ];
  }
  return selectionText.trim() === '' ? [] : [{ role: 'copy' }];
}

function media({ mediaType, srcURL }: ClickedOn, act: ContextActions): MenuItemConstructorOptions[] {
  const id = assetOf(srcURL);
  if (id === undefined || !['image', 'video', 'audio'].includes(mediaType)) return [];
  return [
    ...(mediaType === 'image' ? [{ label: t`Copy picture`, click: () => act.copyPicture() }] : []),
    { label: t`Save as…`, click: () => act.save(id) },
    { label: t`Show in folder`, click: () => act.showInFolder(id) },
  ];
}

/** Addresses of our own pages are useless elsewhere. */
function link({ linkURL }: ClickedOn, act: ContextActions): MenuItemConstructorOptions[] {
  const isWeb = ['http:', 'https:'].includes(URL.parse(linkURL)?.protocol ?? '');
  return isWeb ? [{ label: t`Copy link`, click: () => act.copyLink(linkURL) }] : [];
}
