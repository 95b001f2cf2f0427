import { ChevronLeft } from 'lucide-react';
import { Button, type ButtonProps, Icon, Kbd, Segmented, type SegmentedProps } from '../ui/index.ts';
import type { ActionId } from './keys/actions.ts';
import { useShortcut } from './keys/shortcuts.ts';

interface ActionButtonProps extends Omit<ButtonProps, 'kbd' | 'onClick'> {
  action: ActionId;
  onDo: () => void;
}

/** A button for an action of the tables: it shows the action's shortcut, and the shortcut presses it. */
export function ActionButton({ action, onDo, ...button }: ActionButtonProps) {
  const hint = useShortcut(action, onDo, !button.off);
  return <Button {...button} title={button.off || button.title} kbd={hint} onClick={onDo} />;
}

/** Leaves a page; its shortcut does the same. */
export function BackButton({ onLeave, className, children }: { onLeave: () => void } & ButtonProps) {
  return (
    <ActionButton variant="ghost" className={className} action="page.leave" onDo={onLeave}>
      <Icon of={ChevronLeft} />
      {children}
    </ActionButton>
  );
}

interface ActionChoiceProps<Value extends string> extends Omit<SegmentedProps<Value>, 'options'> {
  options: readonly { value: Value; label: string; action: ActionId }[];
}

/** A few options, each also selected by the shortcut of its action. */
export function ActionChoice<Value extends string>({ options, ...props }: ActionChoiceProps<Value>) {
  const keyed = options.map(({ action, ...option }) => ({
    ...option,
    kbd: <ActionKey action={action} onDo={() => props.onValue(option.value)} />,
  }));
  return <Segmented {...props} options={keyed} />;
}

/** Shows the shortcut of an action, and runs it while shown. */
export function ActionKey({ action, onDo }: Pick<ActionButtonProps, 'action' | 'onDo'>) {
  const hint = useShortcut(action, onDo);
  return hint && <Kbd>{hint}</Kbd>;
}
