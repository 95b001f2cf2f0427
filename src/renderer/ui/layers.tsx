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
  /** A line above it. */
  separated?: boolean;
}

/** A menu at its trigger; `trigger` is a button element of this library. */
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
  /** Where something else than its trigger opens or closes it too. */
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

/** A popover that also opens under the pointer and with the focus, which stays at its trigger: Enter goes into it, Tab past it. */
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
  /** What it stands at; it may be drawn anew while the layer is open. */
  anchor: () => Element | null;
  /** What gets the focus when it closes. */
  finalFocus: () => HTMLElement | null;
  title: string;
  children: ReactNode;
}

/** A small layer at an element that need not have opened it; Esc and a click outside close it. */
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
  /** What has the focus at first, where that must not be the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/**
 * Who opened a layer gets the focus back when it closes, whatever in it took the focus as it appeared; also where the layer is taken away
 * with its page part. For the `finalFocus` of the layer: `true` leaves it to the layer, where the opener is no longer there.
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
 * Gives a layer the focus as it appears, not a frame later: what is typed right after the key that opened it is meant for it, and its first
 * letters would be lost. What in it has taken the focus itself keeps it.
 */
function focusAtOnce(popup: HTMLElement, initialFocus: RefObject<HTMLElement | null> | undefined): void {
  if (popup.contains(document.activeElement)) return;
  const first = [...popup.querySelectorAll<HTMLElement>(CONTROLS)].find(
    (control) => control.tabIndex >= 0 && !control.hidden && !control.matches(':disabled'),
  );
  (initialFocus?.current ?? first ?? popup).focus();
}

/** A modal layer. Only to stop a loss or to name a thing; everything else can be undone. */
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
  /** Where it says more than the action. */
  title?: ReactNode;
  /** The action, as its verb: "Cancel 3 jobs". */
  actionLabel: string;
  onConfirm: () => void;
  keep?: string;
}

interface DialogActionsProps extends ButtonProps {
  onClose: () => void;
  /** The way out, where it says more than *Cancel*. */
  keep?: string;
}

/** What a dialog is left by: with nothing done, or by its action. */
export const DialogActions = ({ onClose, keep = t`Cancel`, ...action }: DialogActionsProps) => (
  <>
    <Button variant="ghost" onClick={onClose}>
      {keep}
    </Button>
    <Button variant="primary" {...action} />
  </>
);

/** Asks before a loss, with the cascade in figures. */
export function Confirm({ actionLabel, title = actionLabel, onConfirm, keep = t`Keep it`, ...dialog }: ConfirmProps) {
  const footer = (
    <DialogActions onClose={dialog.onClose} keep={keep} variant="danger" onClick={onConfirm}>
      {actionLabel}
    </DialogActions>
  );
  return <Dialog {...dialog} title={title} footer={footer} />;
}
