import { ChevronLeft, ChevronRight, GitBranch, Pencil, RotateCcw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { Message } from '../../../shared/chat/conversation.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, showOutcome, useHasFocus, useKeyHint, useShortcut, useSpendChord } from '../../app/index.ts';
import { AskedAgain, useKeyOff, usePrice, useSpend } from '../../spending/index.ts';
import { Button, Icon, IconButton, TextAction, TextArea } from '../../ui/index.ts';
import { type Ask, activate, branchBehind, leaveAsking, startAsking, useAskOrder } from './branching.ts';
import chatStyles from './chat.module.css';
import { MessagePrice, NotSent } from './MessagePrice.tsx';
import messageStyles from './message.module.css';
import { RemovablePictures } from './Pictures.tsx';
import { useOfThread } from './sending.ts';
import { editOf, forgetEdit, leavePictures, setEdit, useChat } from './state.ts';

/** `‹ 2/3 ›`: which variant of the message at this position is shown. */
export function VariantSwitch({ message: { id, conversationId } }: { message: Message }) {
  const variant = useChat((state) =>
    state.threads.get(conversationId)?.variants?.find(({ messageId }) => messageId === id),
  );
  const [earlier, later] = [useKeyHint('chat.previousBranch'), useKeyHint('chat.nextBranch')];
  if (!variant) return null;
  const { at, of, previous, next } = variant;
  const go = (branch: string | undefined) => () => branch !== undefined && void activate(conversationId, branch);
  return (
    <fieldset className={`row ${messageStyles.branch}`} aria-label={t`Version ${at} of ${of}`}>
      <IconButton
        label={t`Previous version`}
        tip={earlier}
        off={previous ? undefined : t`This is the first version.`}
        onClick={go(previous)}
      >
        <Icon of={ChevronLeft} />
      </IconButton>
      <span className="nums">
        {at}/{of}
      </span>
      <IconButton
        label={t`Next version`}
        tip={later}
        off={next ? undefined : t`This is the last version.`}
        onClick={go(next)}
      >
        <Icon of={ChevronRight} />
      </IconButton>
    </fieldset>
  );
}

export function MessageActions({ message, last }: { message: Message; last: Message }) {
  const isOpen = message.state === 'waiting' || message.state === 'streaming';
  return (
    <span className={`row ${messageStyles.onHover}`}>
      {message.role === 'user' ? (
        <IconButton label={t`Edit`} onClick={() => startAsking(message.id, 'edit')}>
          <Icon of={Pencil} />
        </IconButton>
      ) : (
        !isOpen && (
          <IconButton label={t`Regenerate`} onClick={() => startAsking(message.id, 'regenerate')}>
            <Icon of={RotateCcw} />
          </IconButton>
        )
      )}
      <IconButton label={t`Branch from here`} onClick={() => void branchBehind(last)}>
        <Icon of={GitBranch} />
      </IconButton>
    </span>
  );
}

const BUTTONS: Record<Ask, string> = {
  edit: t`Send as a new branch`,
  regenerate: t`Answer again`,
  continue: t`Continue`,
};

interface AskPanelProps {
  ask: Ask;
  message: Message;
  text?: string;
  note: ReactNode;
  stays?: boolean;
  children?: ReactNode;
}

/** The request, its price and the button. The chord works only while the focus is inside, since the message box has the same chord. */
export function AskPanel({ ask, message, text = '', note, stays, children }: AskPanelProps) {
  const { quantity, off: ownOff, send: order } = useAskOrder(ask, message, text);
  const keyOff = useKeyOff();
  const why = ownOff ?? keyOff;
  const price = usePrice(quantity);
  const off = why ?? price.off;
  const { send, isBusy, isWaiting, error, isUnknown, dismiss } = useSpend(
    () => order(price.shown),
    `${ask} ${message.id}`,
  );
  const place = useRef<HTMLFieldSetElement>(null);
  const hasFocus = useHasFocus(place);
  const press = () => (off ? announce(off) : void send());
  const hint = useSpendChord(place, press);
  // The edited text stays for the next time.
  const leave = () => {
    leaveAsking();
    // A request that may have been sent keeps its state, so that repeating it unchanged cannot send it twice.
    if (!isBusy && !isUnknown) dismiss();
  };
  const leaveHint = useShortcut('page.leave', leave, hasFocus && !stays);
  const dismissHere = () => {
    dismiss();
    // The pressed button disappears, so the focus moves here.
    place.current?.focus();
  };
  return (
    <fieldset className={`stack mt ${chatStyles.ask}`} ref={place} tabIndex={-1} aria-label={BUTTONS[ask]}>
      {children}
      {isWaiting && <AskedAgain />}
      <NotSent of={{ error, isUnknown, dismiss: dismissHere }} />
      <div className="row">
        <span className="t3 grow">{why ?? note}</span>
        {price.shown && <MessagePrice shown={price.shown} />}
        {!stays && (
          <Button variant="ghost" kbd={hasFocus ? leaveHint : undefined} onClick={leave}>
            {t`Discard changes`}
          </Button>
        )}
        <Button kbd={hint} off={off} busy={isBusy} onClick={press} autoFocus={ask === 'regenerate'}>
          {BUTTONS[ask]}
        </Button>
      </div>
    </fieldset>
  );
}

export function EditInPlace({ message }: { message: Message }) {
  const text = useChat((state) => editOf(state, message));
  const left = useChat(({ leftPictures }) => leftPictures.get(message.id));
  const pictures = left ?? message.pictures ?? [];
  const branches = useOfThread((thread) => thread?.branches?.length ?? 1);
  const box = useRef<HTMLTextAreaElement>(null);
  // Keeps the focus here when the pressed button disappears.
  const stayHere = () => box.current?.focus();
  const putBack = () => {
    drop(message, { text, left });
    stayHere();
  };
  const takeAway = (id: string) => {
    leavePictures(
      message.id,
      pictures.filter((other) => other !== id),
    );
    stayHere();
  };
  return (
    <AskPanel
      ask="edit"
      message={message}
      text={text}
      note={t`Creates branch ${branches + 1}. The current branch is kept.`}
    >
      <TextArea
        ref={box}
        aria-label={t`Edit the message`}
        autoFocus
        rows={2}
        value={text}
        onValue={(next) => setEdit(message.id, next)}
      />
      <RemovablePictures pictures={pictures} onRemove={takeAway} />
      {(text !== message.text || left) && <TextAction onClick={putBack}>{t`Undo my changes`}</TextAction>}
    </AskPanel>
  );
}

export const outcomeOf = (messageId: string): string => `message ${messageId}`;

/** Drops the edit of a message; it can be restored. */
function drop({ id }: Message, { text, left }: { text: string; left: readonly string[] | undefined }): void {
  forgetEdit(id);
  const undo = () => {
    const { edits, leftPictures } = useChat.getState();
    if (!edits.has(id)) setEdit(id, text);
    if (left && !leftPictures.has(id)) leavePictures(id, left);
    startAsking(id, 'edit');
  };
  showOutcome(outcomeOf(id), { text: t`Your changes to this message were dropped.`, undo });
}

export const AnswerAgain = ({ message }: { message: Message }) => (
  <AskPanel ask="regenerate" message={message} note={t`Creates a new branch. This answer is kept.`} />
);

export const AnswerCalls = ({ message }: { message: Message }) => (
  <AskPanel ask="continue" message={message} note={t`The model reads the results of its calls and answers.`} />
);

export const GoOn = ({ message }: { message: Message }) => (
  <AskPanel ask="continue" message={message} note={t`Continues this answer. Both requests are charged.`} stays />
);
