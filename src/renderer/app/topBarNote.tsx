import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

/** The place behind the project's name in the top bar, for what the open page says about the project. */

const ID = 'top-bar-note';

export function TopBarNotePlace() {
  return <span id={ID} className="top-note" />;
}

const never = () => () => undefined;

/** Shown in the top bar while the page shows it. */
export function TopBarNote({ children }: { children: ReactNode }) {
  const place = useSyncExternalStore(never, () => document.getElementById(ID));
  return place && createPortal(children, place);
}
