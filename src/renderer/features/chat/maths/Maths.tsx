import type { KatexOptions } from 'katex';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { t } from '../../../../shared/texts.ts';
import styles from './maths.module.css';

type Katex = typeof import('katex').default;

/** The typesetter is large, and most answers hold no formula: it is loaded with the first one. */
const useKatex = create<{ katex?: Katex; isAsked?: boolean }>()(() => ({}));

async function loadKatex(): Promise<void> {
  if (useKatex.getState().isAsked) return;
  useKatex.setState({ isAsked: true });
  try {
    useKatex.setState({ katex: (await import('katex')).default });
  } catch {
    // Formulas stay as they were written, and the next one asks again.
    useKatex.setState({ isAsked: false });
  }
}

/** Elements inside each other; each may take a call of the browser's layout. */
const MOST_LEVELS = 100;

/** MathML alone: no markup of a model, no address, no size that leaves the message, and a bounded count of expanded macros. */
const OPTIONS: KatexOptions = {
  output: 'mathml',
  trust: false,
  strict: 'ignore',
  throwOnError: true,
  maxExpand: 200,
  maxSize: 20,
};

/** A formula in TeX. What cannot be typeset stands as it was written, with the reason. */
export function Maths({ tex, displayed }: { tex: string; displayed?: boolean }) {
  const katex = useKatex((state) => state.katex);
  const place = useRef<HTMLSpanElement>(null);
  const [failed, setFailed] = useState<{ tex: string; why: string }>();
  useEffect(() => void loadKatex(), []);
  useLayoutEffect(() => {
    if (!katex || !place.current) return;
    const drawn = typeset(katex, tex, displayed ?? false);
    if (typeof drawn === 'string') return setFailed({ tex, why: drawn });
    place.current.replaceChildren(...drawn);
    scrollIfWide(place.current);
  }, [katex, tex, displayed]);
  if (!katex || failed?.tex === tex)
    return (
      <code className="anywhere" title={failed?.why}>
        {tex}
      </code>
    );
  return <span className={displayed ? `${styles.maths} ${styles.displayed}` : styles.maths} ref={place} />;
}

/** What is wider than the column is scrolled in its own place, by keys too. */
function scrollIfWide(place: HTMLElement): void {
  if (place.scrollWidth <= place.clientWidth) return;
  place.classList.add('displayed');
  place.tabIndex = 0;
  place.setAttribute('role', 'group');
  place.setAttribute('aria-label', 'Formula');
}

function typeset(katex: Katex, tex: string, displayMode: boolean): Node[] | string {
  const holder = document.createElement('span');
  try {
    katex.render(tex.trim(), holder, { ...OPTIONS, displayMode, macros: {} });
  } catch (error) {
    return t`Not drawn as a formula: ${error instanceof Error ? error.message : t`it could not be read`}`;
  }
  return isDeep(holder) ? t`Not drawn as a formula: it is nested too deeply.` : [...holder.childNodes];
}

function isDeep(root: Element): boolean {
  let level: Element[] = [root];
  for (let levels = 0; level.length > 0; levels++) {
    if (levels > MOST_LEVELS) return true;
    level = level.flatMap((element) => [...element.children]);
  }
  return false;
}
