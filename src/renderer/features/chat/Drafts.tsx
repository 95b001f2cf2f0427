import { Clapperboard, Image, PencilLine } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Message, ToolResult } from '../../../shared/conversation.ts';
import { canBeApproved, type Draft } from '../../../shared/director/draft.ts';
import { MAX_ARGUMENTS, offersTools } from '../../../shared/director/tools.ts';
import type { ToolCall } from '../../../shared/job.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { counted, t } from '../../../shared/texts.ts';
import { announce, MoneyPlate, navigate, useHasFocus, useStudio } from '../../app/index.ts';
import { AskedAgain, TonightButton, useNowOrTonight, useSpend, useSpendKey } from '../../spending/index.ts';
import {
  Button,
  Checkbox,
  ErrorBox,
  Icon,
  JobStateGlyph,
  PriceTag,
  plural,
  priceText,
  TextAction,
  WhyOff,
} from '../../ui/index.ts';
import { startAsking } from './branching.ts';
import { DraftDifference } from './DraftDifference.tsx';
import { approvable, approve, decline, priceOfDrafts, useDraftsOf, whyNotApproved } from './drafted.ts';
import styles from './drafts.module.css';
import { useOfThread } from './sending.ts';
import { leaveOut, useChat } from './state.ts';
import { useOfferSaid } from './useOfferSaid.ts';

/** What an answer drafts: cards with their difference, price and effect. Nothing of it runs until it is approved. */
export function Drafts({ message }: { message: Message }) {
  const drafts = useDraftsOf(message);
  const left = useChat((state) => state.leftOut);
  const open = approvable(drafts);
  const chosen = open.filter(({ id }) => !left.has(id));
  const { section, hasFocus, focused, stop, ...heard } = useCards(drafts, (draft) =>
    canBeApproved(draft) ? leaveOut(draft.id, !left.has(draft.id)) : announce(t`It cannot be chosen.`),
  );
  useOfferSaid(section, open.length > 0);
  const faults = faultsOf(message);
  if (drafts.length === 0 && faults.length === 0) return <ModelMayGoOn message={message} />;
  return (
    <section className={styles.drafts} aria-label={t`Drafts`} ref={section} {...heard}>
      <header>
        <Heading drafts={drafts} />
        <DeclineAll drafts={drafts} />
      </header>
      <ol className={styles.dcs}>
        {drafts.map((draft) => (
          <Card
            key={draft.id}
            draft={draft}
            isChosen={!left.has(draft.id)}
            isStop={draft.id === stop}
            onChosen={(isChosen) => leaveOut(draft.id, !isChosen)}
          />
        ))}
      </ol>
      {faults.map(({ result, call }) => (
        <Fault key={result.id} result={result} call={call} />
      ))}
      {open.length > 0 && <Decide chosen={chosen} focused={focused} section={section} hasFocus={hasFocus} />}
      <ModelMayGoOn message={message} />
    </section>
  );
}

function Heading({ drafts }: { drafts: readonly Draft[] }) {
  const project = useStudio((state) => state.projects.find(({ id }) => id === drafts[0]?.projectId)?.name);
  const open = drafts.filter(canBeApproved).length;
  const taken = drafts.filter(isTaken).length;
  const made = drafts.filter(({ state }) => state === 'approved').length;
  const rest = made > 0 ? t`${made} approved` : t`Nothing to approve`;
  return (
    <>
      <b className="cut">
        {plural(taken, 'draft')}
        {project ? t` for ${project}` : ''}
      </b>
      <span className="t3">{open > 0 ? t`Nothing runs until you approve it` : taken > 0 ? rest : ''}</span>
    </>
  );
}

/** Models draft again and again what was not to the user's mind, and what waits of a chat has a bound. */
function DeclineAll({ drafts }: { drafts: readonly Draft[] }) {
  const waiting = drafts.filter((draft) => draft.state === 'open' && isTaken(draft));
  if (waiting.length < 2) return null;
  return <TextAction onClick={() => void decline(waiting)}>{t`Decline all ${waiting.length}`}</TextAction>;
}

const isInFooter = (target: EventTarget): boolean => (target as HTMLElement).closest('footer') !== null;

/** The cards by keyboard: Tab stops at one of them, arrows go from one to the next, and Space chooses. */
function useCards(drafts: readonly Draft[], onToggle: (draft: Draft) => void) {
  const section = useRef<HTMLElement>(null);
  const [at, setAt] = useState<string>();
  const hasFocus = useHasFocus(section);
  const idUnder = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-draft]')?.dataset.draft;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const draftId = isInFooter(event.target) ? at : idUnder(event.target);
    const index = drafts.findIndex(({ id }) => id === draftId);
    const own = (event.target as HTMLElement).dataset.draft === undefined ? undefined : drafts[index];
    if (own && event.key === ' ') {
      event.preventDefault();
      onToggle(own);
    }
    const next = step === undefined || index < 0 ? undefined : drafts[index + step];
    if (!next) return;
    event.preventDefault();
    section.current?.querySelector<HTMLElement>(`[data-draft="${CSS.escape(next.id)}"]`)?.focus();
  };
  const focused = drafts.find(({ id }) => id === at);
  const stop = (focused ?? drafts.find(({ state }) => state === 'open') ?? drafts[0])?.id;
  return {
    section,
    hasFocus,
    focused,
    stop,
    // The buttons below are for the draft that the focus comes from.
    onFocus: ({ target }: { target: EventTarget }) => !isInFooter(target) && setAt(idUnder(target)),
    onKeyDown,
  };
}

const ICONS = { newShot: Clapperboard, changeShot: PencilLine, imagine: Image };

interface CardProps {
  draft: Draft;
  isChosen: boolean;
  /** Tab stops at this one. */
  isStop: boolean;
  onChosen: (isChosen: boolean) => void;
}

function Card({ draft, isChosen, isStop, onChosen }: CardProps) {
  const { id, kind, state, errors } = draft;
  const name = nameOf(draft);
  const isOpen = state === 'open' && !errors;
  return (
    <li
      className={`${styles.dc} ${errors ? styles.bad : ''}`}
      data-state={state}
      data-draft={id}
      tabIndex={isStop ? 0 : -1}
      aria-label={name}
    >
      <div className={styles.dch}>
        {isOpen ? (
          <Checkbox checked={isChosen} onChecked={onChosen}>
            <Title draft={draft} />
          </Checkbox>
        ) : (
          <span className="row pick">
            <Icon of={ICONS[kind]} />
            <b className="cut">{name}</b>
          </span>
        )}
        <span className="grow" />
        <Facts draft={draft} />
        {errors === undefined && (
          <PriceTag nano={draft.estimateNano} lowNano={draft.lowNano} unpriced={draft.unpriced ? 1 : 0} />
        )}
        {state === 'open' && isTaken(draft) && (
          <TextAction aria-label={t`Decline ${name}`} onClick={() => void decline([draft])}>
            {t`Decline`}
          </TextAction>
        )}
      </div>
      {errors ? <Errors draft={draft} /> : state !== 'declined' && <DraftDifference draft={draft} />}
    </li>
  );
}

function Title({ draft }: { draft: Draft }) {
  return (
    <span className="row cut">
      <Icon of={ICONS[draft.kind]} />
      <b className="cut">{nameOf(draft)}</b>
    </span>
  );
}

/** It says what is to be made; the others are what the model got wrong. */
const isTaken = ({ shot, image }: Draft): boolean => shot !== undefined || image !== undefined;

function nameOf(draft: Draft): string {
  const { kind, title, shot } = draft;
  if (!isTaken(draft)) return t`Not drafted: ${title}`;
  if (kind === 'changeShot') return shot ? t`Change shot ${shot.number}: ${title}` : t`Change a shot`;
  return kind === 'newShot' && shot ? t`New shot ${shot.number}: ${title}` : title;
}

const SOURCES = {
  text: t`words`,
  first: t`first frame`,
  firstLast: t`first and last`,
  references: 'references',
  extend: 'extend',
};

function Facts({ draft: { state, jobId, shot, image, errors } }: { draft: Draft }) {
  if (state === 'approved')
    return (
      <>
        <JobStateGlyph state="succeeded">{t`approved`}</JobStateGlyph>
        {jobId && <TextAction onClick={() => navigate('queue', { job: jobId })}>{t`Open in the queue`}</TextAction>}
      </>
    );
  if (state === 'declined') return <span className="t3">{t`declined`}</span>;
  if (errors) return <span className="t3">{t`answered to the model`}</span>;
  const seconds = shot?.source === 'extend' ? 7 : shot?.config.durationSeconds;
  const facts = shot
    ? [SOURCES[shot.source], seconds && `${seconds} s`, shot.model]
    : ['imagine', image?.mode, /--ar (\S{1,9})/.exec(image?.prompt ?? '')?.[1]];
  return <span className="t3 nums">{facts.filter(Boolean).join(', ')}</span>;
}

const Errors = ({ draft: { errors = [] } }: { draft: Draft }) => (
  <ul className={styles.dcb}>
    {errors.slice(0, 5).map(({ field, message }) => (
      <li key={`${field} ${message}`} className="t2">
        {field !== '' && <b>{field}</b>} {message}
      </li>
    ))}
  </ul>
);

interface FaultOf {
  result: ToolResult;
  call: ToolCall | undefined;
}

const faultsOf = ({ toolResults = [], toolCalls = [] }: Message): FaultOf[] =>
  toolResults.flatMap((result, index) => (result.error ? [{ result, call: toolCalls[index] }] : []));

/** Longer arguments are not taken, and a page with millions of characters stands still. */
const beginningOf = (text: string): string => (text.length > MAX_ARGUMENTS ? `${text.slice(0, MAX_ARGUMENTS)}…` : text);

/** A call of which nothing could be made, where it happened. */
function Fault({ result: { error, name }, call }: FaultOf) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={`${styles.dc} ${styles.bad}`}>
      <div className={styles.dch}>
        <JobStateGlyph state="failed">
          <b className="cut">{t`A call Dailies could not take: ${call?.name || name}`}</b>
        </JobStateGlyph>
        <span className="grow" />
        <span className="t3">{t`answered to the model`}</span>
        <TextAction aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Hide the call` : t`Show the call`}
        </TextAction>
      </div>
      <p className={`${styles.dcb} t2`}>
        <span>
          {error?.field && <b>{error.field}</b>} {t`${error?.message} Nothing was drafted from it.`}
        </span>
      </p>
      {isOpen && <pre className={`mono ${styles.dcb}`}>{beginningOf(call?.arguments ?? '')}</pre>}
    </div>
  );
}

interface DecideProps {
  chosen: readonly Draft[];
  focused: Draft | undefined;
  section: { current: HTMLElement | null };
  hasFocus: boolean;
}

/** The sum of what is chosen, and the buttons; their keys are heard only while the focus is in the section: each answer has the same. */
function Decide({ chosen, focused, section, hasFocus }: DecideProps) {
  const drafted = useChat((state) => state.drafted);
  const price = priceOfDrafts(chosen);
  const off = whyNotApproved(chosen, drafted);
  const tonight = {
    what: t`Approve ${counted(chosen.length, 'draft')}`,
    shown: price,
    onSend: () => approve(chosen, true),
  };
  const many = useNowOrTonight({ off, onSend: () => approve(chosen, false), tonight });
  const one = useApproveOne(focused, hasFocus);
  const button = useRef<HTMLButtonElement>(null);
  const pressMany = () => many.order(false);
  const hint = useSpendKey('chat.approveDrafts', button, {
    label: tonight.what,
    price: priceWords(price),
    off: many.off,
    isHeard: hasFocus,
    isBusy: many.isBusy,
    onSpend: pressMany,
  });
  useFocusKept(section);
  return (
    <>
      {(many.isWaiting || one.isWaiting) && <AskedAgain />}
      <NotApproved of={many.error ? many : one} isUnknown={many.isUnknown || one.isUnknown} />
      <footer>
        <span className="t2 nums">{amountOf(chosen)}</span>
        <span className="grow" />
        <span className="t3">{t`Total`}</span>
        <MoneyPlate />
        <PriceTag nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />
        <Button
          ref={one.button}
          kbd={hasFocus ? one.hint : undefined}
          off={one.off}
          busy={one.isBusy}
          onClick={one.press}
        >
          {t`Approve one`}
          {one.name && <span className="cut t3">{one.name}</span>}
          {one.price && <span className="price t3">{one.price}</span>}
        </Button>
        <TonightButton night={many.night} />
        <Button
          ref={button}
          variant="primary"
          kbd={hasFocus ? hint : undefined}
          off={many.off}
          busy={many.isBusy}
          onClick={pressMany}
        >
          {t`Approve ${chosen.length}`}
        </Button>
      </footer>
      {off && chosen.length > 0 && <WhyOff>{off}</WhyOff>}
    </>
  );
}

function NotApproved({
  of,
  isUnknown,
}: {
  of: Pick<ReturnType<typeof useSpend>, 'error' | 'dismiss'>;
  isUnknown: boolean;
}) {
  if (!of.error) return null;
  return (
    <ErrorBox title={of.error} cures={[{ label: t`Dismiss`, onCure: of.dismiss }]}>
      {isUnknown
        ? t`It may have been ordered all the same. Pressed again as it is, nothing is ordered twice.`
        : t`Nothing was ordered.`}
    </ErrorBox>
  );
}

/** The approval of the draft that the focus is in, or comes from. */
function useApproveOne(focused: Draft | undefined, hasFocus: boolean) {
  const drafted = useChat((state) => state.drafted);
  const only = focused && canBeApproved(focused) ? [focused] : [];
  const off = only.length === 0 ? t`Go to a draft first.` : whyNotApproved(only, drafted);
  const sending = useSpend(() => approve(only, false));
  const button = useRef<HTMLButtonElement>(null);
  const price = only[0] && priceWords(priceOfDrafts(only));
  const name = only[0] && nameOf(only[0]);
  const press = () => void sending.send();
  const hint = useSpendKey('chat.approveDraft', button, {
    label: name === undefined ? t`Approve one` : t`Approve ${name}`,
    price: price ?? '',
    off,
    isHeard: hasFocus,
    isBusy: sending.isBusy,
    onSpend: press,
  });
  return { ...sending, off, button, name, price, press, hint };
}

const priceWords = ({ estimateNano, lowNano, unpriced }: ShownPrice): string =>
  priceText(estimateNano, lowNano, 'range', unpriced);

/** The buttons go once nothing is left to approve: the focus goes back to the cards. */
function useFocusKept(section: DecideProps['section']): void {
  useLayoutEffect(() => {
    const cards = section.current;
    return () => {
      if (document.activeElement && isInFooter(document.activeElement))
        cards?.querySelector<HTMLElement>('[data-draft][tabindex="0"]')?.focus();
    };
  }, [section]);
}

/** `12 s of video, 2 images`. */
function amountOf(drafts: readonly Draft[]): string {
  const seconds = drafts.reduce((sum, { shot }) => sum + (shot ? secondsOf(shot) : 0), 0);
  const images = drafts.filter(({ image }) => image !== undefined).length;
  return [seconds > 0 && t`${seconds} s of video`, images > 0 && plural(images, 'image')].filter(Boolean).join(', ');
}

const secondsOf = ({ source, config }: NonNullable<Draft['shot']>): number =>
  (source === 'extend' ? 7 : (config.durationSeconds ?? 8)) *
  Math.max(config.sampleCount ?? 1, config.numberOfVideos ?? 1);

/** Behind the newest answer: the model may be asked to go on from what its calls brought, while it may call. */
function ModelMayGoOn({ message: { id } }: { message: Message }) {
  const isNewest = useOfThread((thread) => thread?.messages.at(-1)?.id === id);
  const mayDraft = useOfThread((thread) => offersTools(thread?.conversation));
  const isAsking = useChat((state) => state.asking?.messageId === id && state.asking.ask === 'continue');
  if (!isNewest || !mayDraft || isAsking) return null;
  return (
    <p className={styles.dgo}>
      <TextAction onClick={() => startAsking(id, 'continue')}>{t`Let the model go on from here`}</TextAction>
    </p>
  );
}
