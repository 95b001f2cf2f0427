import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import {
  Fragment,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../shared/text/texts.ts';
import { safeAttributes } from '../safeText/safeProps.ts';
import { Button, type ButtonProps, Kbd } from './button.tsx';
import { modalLayer } from './modals.ts';

export interface MenuItem {
  id: string;
  label: ReactNode;
  onSelect: () => void;
  kbd?: string | undefined;
  /** Why it is off; shown at the right end. */
  off?: string | undefined;
  danger?: boolean;
  checked?: boolean;
  icon?: ReactNode;
  /** A separator line above it. */
  separated?: boolean;
}

/** A menu at its trigger, a button of this library. */
export function Menu({ trigger, items, label }: { trigger: ReactElement; items: readonly MenuItem[]; label?: string }) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal render={<section aria-label={t`${label ?? t`Menu`}, open`} />}>
        <BaseMenu.Positioner className="layer" sideOffset={4} align="start">
          <BaseMenu.Popup className="menu" {...safeAttributes({ 'aria-label': label })}>
            {items.map((item) => (
              <Fragment key={item.id}>
                {item.separated && <BaseMenu.Separator className="menu-line" />}
                <BaseMenu.Item
                  className={`mi ${item.danger ? 'fail' : ''}`}
                  disabled={Boolean(item.off)}
                  onClick={item.onSelect}
                  aria-current={item.checked || undefined}
                >
                  {item.icon}
                  {item.label}
                  {item.off && <span className="t3 note-end">{item.off}</span>}
                  {item.checked && <span className="note-end">✓</span>}
                  {item.kbd && <Kbd>{item.kbd}</Kbd>}
                </BaseMenu.Item>
              </Fragment>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

export interface PopoverProps {
  trigger: ReactElement;
  title: string;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  /** Controls it from outside, besides its trigger. */
  open?: boolean;
  onOpen?: (open: boolean) => void;
}

/** A small layer at its trigger; Esc and a click outside close it. */
export function Popover({ trigger, title, children, align = 'end', open, onOpen }: PopoverProps) {
  const controlled = open === undefined ? {} : { open, onOpenChange: (next: boolean) => onOpen?.(next) };
  return (
    <BasePopover.Root {...controlled}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner className="layer" sideOffset={4} align={align}>
          <BasePopover.Popup className="pop" {...safeAttributes({ 'aria-label': title })}>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}

/** A popover that also opens on hover and focus. The focus stays at the trigger: Enter moves into it, Tab past it. */
export function Glance({ trigger, title, children }: Pick<PopoverProps, 'trigger' | 'title' | 'children'>) {
  const [open, setOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const isGlance = useRef(false);
  const isBack = useRef(false);
  const change = (next: boolean, { reason }: { reason: string }) => {
    const enters = !next && isGlance.current && reason === 'trigger-press';
    isGlance.current = false;
    if (enters && popup.current) return focusAtOnce(popup.current, undefined);
    isBack.current = reason === 'escape-key' && popup.current?.contains(document.activeElement) === true;
    setOpen(next);
  };
  const glance = (trigger: HTMLElement) => {
    const returns = isBack.current;
    isBack.current = false;
    if (open || returns || !trigger.matches(':focus-visible')) return;
    isGlance.current = true;
    setOpen(true);
  };
  return (
    <BasePopover.Root open={open} onOpenChange={change}>
      <BasePopover.Trigger
        render={trigger}
        openOnHover
        onFocus={({ currentTarget }) => glance(currentTarget)}
        onKeyDown={({ key }) => key === 'Tab' && flushSync(() => setOpen(false))}
      />
      <BasePopover.Portal>
        <BasePopover.Positioner className="layer" sideOffset={4} align="end">
          <BasePopover.Popup
            ref={popup}
            className="pop"
            initialFocus={() => !isGlance.current}
            {...safeAttributes({ 'aria-label': title })}
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}

interface AnchoredPopoverProps {
  open: boolean;
  onClose: () => void;
  /** The element it is anchored to, which may be rendered again while the layer is open. */
  anchor: () => Element | null;
  /** The element that gets the focus when it closes. */
  finalFocus: () => HTMLElement | null;
  title: string;
  children: ReactNode;
}

/** A small layer anchored to an element other than its opener; Esc and a click outside close it. */
export function AnchoredPopover({ open, onClose, anchor, finalFocus, title, children }: AnchoredPopoverProps) {
  return (
    <BasePopover.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BasePopover.Portal>
        <BasePopover.Positioner className="layer" sideOffset={6} align="center" side="top" anchor={anchor}>
          <BasePopover.Popup
            className="pop"
            finalFocus={() => finalFocus() ?? true}
            {...safeAttributes({ 'aria-label': title })}
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons at the right end, the action last. */
  footer?: ReactNode;
  width?: number;
  /** The initial focus, if not the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/**
 * The opener of a layer gets the focus back when the layer closes or unmounts, whatever inside took it. For the layer's `finalFocus`:
 * `true` leaves it to the layer if the opener is gone.
 */
export function useOpener(open: boolean): () => HTMLElement | true {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  useEffect(
    () => () => {
      const element = opener.current;
      setTimeout(() => {
        if (document.activeElement === document.body && element instanceof HTMLElement) element.focus();
      });
    },
    [],
  );
  return () => {
    const element = opener.current;
    return element instanceof HTMLElement && element !== document.body && element.isConnected ? element : true;
  };
}

const CONTROLS = 'input, textarea, select, button, a[href], [tabindex]';

/**
 * Focuses a layer as it appears, not a frame later: text typed right after the opening shortcut is meant for it. An element inside that has
 * already taken the focus keeps it.
 */
function focusAtOnce(popup: HTMLElement, initialFocus: RefObject<HTMLElement | null> | undefined): void {
  if (popup.contains(document.activeElement)) return;
  const first = [...popup.querySelectorAll<HTMLElement>(CONTROLS)].find(
    (control) => control.tabIndex >= 0 && !control.hidden && !control.matches(':disabled'),
  );
  (initialFocus?.current ?? first ?? popup).focus();
}

/** A modal layer. Only to prevent a loss or to name something; everything else can be undone. */
export function Dialog({ open, onClose, title, children, footer, width = 440, initialFocus }: DialogProps) {
  const finalFocus = useOpener(open);
  const appear = useCallback(
    (popup: HTMLElement | null) => {
      const leave = modalLayer(popup);
      if (popup) focusAtOnce(popup, initialFocus);
      return leave;
    },
    [initialFocus],
  );
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="scrim" />
        <BaseDialog.Popup
          ref={appear}
          className="dlg"
          style={{ width }}
          finalFocus={finalFocus}
          {...(initialFocus ? { initialFocus } : {})}
        >
          <div className="dlg-head">
            <BaseDialog.Title>{title}</BaseDialog.Title>
          </div>
          <div>{children}</div>
          {footer && <footer>{footer}</footer>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

export interface ConfirmProps extends Omit<DialogProps, 'footer' | 'title'> {
  /** A title that says more than the action. */
  title?: ReactNode;
  /** The action, as its verb: "Cancel 3 jobs". */
  actionLabel: string;
  onConfirm: () => void;
  keep?: string;
}

interface DialogActionsProps extends ButtonProps {
  onClose: () => void;
  /** The label of the way out, instead of *Cancel*. */
  keep?: string;
}

/** The buttons of a dialog: one that does nothing, and the action. */
export const DialogActions = ({ onClose, keep = t`Cancel`, ...action }: DialogActionsProps) => (
  <>
    <Button variant="ghost" onClick={onClose}>
      {keep}
    </Button>
    <Button variant="primary" {...action} />
  </>
);

/** Asks before a loss, with numbers of everything affected. */
export function Confirm({ actionLabel, title = actionLabel, onConfirm, keep = t`Keep it`, ...dialog }: ConfirmProps) {
  const footer = (
    <DialogActions onClose={dialog.onClose} keep={keep} variant="danger" onClick={onConfirm}>
      {actionLabel}
    </DialogActions>
  );
  return <Dialog {...dialog} title={title} footer={footer} />;
}
