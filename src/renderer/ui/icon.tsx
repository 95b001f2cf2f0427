import type { LucideIcon } from 'lucide-react';

/** A library icon at one of the three sizes of the look (14, 16, 18 px); decorative: its control carries the name. */
export function Icon({ of: Glyph, size = 's' }: { of: LucideIcon; size?: 's' | 'm' | 'l' }) {
  const className = size === 'm' ? 'i' : `i i-${size}`;
  return <Glyph className={className} aria-hidden="true" focusable="false" />;
}
