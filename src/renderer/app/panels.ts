/** F6 goes round the panels: top bar, rail, the page's panels, status line, and notices while there are any. */

/** Of a group such as tabs only one is a stop of Tab; giving another the focus would choose it. */
const TABBABLE =
  ':is(a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), select:not([disabled]), [tabindex="0"]):not([tabindex="-1"])';

const visible = (element: Element): boolean => element.getBoundingClientRect().height > 0;

export function cyclePanels(step: 1 | -1): void {
  const panels = [...document.querySelectorAll<HTMLElement>('[data-panel]')].filter(visible);
  if (panels.length === 0) return;
  const active = document.activeElement;
  // A panel may stand inside another: the innermost one is where the focus is.
  const at = panels.findLastIndex((panel) => panel.contains(active));
  const next = panels[(at + step + panels.length) % panels.length];
  const inside = [...(next?.querySelectorAll<HTMLElement>(TABBABLE) ?? [])].find(visible);
  (inside ?? next)?.focus();
}
