import { Suspense, useEffect, useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { LoadingBars } from '../../ui/index.ts';
import { type Command, useCommands } from '../commands.ts';
import type { KeyActionId } from '../keys/actions.ts';
import { useShortcut } from '../keys/shortcuts.ts';
import { focusNextPage, focusOpenedPage } from '../pageFocus.ts';
import { PAGES, type PageEntry, pageOf } from '../pages.tsx';
import { Palette } from '../palette/Palette.tsx';
import { navigate, useRoute } from '../route.ts';
import { Banners } from './Banners.tsx';
import { BundleDialog } from './BundleDialog.tsx';
import { EncodingDialog } from './EncodingDialog.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { cyclePanels } from './panels.ts';
import { Rail } from './Rail.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TopBar } from './TopBar.tsx';

/** What the palette runs on every page. */
const COMMANDS: readonly Command[] = [
  {
    id: 'queue.import',
    label: t`Import jobs`,
    keywords: ['batch', 'CSV', 'lines'],
    run: () => navigate('queue', { import: 'jobs' }),
  },
  {
    id: 'night',
    label: t`Plan or follow the night`,
    keywords: ['tonight', 'arm', t`dry run`],
    run: () => navigate('queue', {}, 'night'),
  },
];

/** The window's grid: top bar, rail, page, status line, divided by hairlines. */
export function Shell() {
  const route = useRoute();
  const { page } = route;
  const [palette, setPalette] = useState(false);
  useShortcut('palette.open', () => setPalette((open) => !open));
  useCommands('shell', COMMANDS);
  useShortcut('panel.next', () => cyclePanels(1));
  useShortcut('panel.previous', () => cyclePanels(-1));
  const entry = pageOf(route);
  const label = entry?.label;
  useEffect(() => {
    document.title = label === undefined ? 'Dailies' : t`${label} – Dailies`;
  }, [label]);
  return (
    <div className="app">
      <TopBar onPalette={() => setPalette(true)} />
      <Rail current={page} />
      <div className="stage-wrap">
        <Banners />
        {entry && <PageHost entry={entry} />}
      </div>
      <StatusLine />
      <BundleDialog />
      <LinkDialog />
      <EncodingDialog />
      <Palette open={palette} onClose={() => setPalette(false)} />
      {PAGES.map(({ id, action }) => (
        <PageKey key={id} action={action} onPress={() => navigate(id)} />
      ))}
    </div>
  );
}

function PageHost({ entry }: { entry: PageEntry }) {
  return (
    <ErrorBoundary key={entry.id} name={entry.label}>
      <Suspense
        fallback={
          <div className="alone">
            <LoadingBars rows={5} />
          </div>
        }
      >
        <entry.Page />
        <FocusOnArrival />
      </Suspense>
    </ErrorBoundary>
  );
}

function FocusOnArrival() {
  useEffect(focusOpenedPage, []);
  return null;
}

function PageKey({ action, onPress }: { action: KeyActionId; onPress: () => void }) {
  useShortcut(action, () => {
    focusNextPage();
    onPress();
  });
  return null;
}
