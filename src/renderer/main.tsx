import './noEval.ts';
import './locale.ts';
import './ui/ui.css';
import './app/app.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { createRoot } from 'react-dom/client';
import { App } from './app/shell/App.tsx';
import { startEvents } from './app/state/events.ts';
import { loadStudio } from './app/state/studio.ts';
import { applyRememberedTheme } from './app/theme.ts';
import { whenLinked } from './client/index.ts';

/** The first reading waits this long for the stream of events, so that no change falls between the two. */
const LINK_WAIT_MS = 400;

/** A page inside the page (the hidden media worker, when its file is missing) is not a second studio. */
if (window.top === window) start();

function start(): void {
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
