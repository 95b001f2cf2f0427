import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import { Download, Info } from 'lucide-react';
import type { ComponentPropsWithRef, MouseEvent, ReactElement, ReactNode } from 'react';
import { withBareAddresses } from '../../shared/gateway/bareAddress.ts';
import { Icon } from './glyphs.tsx';

/** A key or chord on a control; get the text from `useKeyHint(action)` of the app. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>;
}

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'ghost-danger';

const VARIANT_CLASS: Record<ButtonVariant, string> = {
  primary: 'btn pri',
  secondary: 'btn',
  ghost: 'btn ghost',
  danger: 'btn danger',
  'ghost-danger': 'btn ghost danger',
};

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled'> {
  variant?: ButtonVariant;
  /** The chord shown on the button. */
  kbd?: string | undefined;
  /**
   * Why the button is off, in one sentence; empty or undefined means it is on. The button stays focusable, is announced with the reason,
   * and ignores clicks. Show the same sentence beside it with {@link WhyOff}.
   */
  off?: string | undefined;
  /** Off while its own action is running. */
  busy?: boolean;
}

/** Props of an off button: announced as disabled, and still focusable. */
function offProps(off: string | undefined, busy: boolean, onClick: ComponentPropsWithRef<'button'>['onClick']) {
  const isOff = Boolean(off) || busy;
  return {
    'aria-disabled': isOff || undefined,
    'aria-busy': busy || undefined,
    'aria-description': off || undefined,
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      if (isOff) event.preventDefault();
      else onClick?.(event);
    },
  };
}

/** The label is the verb: *Make take 7*. One primary button per page. */
export function Button(props: ButtonProps) {
  const { variant = 'secondary', kbd, off, busy = false, onClick, className, children, ...rest } = props;
  const classes = [VARIANT_CLASS[variant], (off || busy) && 'is-off', className];
  return (
    <button type="button" {...rest} className={classes.filter(Boolean).join(' ')} {...offProps(off, busy, onClick)}>
      {children}
      {kbd && <Kbd>{kbd}</Kbd>}
    </button>
  );
}

export interface SaveLinkProps {
  /** An address of the page's own origin. */
  href: string;
  /** The suggested file name. */
  name: string;
  off?: string | undefined;
  className?: string;
  children: ReactNode;
}

/** A button that saves a file: a browser puts it into its downloads, Electron asks for the place. */
export function SaveLink({ href, name, off, className, children }: SaveLinkProps) {
  if (off) {
    return (
      <Button className={className} off={off}>
        <Icon of={Download} />
        {children}
      </Button>
    );
  }
  return (
    <a className={['btn', className].filter(Boolean).join(' ')} href={href} download={withBareAddresses(name)}>
      <Icon of={Download} />
      {children}
    </a>
  );
}

/** A name and shortcut for a control that is only an icon; appears on hover and focus. */
function Tooltip({ children, text, kbd }: { children: ReactElement; text: string; kbd?: string | undefined }) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal render={<div aria-hidden="true" />}>
        <BaseTooltip.Positioner className="layer tips" sideOffset={6}>
          <BaseTooltip.Popup className="tip">
            {text}
            {kbd && <Kbd>{kbd}</Kbd>}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'kbd'> {
  /** The accessible name, shown as a tooltip. */
  label: string;
  /** Its shortcut, shown in the tooltip. */
  tip?: string;
  children: ReactNode;
}

/** A square icon button with a name. */
export function IconButton({ label, tip, variant = 'ghost', className, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} kbd={tip}>
      <Button {...rest} variant={variant} className={`ic ${className ?? ''}`} aria-label={label}>
        {children}
      </Button>
    </Tooltip>
  );
}

/** The sentence beside an off button, from `readiness()`. Renders nothing without a reason. */
export function WhyOff({ children }: { children?: ReactNode }) {
  if (!children) return null;
  return (
    <p className="why">
      <Icon of={Info} />
      <span>{children}</span>
    </p>
  );
}

type TextActionProps = ComponentPropsWithRef<'button'> & Pick<ButtonProps, 'busy' | 'off'>;

/** A link-like action inside text or at the end of a line. */
export function TextAction({ className, busy = false, off, onClick, ...rest }: TextActionProps) {
  return <button type="button" {...rest} className={`lnk ${className ?? ''}`} {...offProps(off, busy, onClick)} />;
}
