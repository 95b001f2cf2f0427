import { Component, type ReactNode } from 'react';

interface Props {
  /** What is drawn; where it changes, it is tried again. */
  of: unknown;
  /** Shown where it cannot be drawn. */
  instead: ReactNode;
  children: ReactNode;
}

interface State {
  of: unknown;
  failed: boolean;
}

/** What cannot be drawn takes only itself with it. */
export class Boundary extends Component<Props, State> {
  override state: State = { of: this.props.of, failed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { of, failed: false };
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
