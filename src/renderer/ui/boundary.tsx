import { Component, type ReactNode } from 'react';
import { t } from '../../shared/text/texts.ts';

interface Props {
  /** What is drawn; where it changes, drawing is tried again. */
  of?: unknown;
  /** Shown in place of what cannot be drawn. */
  instead: (error: Error, tryAgain: () => void) => ReactNode;
  children: ReactNode;
}

interface State {
  of: unknown;
  error: Error | undefined;
}

/** A part that cannot be drawn leaves the rest of the page as it is. */
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

/** A card, tile or row among others: where it cannot be drawn, its name stands in its place. */
export function CardBoundary({ name, of, children }: { name: string; of: unknown; children: ReactNode }) {
  return (
    <Boundary of={of} instead={() => <p className="t2">{t`${name} could not be shown`}</p>}>
      {children}
    </Boundary>
  );
}
