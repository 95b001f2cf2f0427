import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

/** A place beside the project's name in the top bar, for notes of the open page about the project. */

const ID = 'top-bar-note';

export function TopBarNotePlace() {
  return <span id={ID} className="top-note" />;
}

const never = () => () => undefined;

/** Shows its children in the top bar while the page is mounted. */
export function TopBarNote({ children }: { children: ReactNode }) {
  const place = useSyncExternalStore(never, () => document.getElementById(ID));
  return place && createPortal(children, place);
}
