import { Info } from 'lucide-react';
import { CheckGlyph, FindingGlyph, Icon } from '../../ui/index.ts';
import type { Checked } from './checks.ts';

/** The mark of a quality check: a tick, a circled i, or an octagon with a bar; dashed where nothing was checked. */
export function CheckMark({ state }: { state: Checked['state'] }) {
  if (state === 'clean') return <CheckGlyph />;
  if (state === 'look') return <Icon of={Info} />;
  return <FindingGlyph of={state === 'broken' ? 'stop' : 'none'} />;
}
