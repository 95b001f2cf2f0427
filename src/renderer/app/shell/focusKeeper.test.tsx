import { afterEach, describe, expect, it, vi } from 'vitest';
import { acting, byText, show, until } from '../../testing/page.tsx';
import { useFocusKept } from './focusKeeper.ts';

// jsdom has no layout: everything in the document counts as shown.
Element.prototype.getClientRects = () => [{}] as unknown as DOMRectList;

function Page({ has, off = false }: { has: boolean; off?: boolean }) {
  useFocusKept();
  return (
    <main className="page">
      <section aria-label="Shots" data-panel tabIndex={-1}>
        {has && (
          <button type="button" disabled={off}>
            Add the first shot
          </button>
        )}
      </section>
      <button type="button">Elsewhere</button>
    </main>
  );
}

/** Waits until the focus keeper has acted. */
const later = () => acting(async () => void (await vi.advanceTimersByTimeAsync(1_000)));
afterEach(() => void vi.useRealTimers());

describe('the focus', () => {
  it('goes to the panel around a control that is taken away', async () => {
    await show(<Page has />);
    const panel = byText('Shots', 'section');
    await acting(() => byText('Add the first shot').focus());
    await acting(() => byText('Add the first shot').remove());
    await until(() => expect(document.activeElement).toBe(panel));
  });

  it('waits for the first panel of a page that has none yet', async () => {
    await show(<Page has />);
    await acting(() => byText('Elsewhere').focus());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const panel = byText('Shots', 'section');
    const page = panel.parentElement;
    await acting(() => {
      panel.remove();
      byText('Elsewhere').remove();
    });
    await later();
    await acting(() => page?.append(panel));
    await later();
    expect(document.activeElement).toBe(panel);
  });

  it('stays where it was given to something else meanwhile', async () => {
    await show(<Page has />);
    await acting(() => byText('Add the first shot').focus());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await acting(() => byText('Add the first shot').remove());
    await acting(() => byText('Elsewhere').focus());
    await later();
    expect(document.activeElement).toBe(byText('Elsewhere'));
  });

  it('is given to nothing after a click into nothing', async () => {
    await show(<Page has />);
    await acting(() => byText('Add the first shot').focus());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await acting(() => (document.activeElement as HTMLElement).blur());
    await acting(() => document.body.append(document.createElement('i')));
    await later();
    expect(document.activeElement).toBe(document.body);
  });
});
