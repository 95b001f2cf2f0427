import type { StudioEvent } from '../../../shared/contract/events.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Notifier } from '../ports.ts';
import { type NightRunRow, settingsOf } from './nightRuns.ts';

interface Deps {
  emit(event: StudioEvent): void;
  notifier: Notifier;
}

/** Tells the user that a night has ended: by a rule, or with its hours and what became of it. */
export function tellEnd(deps: Deps, run: NightRunRow, summary: () => string): void {
  const byRule = run.ended_by !== 'window' && run.ended_by !== 'user';
  if (byRule) {
    const text = run.ended_text ?? t`Overnight run ${run.number} is over.`;
    deps.emit({ type: 'notice', level: 'error', text, urgent: true });
    notify(deps, run, text);
  }
  if (run.ended_by === 'window') {
    const text = summary();
    deps.emit({ type: 'notice', level: 'info', text });
    if (run.done_at === null) notify(deps, run, text);
  }
}

/** Tells the user that a night which was to open again does not. */
export function tellNotOpened(deps: Deps, run: NightRunRow, text: string): void {
  deps.emit({ type: 'notice', level: 'error', text });
  notify(deps, run, text);
}

function notify({ notifier }: Deps, run: NightRunRow, body: string): void {
  if (settingsOf(run).notify) notifier.notify({ title: `Overnight run ${run.number}`, body, place: 'night' });
}
