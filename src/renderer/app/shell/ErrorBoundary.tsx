import type { ReactNode } from 'react';
import { withBareAddresses } from '../../../shared/bareAddress.ts';
import { t } from '../../../shared/texts.ts';
import { Boundary, ErrorBox } from '../../ui/index.ts';
import { copyText } from '../copies.ts';
import { CodeNotLoaded } from '../lazyPage.ts';

/** A page that cannot be drawn leaves the rail, the status line and the other pages as they are. */
export function ErrorBoundary({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Boundary
      instead={(error, tryAgain) => (
        <div className="alone">
          <ErrorBox
            title={t`${name} could not be shown`}
            cures={[
              error instanceof CodeNotLoaded
                ? { label: t`Load the window again`, onCure: () => window.location.reload() }
                : { label: t`Show it again`, onCure: tryAgain },
              {
                label: t`Copy details`,
                onCure: () => void copyText(withBareAddresses(error.stack ?? error.message), t`details`),
              },
            ]}
          >
            {t`${error.message} Saved work is kept. The queue shows what was sent.`}
          </ErrorBox>
        </div>
      )}
    >
      {children}
    </Boundary>
  );
}
