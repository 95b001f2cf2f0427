import { Toast } from '@base-ui/react/toast';
import { Check, X } from 'lucide-react';
import { t } from '../../shared/text/texts.ts';
import { Button, IconButton } from './button.tsx';
import { DoubtGlyph, FailGlyph, Icon } from './glyphs.tsx';

export type ToastKind = 'info' | 'doubt' | 'fail';

export interface ToastInput {
  kind?: ToastKind;
  text: string;
  /** One thing to do about it. */
  action?: { label: string; onAction: () => void };
  /** Of what it tells, such as a job: same words about two of them are two toasts. */
  about?: string | undefined;
}

interface ToastData {
  action?: ToastInput['action'];
}

const manager = Toast.createToastManager<ToastData>();
/** Tells of something that happened elsewhere; what the click just made did stands where it was made (`showOutcome`). Waits while the pointer is on it. Answers what takes it away, once it is void. */
export function toast({ kind = 'info', text, about, action }: ToastInput): () => void {
  // Same words about the same thing are one toast while it is there.
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
      <DoubtGlyph />
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
      // Its buttons can be reached, so it is not hidden from those who only hear the page.
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

/** Where toasts appear, one after the other: a free place in the top bar, so that none covers a control. F6 reaches it. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={1}>
      <Toast.Viewport className="toasts" aria-label={t`Notices`} data-panel>
        <ToastList />
      </Toast.Viewport>
    </Toast.Provider>
  );
}
