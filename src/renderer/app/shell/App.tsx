import { Suspense, useEffect, useRef, useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { call, host } from '../../client/index.ts';
import { ErrorBox, LoadingBars } from '../../ui/index.ts';
import { useAnnouncements } from '../announce.ts';
import { useHeldAlt } from '../keys/heldAlt.ts';
import { lazyPage } from '../lazyPage.ts';
import { loadStudio, useStudio } from '../state/studio.ts';
import { useTheme } from '../theme.ts';
import { useFocusKept } from './focusKeeper.ts';
import { MediaFrame, StripFrame } from './MediaFrame.tsx';
import { RealMoneyDialog } from './RealMoneyDialog.tsx';
import { Shell } from './Shell.tsx';

const StartPage = lazyPage(async () => ({ default: (await import('../../features/start/index.ts')).StartPage }));

/** The whole window: the first screen on the first start, then the shell. */
export function App() {
  useTheme();
  useFocusKept();
  useHeldAlt();
  const phase = useStudio((state) => state.phase);
  usePainted(phase !== 'loading');
  return (
    <>
      <Screen />
      <RealMoneyDialog />
      <LiveRegions />
      {phase === 'ready' && (host() === 'browser' ? <MediaFrame /> : <StripFrame />)}
    </>
  );
}

function Screen() {
  const phase = useStudio((state) => state.phase);
  const error = useStudio((state) => state.error);
  const welcomed = useStudio((state) => state.settings?.welcomed ?? true);
  const opening = (
    <main className="alone">
      <LoadingBars rows={4} label={t`Opening Dailies`} />
    </main>
  );
  if (phase === 'loading') return opening;
  if (phase === 'failed') {
    return (
      <main className="alone">
        <ErrorBox
          title={t`Dailies could not be opened`}
          actions={[{ label: t`Try again`, onDo: () => void loadStudio() }]}
        >
          {error?.message}
        </ErrorBox>
      </main>
    );
  }
  return welcomed ? (
    <Shell />
  ) : (
    <Suspense fallback={opening}>
      <StartPage />
    </Suspense>
  );
}

/** Tells the studio that the window has painted, so that its slow checks may start. */
function usePainted(painted: boolean): void {
  useEffect(() => {
    if (!painted) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => void call('app.painted'));
    });
    return () => cancelAnimationFrame(frame);
  }, [painted]);
}

/** The pause between two polite announcements; only the last one in it is read out. */
const QUIET_MS = 2_000;

/** A new element for each announcement, since screen readers announce only changes. */
function LiveRegions() {
  const { polite, assertive, count } = useAnnouncements();
  const [said, say] = useState({ polite, of: count.polite });
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (said.of === count.polite) return;
    const speak = () => {
      saidAt.current = performance.now();
      say({ polite, of: count.polite });
    };
    const timer = setTimeout(speak, Math.max(0, saidAt.current + QUIET_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [polite, count.polite, said.of]);
  return (
    <>
      <div className="vh" role="status" aria-live="polite">
        <span key={said.of}>{said.polite}</span>
      </div>
      <div className="vh" role="alert" aria-live="assertive">
        <span key={count.assertive}>{assertive}</span>
      </div>
    </>
  );
}
