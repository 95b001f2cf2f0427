import { Suspense, useEffect, useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { LoadingBars } from '../../ui/index.ts';
import styles from '../app.module.css';
import { useShortcut } from '../keys/shortcuts.ts';
import { focusOpenedPage } from '../pageFocus.ts';
import { type PageEntry, pageOf } from '../pages.tsx';
import { Palette } from '../palette/Palette.tsx';
import { useRoute } from '../route.ts';
import { Banners } from './Banners.tsx';
import { BundleDialog } from './BundleDialog.tsx';
import { EncodingDialog } from './EncodingDialog.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { Rail } from './Rail.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TopBar } from './TopBar.tsx';
import { useMoneyOfToday } from './TopMoney.tsx';

/** The window's grid: top bar, rail, page, status line, divided by hairlines. */
export function Shell() {
  const route = useRoute();
  const { page } = route;
  useMoneyOfToday();
  const [palette, setPalette] = useState(false);
  useShortcut('palette.open', () => setPalette((open) => !open));
  const entry = pageOf(route);
  const label = entry?.label;
  useEffect(() => {
    document.title = label === undefined ? 'Dailies' : t`${label} – Dailies`;
  }, [label]);
  // The way in of a gateway has the whole window.
  if (page === 'settings' && route.part === 'connect') return entry && <PageHost entry={entry} />;
  return (
    <div className="app">
      <TopBar onPalette={() => setPalette(true)} />
      <Rail current={page} />
      <div className={styles.stageWrap}>
        <Banners />
        {entry && <PageHost entry={entry} />}
      </div>
      <StatusLine />
      <BundleDialog />
      <LinkDialog />
      <EncodingDialog />
      <Palette open={palette} onClose={() => setPalette(false)} />
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
