import { Component, type ReactNode } from 'react';
import { t } from '../../shared/text/texts.ts';

interface Props {
  /** The rendered value; when it changes, rendering is tried again. */
  of?: unknown;
  /** Shown instead of what failed to render. */
  instead: (error: Error, tryAgain: () => void) => ReactNode;
  children: ReactNode;
}

interface State {
  of: unknown;
  error: Error | undefined;
}

/** An error in this part leaves the rest of the page working. */
export class Boundary extends Component<Props, State> {
  override state: State = { of: this.props.of, error: undefined };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { of, error: undefined };
  }

  override render() {
    const { error } = this.state;
    return error ? this.props.instead(error, () => this.setState({ error: undefined })) : this.props.children;
  }
}

/** A card, tile or row of a list: if it fails to render, its name is shown instead. */
export function CardBoundary({ name, of, children }: { name: string; of: unknown; children: ReactNode }) {
  return (
    <Boundary of={of} instead={() => <p className="t2">{t`${name} could not be shown`}</p>}>
      {children}
    </Boundary>
  );
}
