import { Clapperboard, Image, PencilLine } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import type { Message, ToolResult } from '../../../shared/chat/conversation.ts';
import { canBeApproved, type Draft, type DraftChange } from '../../../shared/chat/director/draft.ts';
import { MAX_ARGUMENTS, offersTools } from '../../../shared/chat/director/tools.ts';
import type { Reason } from '../../../shared/contract/result.ts';
import type { ToolCall } from '../../../shared/jobs/job.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import { counted, formatLocale, t } from '../../../shared/text/texts.ts';
import { announce, navigate, useHasFocus, useStudio } from '../../app/index.ts';
import { DifferingWords, differingWords } from '../../ui/differingWords.tsx';
import { Checkbox, Icon, JobStateGlyph, PriceTag, plural, TextAction } from '../../ui/index.ts';
import { startAsking } from './branching.ts';
import { Decide, isInFooter, useOfferSaid } from './Decide.tsx';
import { decline, isTaken, nameOf, useDraftsOf } from './drafted.ts';
import styles from './drafts.module.css';
import { useOfThread } from './sending.ts';
import { leaveOut, useChat } from './state.ts';

/** The drafts of an answer: cards with difference, price and effect. Nothing runs until it is approved. */
export function Drafts({ message }: { message: Message }) {
  const drafts = useDraftsOf(message);
  const left = useChat((state) => state.leftOut);
  const open = drafts.filter(canBeApproved);
  const chosen = open.filter(({ id }) => !left.has(id));
  const { section, hasFocus, focused, stop, ...heard } = useCards(drafts, (draft) =>
    canBeApproved(draft) ? leaveOut(draft.id, !left.has(draft.id)) : announce(t`This draft cannot be selected.`),
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
      <ol>
        {drafts.map((draft) => (
          <Card key={draft.id} draft={draft} isChosen={!left.has(draft.id)} isStop={draft.id === stop} />
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
      <b className="cut">{project ? t`${counted(taken, 'draft')} for ${project}` : plural(taken, 'draft')}</b>
      <span className="t3">{open > 0 ? t`Nothing is sent until you approve it` : taken > 0 ? rest : ''}</span>
    </>
  );
}

/** Models may repeat drafts that the user did not want, and the number of open drafts per chat is limited. */
function DeclineAll({ drafts }: { drafts: readonly Draft[] }) {
  const waiting = drafts.filter((draft) => draft.state === 'open' && isTaken(draft));
  if (waiting.length < 2) return null;
  return <TextAction onClick={() => void decline(waiting)}>{t`Decline all ${waiting.length}`}</TextAction>;
}

/** Keyboard support of the cards: Tab stops at one of them, arrows move, Space selects. */
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
    // In the footer, the buttons keep acting on the draft that had the focus before.
    onFocus: ({ target }: { target: EventTarget }) => !isInFooter(target) && setAt(idUnder(target)),
    onKeyDown,
  };
}

const ICONS = { newShot: Clapperboard, changeShot: PencilLine, imagine: Image };

interface CardProps {
  draft: Draft;
  isChosen: boolean;
  isStop: boolean;
}

function Card({ draft, isChosen, isStop }: CardProps) {
  const { id, kind, state, errors } = draft;
  const name = nameOf(draft);
  const title = (
    <span className="row cut">
      <Icon of={ICONS[kind]} />
      <b className="cut">{name}</b>
    </span>
  );
  return (
    <li
      className={styles.draft}
      data-state={errors ? 'wrong' : state}
      data-draft={id}
      tabIndex={isStop ? 0 : -1}
      aria-label={name}
    >
      <div className={styles.heading}>
        {canBeApproved(draft) ? (
          <Checkbox checked={isChosen} onChecked={(isIn) => leaveOut(id, !isIn)}>
            {title}
          </Checkbox>
        ) : (
          title
        )}
        <span className="grow" />
        <Facts draft={draft} />
        {!errors && <PriceTag nano={draft.estimateNano} lowNano={draft.lowNano} unpriced={draft.unpriced} />}
        {state === 'open' && isTaken(draft) && (
          <TextAction aria-label={t`Decline ${name}`} onClick={() => void decline([draft])}>
            {t`Decline`}
          </TextAction>
        )}
      </div>
      {errors ? <Errors errors={errors} /> : state !== 'declined' && <DraftDifference draft={draft} />}
    </li>
  );
}

const SOURCES = {
  text: t`Text`,
  first: t`First frame`,
  firstLast: t`First and last frame`,
  references: t`References`,
  extend: t`Extend`,
};

function Facts({ draft: { state, jobId, shot, image, errors } }: { draft: Draft }) {
  if (state === 'approved')
    return (
      <>
        <JobStateGlyph state="succeeded">{jobId ? t`Approved` : t`On the board`}</JobStateGlyph>
        {jobId && <TextAction onClick={() => navigate('queue', { job: jobId })}>{t`Open in Queue`}</TextAction>}
      </>
    );
  if (state === 'declined') return <span className="t3">{t`Declined`}</span>;
  if (errors) return <span className="t3">{t`The model was informed`}</span>;
  const seconds = shot?.source === 'extend' ? 7 : shot?.config.durationSeconds;
  const facts = shot
    ? [SOURCES[shot.source], seconds && `${seconds} s`, shot.model]
    : ['imagine', image?.mode, /--ar (\S{1,9})/.exec(image?.prompt ?? '')?.[1]];
  return <span className="t3 nums">{facts.filter(Boolean).join(', ')}</span>;
}

const Errors = ({ errors }: { errors: readonly Reason[] }) => (
  <ul className={styles.difference}>
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

/** Longer arguments are refused anyway, and rendering millions of characters would freeze the page. */
const beginningOf = (text: string): string => (text.length > MAX_ARGUMENTS ? `${text.slice(0, MAX_ARGUMENTS)}…` : text);

function Fault({ result: { error, name }, call }: FaultOf) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.draft} data-state="wrong">
      <div className={styles.heading}>
        <JobStateGlyph state="failed">
          <b className="cut">{t`Dailies could not use this call: ${call?.name || name}`}</b>
        </JobStateGlyph>
        <span className="grow" />
        <span className="t3">{t`The model was informed`}</span>
        <TextAction aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Hide tool call` : t`Show tool call`}
        </TextAction>
      </div>
      <p className={`${styles.difference} t2`}>
        <span>
          {error?.field && <b>{error.field}</b>} {error?.message}
        </span>
      </p>
      {isOpen && <pre className={`mono ${styles.difference}`}>{beginningOf(call?.arguments ?? '')}</pre>}
    </div>
  );
}

/** After the newest answer: lets the model continue with the results of its calls, while calls are allowed. */
function ModelMayGoOn({ message: { id } }: { message: Message }) {
  const isNewest = useOfThread((thread) => thread?.messages.at(-1)?.id === id);
  const mayDraft = useOfThread((thread) => offersTools(thread?.conversation));
  const isAsking = useChat((state) => state.asking?.messageId === id && state.asking.ask === 'continue');
  if (!isNewest || !mayDraft || isAsking) return null;
  return (
    <p className="pad">
      <TextAction onClick={() => startAsking(id, 'continue')}>{t`Let the model continue`}</TextAction>
    </p>
  );
}

function DraftDifference({ draft }: { draft: Draft }) {
  const { kind, shot, image, changes = [], goesStale = [], state } = draft;
  const words = safeName(shot?.prompt ?? image?.prompt ?? '');
  const rows = kind === 'changeShot' ? changes : [];
  return (
    <div className={styles.difference}>
      {kind !== 'changeShot' && words && <p className={styles.words}>{words}</p>}
      {rows.map((change) => (
        <Row key={change.field} name={NAMES[change.field] ?? change.field}>
          <Change change={change} />
        </Row>
      ))}
      {shot && kind === 'newShot' && shot.joint !== 'cut' && <Row name={t`Link`}>{LINKS[shot.joint]}</Row>}
      {shot && state === 'open' && (kind === 'changeShot' || goesStale.length > 0) && (
        <Row name={t`Then`}>{effectOf(goesStale.map(({ number }) => number))}</Row>
      )}
    </div>
  );
}

const NAMES: Record<string, string> = {
  title: t`Title`,
  prompt: t`Prompt`,
  model: t`Model`,
  joint: t`Link`,
  'config.durationSeconds': t`Length`,
  'config.resolution': t`Resolution`,
  'config.aspectRatio': t`Aspect`,
  'config.generateAudio': t`Sound`,
  'config.sampleCount': t`Variations`,
  'config.seed': t`Seed`,
};

const LINKS = {
  cut: t`Cut`,
  continue: t`Continues from the previous shot’s last frame`,
  transition: t`Transition from the previous shot’s last frame`,
  extend: t`Extends the previous clip, with its sound`,
};

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className={styles.change}>
      <span className="t3">{name}</span>
      <span>{children}</span>
    </p>
  );
}

function Change({ change: { field, before, after } }: { change: DraftChange }) {
  const isText = typeof before === 'string' && typeof after === 'string' && (field === 'prompt' || field === 'title');
  const parts = useMemo(
    () => (isText ? differingWords(safeName(before as string), safeName(after as string)) : undefined),
    [isText, before, after],
  );
  if (parts) return <DifferingWords parts={parts} />;
  return (
    <>
      {before !== undefined && <del>{valueWords(field, before)}</del>} <ins>{valueWords(field, after)}</ins>
    </>
  );
}

function valueWords(field: string, value: unknown): string {
  if (value === undefined) return t`Not set`;
  if (typeof value === 'boolean') return value ? t`On` : t`Off`;
  return field === 'config.durationSeconds' ? `${String(value)} s` : safeName(String(value));
}

function effectOf(outdated: readonly number[]): string {
  if (outdated.length === 0) return t`No other shot becomes outdated`;
  const names = new Intl.ListFormat(formatLocale()).format(outdated.map(String));
  return outdated.length === 1 ? t`Shot ${names} becomes outdated` : t`Shots ${names} become outdated`;
}
