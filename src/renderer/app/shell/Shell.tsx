import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { withBareAddresses } from '../../../shared/gateway/bareAddress.ts';
import { formatCount, t } from '../../../shared/text/texts.ts';
import { Boundary, Dialog, DialogActions, ErrorBox, Icon, LoadingBars, UncertainGlyph } from '../../ui/index.ts';
import styles from '../app.module.css';
import { copyText } from '../copies.ts';
import { openHelp } from '../help/openHelp.ts';
import { useKeyHint, useShortcut } from '../keys/shortcuts.ts';
import { CodeNotLoaded } from '../lazyPage.ts';
import { focusOpenedPage } from '../pageFocus.ts';
import { type PageEntry, pageOf, RAIL } from '../pages.tsx';
import { Palette } from '../palette/Palette.tsx';
import { hashOf, type PageId, useRoute } from '../route.ts';
import { dismissLink, followLink, useAskedLink } from '../state/hostEvents.ts';
import { useStudio } from '../state/studio.ts';
import { Banners } from './Banners.tsx';
import { BundleDialog } from './BundleDialog.tsx';
import { EncodingDialog } from './EncodingDialog.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TopBar } from './TopBar.tsx';
import { useMoneyOfToday } from './TopMoney.tsx';

/** The window: top bar, rail, page, status line. */
export function Shell() {
  const route = useRoute();
  const { page } = route;
  useMoneyOfToday();
  const [palette, setPalette] = useState(false);
  useShortcut('palette.open', () => setPalette((open) => !open));
  useShortcut('page.help', () => openHelp());
  useShortcut('page.helpToo', () => openHelp());
  const entry = pageOf(route);
  const label = entry?.label;
  useEffect(() => {
    document.title = label === undefined ? 'Dailies' : t`${label} – Dailies`;
  }, [label]);
  // Connecting a gateway takes the whole window.
  if (page === 'settings' && route.part === 'connect') return entry && <PageHost entry={entry} />;
  return (
    <div className="app">
      <TopBar onPalette={() => setPalette(true)} />
      <Rail current={page} />
      <div className={`col ${styles.stageWrap}`}>
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

/** An error in a page leaves the rail, the status line and the other pages working. */
export function ErrorBoundary({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Boundary
      instead={(error, tryAgain) => (
        <div className="alone">
          <ErrorBox
            title={t`${name} could not be shown`}
            actions={[
              error instanceof CodeNotLoaded
                ? { label: t`Reload`, onDo: () => window.location.reload() }
                : { label: t`Show it again`, onDo: tryAgain },
              {
                label: t`Copy details`,
                onDo: () => void copyText(withBareAddresses(error.stack ?? error.message)),
              },
            ]}
          >
            {t`${error.message} Saved work is kept.`}
          </ErrorBox>
        </div>
      )}
    >
      {children}
    </Boundary>
  );
}

const NAMES = { job: t`Job`, asset: t`File`, project: t`Project` } as const;

/** A link from outside Dailies: shows its target before anything on the screen changes. */
export function LinkDialog() {
  const link = useAskedLink((state) => state.link);
  const footer = (
    <DialogActions onClose={dismissLink} keep={t`Stay here`} onClick={followLink}>
      {t`Show it`}
    </DialogActions>
  );
  return (
    <Dialog open={link !== undefined} onClose={dismissLink} title={t`Open this link?`} footer={footer}>
      {link && (
        <div className="col gap">
          <h3 className="anywhere">
            {NAMES[link.thing]}: {link.title}
          </h3>
          <p className="t2">{t`A link from outside Dailies. Nothing is sent or changed.`}</p>
        </div>
      )}
    </Dialog>
  );
}

/** The pages. Unconfirmed jobs are marked at the Queue, where they are resolved. */
function Rail({ current }: { current: PageId }) {
  return (
    <nav className="rail" aria-label={t`Pages`} data-panel tabIndex={-1}>
      {RAIL.map((entry) => (
        <RailLink key={entry.id} entry={entry} current={entry.id === current} />
      ))}
    </nav>
  );
}

function RailLink({ entry, current }: { entry: PageEntry; current: boolean }) {
  const hint = useKeyHint(entry.action);
  const unconfirmed = useStudio((state) => (entry.id === 'queue' ? (state.queue?.doubt.count ?? 0) : 0));
  return (
    <a
      href={hashOf(entry.id)}
      aria-current={current ? 'page' : undefined}
      aria-label={unconfirmed > 0 ? t`${entry.label}, ${formatCount(unconfirmed)} unconfirmed` : undefined}
      className={entry.id === 'settings' ? 'end' : undefined}
      title={`${entry.label} (${hint})`}
    >
      <Icon of={entry.icon} size="l" />
      <span className="cut name">{entry.label}</span>
      {unconfirmed > 0 && (
        <span className="n st uncertain">
          <UncertainGlyph />
        </span>
      )}
    </a>
  );
}
