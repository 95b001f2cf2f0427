import { createHash } from 'node:crypto';
import { languageTag, t } from '../../../shared/text/texts.ts';
import { databaseFile, earlierVersion, type MigrationStep } from '../../core/store/index.ts';
import type { Pages } from './pages.ts';

/** The page of a window during a migration, while the app's own page cannot be answered yet. */

const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 14px/20px system-ui, sans-serif; }
body { display: grid; place-content: center; min-height: 100vh; margin: 0; }
main { width: 360px; }
h1 { font-size: 17px; line-height: 24px; margin: 0 0 12px; }
progress { width: 100%; }
p { margin: 8px 0 0; }
`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const textOf = ({ done, of }: MigrationStep): string =>
  done === 0 ? t`A backup is made first.` : t`Step ${done} of ${of - 1}.`;

/** The page reloads itself, and becomes the app's page once that is served. */
const htmlOf = (step: MigrationStep): string => `<!doctype html>
<html lang="${languageTag()}">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Dailies</title><style>${STYLE}</style></head>
<body><main><h1>${t`Updating your history…`}</h1>
<progress value="${step.done}" max="${step.of}" aria-label="${t`Progress`}"></progress>
<p>${textOf(step)} ${t`This happens once. If you quit, the next start continues; nothing is lost.`}</p>
</main></body>
</html>
`;

const PAGES: ReadonlySet<string> = new Set(['/', '/index.html']);

export interface MigrationPage {
  onStep(step: MigrationStep): void;
  /** Serves the app's own page from now on. */
  end(): void;
  /** These pages, with the progress page in place of the app's. */
  over(pages: Pages): Pages;
}

export function createMigrationPage(dataDir: string): MigrationPage {
  let step: MigrationStep | undefined =
    earlierVersion(databaseFile(dataDir)) === undefined ? undefined : { done: 0, of: 1 };
  return {
    onStep(next) {
      step = next;
    },
    end() {
      step = undefined;
    },
    over: (pages) => ({
      serve: async (pathname) => (step && PAGES.has(pathname) ? answerOf(step) : pages.serve(pathname)),
    }),
  };
}

const answerOf = (step: MigrationStep): Response =>
  new Response(htmlOf(step), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  });
