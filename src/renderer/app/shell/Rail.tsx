import { formatCount, t } from '../../../shared/texts.ts';
import { DoubtGlyph, Icon } from '../../ui/index.ts';
import { useKeyHint } from '../keys/shortcuts.ts';
import { PAGES, type PageEntry } from '../pages.tsx';
import { hashOf, type PageId } from '../route.ts';
import { useStudio } from '../state/studio.ts';

/** The pages. The doubt mark stands on the queue, where it is resolved. */
export function Rail({ current }: { current: PageId }) {
  return (
    <nav className="rail" aria-label={t`Pages`} data-panel tabIndex={-1}>
      {PAGES.map((entry) => (
        <RailLink key={entry.id} entry={entry} current={entry.id === current} />
      ))}
    </nav>
  );
}

function RailLink({ entry, current }: { entry: PageEntry; current: boolean }) {
  const hint = useKeyHint(entry.action);
  const doubt = useStudio((state) => (entry.id === 'queue' ? (state.queue?.doubt.count ?? 0) : 0));
  return (
    <a
      href={hashOf(entry.id)}
      aria-current={current ? 'page' : undefined}
      aria-label={doubt > 0 ? t`${entry.label}, ${formatCount(doubt)} unconfirmed` : undefined}
      className={entry.id === 'settings' ? 'end' : undefined}
      title={`${entry.label} (${hint})`}
    >
      <Icon of={entry.icon} size="l" />
      <span className={`cut $"name"`}>{entry.label}</span>
      {doubt > 0 && (
        <span className="n st uncertain">
          <DoubtGlyph />
        </span>
      )}
    </a>
  );
}
