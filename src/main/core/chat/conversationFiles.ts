import { type ChatFile, chatFileText } from '../../../shared/chat/chatFile.ts';
import type { BranchSum, Message } from '../../../shared/chat/conversation.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import type { Usage } from '../../../shared/jobs/job.ts';
import { MAX_MESSAGE_PICTURES } from '../../../shared/kinds/chat.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { en } from '../../../shared/text/texts.ts';
import type { Exports } from '../exports/index.ts';
import { type AssetRow, assetRow, contentHere } from '../library/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { type ReadDb, type Store, type WriteDb, writeHiddenProject } from '../store/index.ts';
import { slicesOf } from '../timeSlicing.ts';
import { piecesOf, threadPieces, WorkerLimitExceeded } from '../workers/index.ts';
import { noSuchConversation } from './answerRequests.ts';
import type { ChatPiece } from './chatFileWorker.ts';
import { type AnswerElsewhere, type ConversationRow, type MessageRow, messageOf, shownTitle } from './conversations.ts';
import * as queries from './queries.ts';
import { headOf, mapOf } from './tree.ts';

/** Conversations as files: exported as Markdown or JSON, imported from JSON. */

interface ConversationFilesDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  exports: Pick<Exports, 'start'>;
}

type CostedRow = MessageRow & { charged_nano: number | null };

interface BranchRow {
  id: string;
  parent_id: string | null;
  message_id: string | null;
  behind_seq: number | null;
  created_at: number;
}

export class ConversationFiles {
  private readonly deps: ConversationFilesDeps;

  constructor(deps: ConversationFilesDeps) {
    this.deps = deps;
  }

  export({ conversationId, format }: CallParsed<'chat.export'>): Result<Export> | Promise<Result<Export>> {
    const { store, exports } = this.deps;
    const made = store.readTransaction((db) => {
      const row = db.one<ConversationRow>(queries.conversationById, { id: conversationId });
      if (!row) return noSuchConversation;
      const name = shownTitle(row.title);
      if (format === 'json') return ok({ row, name, text: chatFileText(fileOf(db, row)) });
      const text = markdownOf(db, row);
      return text.ok ? ok({ row, name, text: text.data }) : text;
    });
    if (!made.ok) return made;
    const { row, name, text } = made.data;
    const [ending, mime] = format === 'json' ? ['json', 'application/json'] : ['md', 'text/markdown'];
    const project = row.project_id === null ? {} : { projectId: row.project_id };
    return exports.start({ kind: 'conversation', name, bytes: Buffer.byteLength(text), ...project }, async (sink) => {
      await sink.writeText(`${fileNameOf(name, 'chat')}.${ending}`, mime, text);
      return ok({});
    });
  }

  async import({
    json,
    projectId,
  }: CallParsed<'chat.import'>): Promise<Result<{ conversationId: string; messages: number }>> {
    const read = await chatInThread(json);
    if (!read.ok) return read;
    const file = read.data;
    const conversationId = await this.write(file, projectId ?? null);
    return ok({ conversationId, messages: file.messages.length });
  }

  /** Written under a hidden project until the whole conversation is there. */
  private async write(file: ChatFile, to: string | null): Promise<string> {
    const { store, ids } = this.deps;
    const [id, unseen] = [ids.id('conv'), ids.id('prj')];
    const takeOutSome = (db: WriteDb, project: string) => this.removeUnseen(db, project, ROWS_PER_STEP);
    const steps = this.add(file, unseen, id);
    const show = (db: WriteDb) => this.showOfProject(db, unseen, to);
    await writeHiddenProject({ store, takeOutSome }, { id: unseen, steps, show });
    return id;
  }

  /** The conversations of a project as files, oldest first, each read on demand. */
  *ofProject(db: ReadDb, projectId: string): Generator<ChatFile> {
    for (const row of db.all<ConversationRow>(queries.conversationsOfProject, { projectId })) yield fileOf(db, row);
  }

  /** Adds a conversation to a project, one transaction per step; it stays hidden until {@link showOfProject}. */
  *add(file: ChatFile, projectId: string, id = this.deps.ids.id('conv')): Generator<(db: WriteDb) => void> {
    let isFirst = true;
    for (const step of this.steps(id, file, projectId)) {
      yield (db) => {
        step(db);
        if (isFirst) db.run(queries.removeConversation, { id });
        isFirst = false;
      };
    }
  }

  /** Shows the conversations in the project `to`. */
  showOfProject(db: WriteDb, projectId: string, to: string | null): void {
    db.run(queries.showOfProject, { projectId, to });
  }

  /** Removes some rows of an unfinished import; false once there are none. */
  removeUnseen(db: WriteDb, projectId: string, limit: number): boolean {
    const [messages, branches, conversations] = queries.removeUnseen;
    const asked = { projectId, limit };
    return db.run(messages, asked) > 0 || db.run(branches, asked) > 0 || db.run(conversations, asked) > 0;
  }

  /** Everything gets new ids: importing a file twice makes two conversations. Each step runs before the next is requested. */
  private *steps(id: string, file: ChatFile, projectId: string | undefined): Generator<(db: WriteDb) => void> {
    const { ids, clock } = this.deps;
    const { title, model = null, system = null } = file;
    const given = { id, title, projectId: projectId ?? null, model, system, director: 1, now: clock.now() };
    yield (db) => db.run(queries.insertConversation, given);
    const branches = new Map(file.branches.map((branch) => [branch.id, ids.id('branch')]));
    const messages = new Map<string, { id: string; seq: number }>();
    for (const some of piecesOf(file.messages))
      yield (db) => this.writeMessages(db, id, some, { branches, written: messages });
    for (const some of slicesOf(file.branches, ROWS_PER_STEP))
      yield (db) => {
        for (const branch of some)
          db.run(queries.insertBranch, {
            id: newName(branches, branch.id),
            conversationId: id,
            parent: newName(branches, branch.parent),
            messageId: messages.get(branch.message ?? '')?.id ?? null,
            behind: messages.get(branch.behind ?? '')?.seq ?? null,
            now: branch.createdAt,
          });
      };
    yield (db) => db.run(queries.activate, { id, branch: newName(branches, file.active) });
  }

  /** `written`: the new ids and numbers by the ids in the file. */
  private writeMessages(
    db: WriteDb,
    conversationId: string,
    messages: ChatFile['messages'],
    { branches, written }: { branches: ReadonlyMap<string, string>; written: Map<string, { id: string; seq: number }> },
  ): void {
    for (const message of messages) {
      const id = this.deps.ids.id('msg');
      const { text, pictures } = withPictures(db, message);
      db.run(queries.insertMessage, {
        id,
        conversationId,
        role: message.role,
        text,
        pictures,
        jobId: null,
        now: message.createdAt,
        branch: newName(branches, message.branch),
        parent: written.get(message.after ?? '')?.seq ?? null,
        continues: written.get(message.continues ?? '')?.id ?? null,
        elsewhere: message.role === 'user' ? null : JSON.stringify(answerOf(message)),
        toolResults: message.toolResults ? JSON.stringify(message.toolResults) : null,
      });
      const { seq = 0 } = db.one<{ seq: number }>(queries.messageById, { id, conversationId }) ?? {};
      written.set(message.id, { id, seq });
    }
  }
}

/** Rows in one transaction. */
const ROWS_PER_STEP = 50;

const newName = (names: ReadonlyMap<string, string>, old: string | undefined): string | null =>
  names.get(old ?? '') ?? null;

/** The text, and the pictures whose bytes are here; a note in the text replaces the others. */
function withPictures(db: ReadDb, { text, pictures = [] }: ChatFile['messages'][number]) {
  const found = pictures.map(({ sha256 }) => contentHere(db, sha256)?.id);
  const ids = found.filter((id) => id !== undefined);
  const missing = pictures.filter((_, at) => found[at] === undefined).map(({ name }) => `[Picture: ${name}, not here]`);
  return {
    text: [text, ...missing].join('\n\n'),
    pictures: ids.length === 0 ? null : JSON.stringify(ids),
  };
}

/** An imported answer, without a job of this studio. */
function answerOf(message: ChatFile['messages'][number]): AnswerElsewhere {
  const { state = 'done', model, reasoning, reasoningField, finishReason, usage, toolCalls, costNano } = message;
  return {
    state,
    ...(model === undefined ? {} : { model }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(reasoningField === undefined ? {} : { reasoningField }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(usage === undefined ? {} : { usage }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(costNano === undefined ? {} : { costElsewhereNano: costNano }),
  };
}

function fileOf(db: ReadDb, row: ConversationRow): ChatFile {
  const rows = db.all<CostedRow>(queries.allMessages, { conversationId: row.id });
  const idOf = new Map(rows.map(({ seq, id }) => [seq, id]));
  const branches = db.all<BranchRow>(queries.allBranches, { conversationId: row.id });
  const at = (seq: number | null): string | undefined => (seq === null ? undefined : idOf.get(seq));
  return {
    dailies: 'chat',
    form: 1,
    title: shownTitle(row.title),
    ...(row.model ? { model: row.model } : {}),
    ...(row.system ? { system: row.system } : {}),
    createdAt: row.created_at,
    active: row.branch_id ?? branches.at(-1)?.id ?? '',
    branches: branches.map(({ id, parent_id, message_id, behind_seq, created_at }) => ({
      id,
      ...(parent_id === null ? {} : { parent: parent_id }),
      ...(message_id === null ? {} : { message: message_id }),
      ...named('behind', at(behind_seq)),
      createdAt: created_at,
    })),
    messages: rows.map((one) => ({ ...messageInFile(one, at(one.parent_seq)), ...picturesInFile(db, one) })),
  };
}

/** Cached tokens concern the bill of the original studio. */
const countsInFile = ({ promptTokens, completionTokens, totalTokens }: Usage): Usage => ({
  promptTokens,
  completionTokens,
  totalTokens,
});

const named = <Name extends string>(name: Name, value: string | undefined): { [N in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: string };

function messageInFile(row: CostedRow, after: string | undefined): ChatFile['messages'][number] {
  const message = messageOf(row);
  const {
    id,
    branch,
    role,
    text,
    createdAt,
    model,
    reasoning,
    reasoningField,
    finishReason,
    continues,
    usage,
    toolCalls,
    toolResults,
  } = message;
  const costNano = row.charged_nano ?? message.costElsewhereNano;
  return {
    id,
    ...named('after', after),
    branch,
    role,
    text,
    createdAt,
    ...(role === 'user' ? {} : { state: endedState(message) }),
    ...named('model', model),
    ...named('reasoning', reasoning),
    ...(reasoningField ? { reasoningField } : {}),
    ...named('finishReason', finishReason),
    ...named('continues', continues),
    ...(usage ? { usage: countsInFile(usage) } : {}),
    ...(toolCalls ? { toolCalls } : {}),
    ...(toolResults ? { toolResults } : {}),
    ...(costNano === undefined ? {} : { costNano }),
  };
}

/** Pictures without known bytes are left out. */
function picturesInFile(db: ReadDb, row: MessageRow): Pick<ChatFile['messages'][number], 'pictures'> {
  const pictures = picturesOfMessage(db, messageOf(row)).flatMap(({ name, sha256 }) =>
    sha256 === '' ? [] : [{ name, sha256 }],
  );
  return pictures.length === 0 ? {} : { pictures: pictures.slice(0, MAX_MESSAGE_PICTURES) };
}

const picturesOfMessage = (db: ReadDb, { pictures = [] }: Message): AssetRow[] =>
  pictures.flatMap((id) => assetRow(db, id) ?? []);

/** A pending answer is exported as far as it has arrived. */
function endedState({ state, text, pictures }: Message): 'done' | 'partial' | 'failed' {
  if (state === 'waiting' || state === 'streaming') return text === '' && !pictures ? 'failed' : 'partial';
  return state;
}

/** The active branch from its first message. */
function markdownOf(db: ReadDb, row: ConversationRow): Result<string> {
  const head = headOf(db, row);
  if (!head.ok) return head;
  const at = head.data.head;
  const rows =
    at === null ? [] : db.all<MessageRow>(queries.branchPath, { conversationId: row.id, head: at, limit: -1 });
  const { branches, way } = mapOf(db, row.id, head.data.id, at);
  const messages = rows.toReversed().map((one) => {
    const message = messageOf(one);
    return { ...message, pictureNames: picturesOfMessage(db, message).map(({ name }) => name) };
  });
  return ok(chatMarkdown({ title: shownTitle(row.title), messages, branches: branches.length, sum: way }));
}

/** A branch as text: who said what and when, and the total cost. */

type MessageToRead = Message & { pictureNames: readonly string[] };

interface ChatToRead {
  title: string;
  messages: readonly MessageToRead[];
  branches: number;
  sum: BranchSum;
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** Independent of the machine's locale: the reader may be elsewhere. */
const at = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function chatMarkdown({ title, messages, branches, sum }: ChatToRead): string {
  const { chargedNano, uncertainNano, unpriced } = sum;
  const cost = [
    (chargedNano > 0 || unpriced === 0) && `${formatNano(chargedNano)} at most`,
    uncertainNano > 0 && `${formatNano(uncertainNano)} unconfirmed`,
    unpriced > 0 && `${unpriced} without a price`,
  ]
    .filter(Boolean)
    .join(', ');
  const of = branches > 1 ? `One branch of ${branches}` : 'The whole conversation';
  const head = `# ${onOneLine(title)}\n\n*${of}, ${messages.length} messages, ${cost}.*\n`;
  return [head, ...messages.map(section)].join('\n');
}

function section({ role, model, createdAt, text, state, pictureNames }: MessageToRead): string {
  const who = role === 'user' ? 'You' : onOneLine(model ?? 'Assistant');
  const cut = state === 'partial' ? '\n*It was cut off here.*\n' : '';
  const shown = pictureNames.map((name) => `\n*Picture: ${onOneLine(name)}*\n`).join('');
  return `## ${who}, ${at(createdAt)}\n\n${text.trimEnd()}\n${shown}${cut}`;
}

const PROGRAM = { from: import.meta.url, source: './chatFileWorker.ts', bundled: 'chat-file.js' };

const tooMuch = fail('invalid_input', en`json: takes more memory or time to read than a chat may.`, { field: 'json' });

/** Parses an untrusted text in a thread. */
export async function chatInThread(json: string): Promise<Result<ChatFile>> {
  let chat: ChatFile | undefined;
  try {
    for await (const piece of threadPieces<ChatPiece>(PROGRAM, { json })) {
      if ('refused' in piece) return piece.refused;
      if ('chat' in piece) chat = piece.chat;
      else chat?.messages.push(...piece.messages);
    }
  } catch (error) {
    if (error instanceof WorkerLimitExceeded) return tooMuch;
    throw error;
  }
  if (!chat) throw new Error('a chat was read without its beginning');
  return ok(chat);
}
