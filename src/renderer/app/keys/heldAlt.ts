import { useEffect } from 'react';

/** Alt is held this long before the shortcuts appear, so that a chord does not show them. */
const HELD_MS = 300;

/** Shows the shortcuts of all controls while Alt is held. */
export function useHeldAlt(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const root = document.documentElement;
    const hide = () => {
      clearTimeout(timer);
      timer = undefined;
      delete root.dataset.keys;
    };
    const onDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Alt') hide();
      else timer ??= setTimeout(() => (root.dataset.keys = 'held'), HELD_MS);
    };
    const heard = [
      ['keydown', onDown],
      ['keyup', hide],
      ['blur', hide],
    ] as const;
    for (const [type, listener] of heard) window.addEventListener(type, listener as EventListener, true);
    return () => {
      hide();
      for (const [type, listener] of heard) window.removeEventListener(type, listener as EventListener, true);
    };
  }, []);
}
