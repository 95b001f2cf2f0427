import { Toast } from '@base-ui/react/toast';
import { Check, X } from 'lucide-react';
import { t } from '../../shared/text/texts.ts';
import { Button, IconButton } from './button.tsx';
import { FailGlyph, Icon, UncertainGlyph } from './glyphs.tsx';

export type ToastKind = 'info' | 'doubt' | 'fail';

export interface ToastInput {
  kind?: ToastKind;
  text: string;
  /** An action on it. */
  action?: { label: string; onAction: () => void };
  /** What it is about, such as a job: equal texts about two jobs are two toasts. */
  about?: string | undefined;
}

interface ToastData {
  action?: ToastInput['action'];
}

const manager = Toast.createToastManager<ToastData>();
/**
 * Reports something that happened elsewhere; the outcome of a click is shown where it was made (`showOutcome`). Stays while the pointer is
 * on it. Returns a function that removes it.
 */
export function toast({ kind = 'info', text, about, action }: ToastInput): () => void {
  // The same text about the same thing is one toast.
  const id: string = manager.add({
    id: JSON.stringify([text, about]),
    title: text,
    type: kind,
    priority: kind === 'info' ? 'low' : 'high',
    timeout: kind === 'info' ? 6_000 : 15_000,
    ...(action && { data: { action } }),
  });
  return () => manager.close(id);
}

const GLYPHS = {
  info: <Icon of={Check} />,
  doubt: (
    <span className="st uncertain">
      <UncertainGlyph />
    </span>
  ),
  fail: (
    <span className="st failed">
      <FailGlyph />
    </span>
  ),
};

function ToastList() {
  const { toasts, close } = Toast.useToastManager<ToastData>();
  return toasts.map((entry) => {
    const kind = (entry.type ?? 'info') as ToastKind;
    const action = entry.data?.action;
    return (
      // Its buttons are reachable, so it is not hidden from screen readers.
      <Toast.Root key={entry.id} toast={entry} className={`toast ${kind}`} swipeDirection="right" aria-hidden={false}>
        <Toast.Content className="toast-body">
          {GLYPHS[kind]}
          <Toast.Title
            className="grow whole"
            render={<p title={typeof entry.title === 'string' ? entry.title : undefined} />}
          >
            {entry.title}
          </Toast.Title>
          {action && (
            <Button
              variant="ghost"
              onClick={() => {
                close(entry.id);
                action.onAction();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label={t`Dismiss`} onClick={() => close(entry.id)}>
            <Icon of={X} />
          </IconButton>
        </Toast.Content>
      </Toast.Root>
    );
  });
}

/** The place for toasts, shown one by one: free room in the top bar, so that they cover no control. F6 reaches it. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={1}>
      <Toast.Viewport className="toasts" aria-label={t`Notices`} data-panel>
        <ToastList />
      </Toast.Viewport>
    </Toast.Provider>
  );
}
