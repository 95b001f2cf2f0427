import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { Fragment, type ReactElement, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { shownAttributes } from '../elements/seenProps.ts';
import { Button, Kbd } from './button.tsx';

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
      <BaseMenu.Portal render={<section aria-label={`${label ?? 'Menu'}, open`} />}>
        <BaseMenu.Positioner className="layer" sideOffset={4} align="start">
          <BaseMenu.Popup className="menu" {...shownAttributes({ 'aria-label': label })}>
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
}

/** A small layer at its trigger; Esc and a click outside close it. */
export function Popover({ trigger, title, children, align = 'end' }: PopoverProps) {
  return (
    <BasePopover.Root>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner className="layer" sideOffset={4} align={align}>
          <BasePopover.Popup className="pop" {...shownAttributes({ 'aria-label': title })}>
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
  /** Buttons at the right end, the deed last. */
  footer?: ReactNode;
  width?: number;
  /** What has the focus at first, where that must not be the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/** A dialog that is taken away with its page part cannot give the focus back by itself: who opened it gets it. */
function useFocusBack(openAtFirst: boolean): void {
  const opener = useRef(openAtFirst ? document.activeElement : null);
  useEffect(() => {
    const element = opener.current;
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body && element instanceof HTMLElement) element.focus();
      });
    };
  }, []);
}

/** A modal layer. Only to stop a loss or to name a thing; everything else can be undone. */
export function Dialog({ open, onClose, title, children, footer, width = 440, initialFocus }: DialogProps) {
  useFocusBack(open);
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="scrim" />
        <BaseDialog.Popup className="dlg" style={{ width }} {...(initialFocus ? { initialFocus } : {})}>
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

export interface ConfirmProps extends Omit<DialogProps, 'footer'> {
  /** The deed, as its verb: "Cancel 3 jobs". */
  deed: string;
  onDeed: () => void;
  keep?: string;
}

/** Asks before a loss, with the cascade in figures. */
export function Confirm({ deed, onDeed, keep = 'Keep it', ...dialog }: ConfirmProps) {
  const footer = (
    <>
      <Button variant="ghost" onClick={dialog.onClose}>
        {keep}
      </Button>
      <Button variant="danger" onClick={onDeed}>
        {deed}
      </Button>
    </>
  );
  return <Dialog {...dialog} footer={footer} />;
}
