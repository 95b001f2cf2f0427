import { Component, type ReactNode } from 'react';
import { withBareAddresses } from '../../../shared/bareAddress.ts';
import { t } from '../../../shared/texts.ts';
import { ErrorBox } from '../../ui/index.ts';
import { copyText } from '../copies.ts';
import { CodeNotLoaded } from '../lazyPage.ts';

interface Props {
  /** The page's name in the sentence. */
  name: string;
  children: ReactNode;
}

/** A page that breaks takes nothing with it: the rail, the status line and the other pages go on. */
export class ErrorBoundary extends Component<Props, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="alone">
        <ErrorBox
          title={t`${this.props.name} could not be shown`}
          cures={[
            error instanceof CodeNotLoaded
              ? { label: t`Load the window again`, onCure: () => window.location.reload() }
              : { label: t`Show it again`, onCure: () => this.setState({ error: undefined }) },
            {
              label: t`Copy details`,
              onCure: () => void copyText(withBareAddresses(error.stack ?? error.message), t`details`),
            },
          ]}
        >
          {t`${error.message} Saved work is kept. The queue shows what was sent.`}
        </ErrorBox>
      </div>
    );
  }
}
