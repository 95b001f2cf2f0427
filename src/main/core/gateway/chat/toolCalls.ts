import type { ToolCall } from '../../../../shared/jobs/job.ts';
import { MAX_CALL_ID, MAX_CALL_NAME, MAX_THOUGHT_SIGNATURE, MAX_TOOL_CALLS } from '../../../../shared/kinds/chat.ts';
import { field, isObject, textOf } from '../json/fields.ts';
import { type Json, parseJson } from '../json/parse.ts';

interface Draft {
  index?: number;
  id?: string;
  name: string;
  arguments: JsonText;
  thoughtSignature?: string;
}

/** Assembles tool calls from their pieces. Index and id may be missing or wrong, because services differ. */
export function createToolCallAssembly() {
  const drafts: Drafts = { all: [], latest: new Map(), isFull: false };
  return {
    /**
     * Adds the list of pieces of one chunk or message. `fitting` truncates a text to what is kept. Returns `false` once there are more
     * calls than are kept.
     */
    push(pieces: readonly Json[], fitting: (text: string) => string): boolean {
      // Without an index and an id, the entries of one list are identified by their position.
      const byPlace = pieces.length > 1;
      for (const [place, piece] of pieces.entries()) {
        if (drafts.isFull) break;
        if (isObject(piece)) merge(drafts, piece, byPlace ? place : undefined, fitting);
      }
      return !drafts.isFull;
    },
    result: (): ToolCall[] => {
      const named = drafts.all.filter((draft) => draft.name !== '');
      const ids = idsOf(named);
      return named.map((draft, at) => ({
        id: (ids[at] ?? '').slice(0, MAX_CALL_ID),
        name: draft.name.slice(0, MAX_CALL_NAME),
        arguments: draft.arguments.text().trim() || '{}',
        ...(draft.thoughtSignature === undefined ? {} : { thoughtSignature: draft.thoughtSignature }),
      }));
    },
  };
}

/**
 * An id for each call. A call without one, or with that of an earlier call, gets a new one: services refuse a conversation with two equal
 * ids.
 */
function idsOf(drafts: readonly Draft[]): string[] {
  const told = new Set(drafts.flatMap(({ id }) => id ?? []));
  const used = new Set<string>();
  return drafts.map(({ id }, at) => {
    let own = id !== undefined && !used.has(id) ? id : `call_${at + 1}`;
    while (own !== id && told.has(own)) own += '_';
    used.add(own);
    return own;
  });
}

interface Piece {
  index?: number;
  id?: string;
  name: string;
  text: string;
}

function merge(drafts: Drafts, piece: Json, place: number | undefined, fitting: (text: string) => string): void {
  const given = Number(textOf(field(piece, 'index')) ?? Number.NaN);
  const index = Number.isInteger(given) ? given : place;
  const id = textOf(field(piece, 'id', 'callId'));
  const call = field(piece, 'function') ?? piece;
  const name = fitting(textOf(field(call, 'name')) ?? '');
  const text = fitting(argumentsOf(field(call, 'arguments', 'input', 'args', 'parameters')));
  const draft = draftFor(drafts, { index, id, name, text });
  if (!draft) return;
  learnNames(drafts, draft, { id, index });
  // A name may come in pieces, or again with every piece.
  if (name !== draft.name && draft.arguments.length() === 0) draft.name += name;
  draft.arguments.add(text);
  draft.thoughtSignature ??= signatureOf(piece);
}

/** Undefined for a partial signature, which is useless. */
function signatureOf(piece: Json): string | undefined {
  const signature = field(field(field(piece, 'extraContent'), 'google'), 'thoughtSignature');
  return typeof signature === 'string' && signature.length <= MAX_THOUGHT_SIGNATURE ? signature : undefined;
}

interface Drafts {
  all: Draft[];
  /** The latest call with an index, with an id, or with both. */
  latest: Map<string, Draft>;
  isFull: boolean;
}

const withId = (id: string, index: number | '' = ''): string => `${index}\n${id}`;

function learnNames({ latest }: Drafts, draft: Draft, { id, index }: Pick<Piece, 'id' | 'index'>): void {
  if (id === undefined) return;
  draft.id ??= id;
  draft.index ??= index;
  latest.set(withId(id), draft);
  if (index !== undefined) latest.set(withId(id, index), draft);
}

function draftFor(drafts: Drafts, piece: Piece): Draft | undefined {
  const { id, index } = piece;
  const sameId = id === undefined ? undefined : drafts.latest.get(withId(id));
  const known = sameId
    ? draftOfId(sameId, drafts.latest.get(withId(id ?? '', index)), piece)
    : draftWithoutId(drafts, piece);
  if (known) return known;
  drafts.isFull = drafts.all.length >= MAX_TOOL_CALLS;
  if (drafts.isFull) return undefined;
  const draft: Draft = { index, id, name: '', arguments: createJsonText() };
  drafts.all.push(draft);
  if (index !== undefined) drafts.latest.set(`${index}`, draft);
  return draft;
}

/**
 * The call with this id that the piece continues or repeats; undefined if the piece begins another call. Some models give all their calls
 * the same id (HKUDS/nanobot#3943, can1357/oh-my-pi#2055).
 */
function draftOfId(latest: Draft, known: Draft | undefined, { index, name, text }: Piece): Draft | undefined {
  const sameIndex = index === undefined ? undefined : known;
  const draft = sameIndex ?? latest;
  if (name === '' || !draft.arguments.isComplete()) return draft;
  if (name !== draft.name) return undefined;
  // The same index always means the same call, so that nothing is called twice.
  if (sameIndex || (text === '{}' && index === undefined) || draft.arguments.is(text)) return draft;
  const isAtOtherIndex = index !== undefined && sameIndex === undefined && latest.index !== undefined;
  const hasOtherArguments = isObjectText(text) && !draft.arguments.isPlaceholder();
  return isAtOtherIndex || hasOtherArguments ? undefined : draft;
}

/** The call that a piece with a new id, or without one, belongs to. */
function draftWithoutId(drafts: Drafts, { index, id, name, text }: Piece): Draft | undefined {
  const sameIndex = index === undefined ? undefined : drafts.latest.get(`${index}`);
  // A second id under the same index is a second call, and so is a second name after complete arguments.
  const another = (draft: Draft): boolean =>
    (id !== undefined && draft.id !== undefined) ||
    (name !== '' && draft.arguments.isComplete() && (name !== draft.name || !draft.arguments.is(text)));
  if (sameIndex && !another(sameIndex)) return sameIndex;
  const last = drafts.all.at(-1);
  const continues =
    index === undefined &&
    id === undefined &&
    last &&
    (name === '' || name === last.name) &&
    !last.arguments.isComplete();
  return continues ? last : undefined;
}

type JsonText = ReturnType<typeof createJsonText>;

/** The text of a JSON object that arrives in pieces. Each character is examined once, however many pieces there are. */
function createJsonText() {
  let text = '';
  let brackets = createBrackets();
  /** The parsed object, or that the text is none. Final once the brackets are closed, because then only white space may follow. */
  let whole: { object: string | undefined } | undefined;
  const objectSoFar = (): string | undefined => {
    if (!brackets.closed()) return undefined;
    whole ??= { object: objectIn(text) };
    return whole.object;
  };
  /** Whether the text is a complete object. */
  const isComplete = (): boolean => objectSoFar() !== undefined;
  /** Only `{}`, which some services send before the arguments (BerriAI/litellm#4537, envoyproxy/ai-gateway#1465). */
  const isPlaceholder = (): boolean => text === '{}';
  return {
    add(piece: string): void {
      if (piece === '') return;
      if (isPlaceholder() && piece.trimStart().startsWith('{')) {
        text = '';
        brackets = createBrackets();
        whole = undefined;
      }
      // Arguments are an object, so a piece that begins with all earlier text repeats and continues it. Lengths are compared first, because
      // searching a concatenated string copies it.
      const again = piece.length >= text.length && text.startsWith('{') && piece.startsWith(text);
      if (!again && piece.startsWith('{') && isComplete() && isObjectText(piece)) return;
      const fresh = again ? piece.slice(text.length) : piece;
      text += fresh;
      brackets.feed(fresh);
    },
    length: (): number => text.length,
    /** Whether it is this text, or the same object in other words. */
    is: (other: string): boolean =>
      (text.length === other.length && text === other) || (isComplete() && objectSoFar() === objectIn(other)),
    isPlaceholder,
    text: (): string => text,
    isComplete,
  };
}

/** All that JSON knows. */
const WHITE_SPACE = ' \t\n\r';

/** Follows the brackets of a JSON text. */
function createBrackets() {
  let levels = 0;
  let inText = false;
  let escaped = false;
  let closed = false;
  /** Something follows the closing bracket. */
  let broken = false;
  const inside = (sign: string): void => {
    inText = escaped || sign !== '"';
    escaped = !escaped && sign === '\\';
  };
  const outside = (sign: string): void => {
    if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') levels += 1;
    else if (sign === '}' || sign === ']') levels -= 1;
  };
  return {
    feed(piece: string): void {
      for (const sign of piece) {
        if (!inText && WHITE_SPACE.includes(sign)) continue;
        broken ||= closed;
        if (inText) inside(sign);
        else outside(sign);
        closed = levels === 0 && !inText && sign === '}';
      }
    },
    closed: () => closed && !broken,
  };
}

/** The object in a text, as JSON with sorted fields: gateways in Go sort them too. */
function objectIn(text: string): string | undefined {
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  return isObject(value) ? JSON.stringify(value, sorted) : undefined;
}

const sorted = (_: string, node: unknown): unknown =>
  typeof node === 'object' && node !== null && !Array.isArray(node)
    ? Object.fromEntries(Object.entries(node).sort(([one], [other]) => (one < other ? -1 : 1)))
    : node;

const isObjectText = (text: string): boolean => objectIn(text) !== undefined;

function argumentsOf(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
