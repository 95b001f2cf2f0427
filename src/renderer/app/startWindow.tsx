import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { createRoot } from 'react-dom/client';
import { whenLinked } from '../client/index.ts';
import { App } from './shell/App.tsx';
import { startEvents } from './state/events.ts';
import { loadStudio } from './state/studio.ts';
import { applyRememberedTheme } from './theme.ts';

/** The first reading waits this long for the event stream, so that no change is missed in between. */
const LINK_WAIT_MS = 400;

/** Renders the studio into this window and connects it. */
export function startWindow(): void {
  applyRememberedTheme();
  startEvents();
  void whenLinked(LINK_WAIT_MS).then(loadStudio);
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={500}>
        <App />
      </Tooltip.Provider>
    </CSPProvider>,
  );
}
