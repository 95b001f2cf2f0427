import { memo, type RefObject, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Message } from '../../../shared/conversation.ts';
import { t } from '../../../shared/texts.ts';
import { joinedAnswers } from '../../../shared/thread.ts';
import { focusOnArrival } from '../../app/index.ts';
import { Button, plural } from '../../ui/index.ts';
import { startAsking } from './branching.ts';
import styles from './chat.module.css';
import { MessageView } from './MessageView.tsx';
import { useChat } from './state.ts';

/** About as many as fill a window: they are drawn first, and the others of {@link SHOWN} behind them without holding up the page. */
const FIRST = 8;
const SHOWN = 40;

/** The messages, newest at the bottom. The scroller is laid out from its end, so that a growing answer stays in view without scripts. */
export const Thread = memo(function Thread({ messages }: { messages: readonly Message[] }) {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => startTransition(() => setShown(SHOWN)), []);
  const latest = useRef(messages);
  latest.current = messages;
  // The same function while an answer grows: only that one message is drawn anew.
  const again = useCallback((message: Message) => {
    const { current } = latest;
    const asked = questionOf(current, current.indexOf(message));
    // In its place: from the box it would be asked a second time, behind itself.
    if (asked) startAsking(asked.id, 'edit');
  }, []);
  const answered = useMemo(() => joinedAnswers(messages), [messages]);
  const scroller = useRef<HTMLElement>(null);
  const wanted = useChat((state) => state.jumpTo);
  const at = wanted === undefined ? -1 : answered.findIndex(({ parts }) => parts.some(({ id }) => id === wanted));
  useJump(scroller, at === -1 ? undefined : answered[at]?.message.id);
  const hidden = Math.max(0, Math.min(answered.length - shown, at === -1 ? Number.MAX_SAFE_INTEGER : at));
  const visible = answered.slice(hidden);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller without a control in it must be reachable by keyboard.
    <section className={styles.thread} ref={scroller} tabIndex={0} aria-label={t`Messages`}>
      <div className={styles.msgs} role="log" aria-live="off">
        {hidden > 0 && shown > FIRST && (
          <div className={`row ${styles.fold}`}>
            <i />
            <Button variant="ghost" onClick={() => setShown(answered.length - hidden + SHOWN)}>
              {plural(hidden, 'earlier message')}
            </Button>
            <i />
          </div>
        )}
        {visible.map(({ message, parts }) => (
          <MessageView key={message.id} message={message} parts={parts} onAgain={again} />
        ))}
      </div>
    </section>
  );
});

function useJump(scroller: RefObject<HTMLElement | null>, id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const shown = scroller.current?.querySelectorAll<HTMLElement>('[data-message]') ?? [];
    const found = [...shown].find(({ dataset }) => dataset.message === id);
    if (!found) return;
    found.scrollIntoView?.({ block: 'center' });
    focusOnArrival(found);
    useChat.setState({ jumpTo: undefined });
  }, [scroller, id]);
}

const questionOf = (messages: readonly Message[], index: number): Message | undefined =>
  messages.slice(0, index).findLast(({ role }) => role === 'user');
