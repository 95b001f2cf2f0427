import { create } from 'zustand';
import type { CheckedFile } from '../../../../shared/library/importCalls.ts';
import { MAX_SIDECAR, readSidecar } from '../../../../shared/library/sidecar.ts';
import { decodeText } from '../../../../shared/text/textEncoding.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { announce, cacheAssets } from '../../../app/index.ts';
import { call, uploadMedia } from '../../../client/index.ts';
import { type GivenFile, type PairedFiles, paired } from './givenFiles.ts';

export interface Coming {
  name: string;
  file: File;
  sidecar?: string;
  /** Undefined for a file too large to be hashed in a page. */
  sha256?: string;
  checked: CheckedFile;
}

export interface Refused {
  file: string;
  message: string;
}

interface BringIn {
  /** `reading`: everything is read and checked; `ready`: the user decides; `copying`; `done`. */
  phase: 'closed' | 'reading' | 'ready' | 'copying' | 'done';
  /** The files being imported. Work on other files stops when it notices that these have changed. */
  given?: readonly GivenFile[] | undefined;
  /** Files done in this phase, and all of them. */
  at: number;
  of: number;
  refused: Refused[];
  known: Coming[];
  coming: Coming[];
  taken: string[];
}

const CLOSED: BringIn = {
  phase: 'closed',
  given: undefined,
  at: 0,
  of: 0,
  refused: [],
  known: [],
  coming: [],
  taken: [],
};

export const useBringIn = create<BringIn>()(() => CLOSED);
const set = useBringIn.setState;

export const closeBringIn = (): void => set(CLOSED);

/** Reads all files and asks the studio what would happen to each. Nothing is imported. */
export async function checkGiven(given: readonly GivenFile[]): Promise<void> {
  const { files, alone } = paired(given);
  const refused = alone.map((file) => ({ file, message: t`${baseOf(withoutEnd(file))} is not in the same folder.` }));
  set({ ...CLOSED, phase: 'reading', given, of: files.length, refused });
  for (const batch of batchesOf(files)) {
    const read: Read[] = [];
    for (const one of batch) read.push(await readOne(one));
    const checked = await checkBatch(read);
    if (useBringIn.getState().given !== given) return;
    set((state) => ({
      at: state.at + batch.length,
      refused: [...state.refused, ...checked.refused],
      known: [...state.known, ...checked.known],
      coming: [...state.coming, ...checked.coming],
    }));
  }
  set(({ known, coming }) => ({ phase: 'ready', ...withoutTwins(known, coming) }));
}

/** The same bytes are imported once; duplicates would be known after the first. */
function withoutTwins(known: readonly Coming[], coming: readonly Coming[]): Pick<BringIn, 'known' | 'coming'> {
  const first = new Map<string, Coming>();
  const twins: Coming[] = [];
  for (const one of coming) {
    const twin = first.get(one.sha256 ?? one.name);
    if (!twin) first.set(one.sha256 ?? one.name, one);
    else twins.push({ ...one, checked: { ...one.checked, state: 'known', asset: { id: '', name: twin.name } } });
  }
  return { known: [...known, ...twins], coming: [...first.values()] };
}

const baseOf = (name: string): string => name.split('/').at(-1) ?? '';
const withoutEnd = (name: string): string => name.slice(0, name.lastIndexOf('.'));

type Paired = PairedFiles['files'][number];
interface Read extends Omit<Coming, 'checked'> {
  fault?: string;
}

/** Limits of one call: files, and characters of sidecars. */
const BATCH_FILES = 50;
const BATCH_CHARACTERS = 4_000_000;

function* batchesOf(files: readonly Paired[]): Generator<Paired[]> {
  let batch: Paired[] = [];
  let characters = 0;
  for (const one of files) {
    const size = Math.min(one.sidecar?.size ?? 0, MAX_SIDECAR);
    if (batch.length === BATCH_FILES || (batch.length > 0 && characters + size > BATCH_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(one);
    characters += size;
  }
  if (batch.length > 0) yield batch;
}

/** A page hashes a file in one piece. The hash of a larger file is compared after the upload. */
const MAX_HASHED = 256 * 1024 * 1024;

async function readOne({ name, file, sidecar }: Paired): Promise<Read> {
  try {
    const isNoMedia = file.type !== '' && !/^(image|video|audio|application\/ogg)/.test(file.type);
    if (isNoMedia) return { name, file, fault: t`Not a picture, video or sound.` };
    if (file.size === 0) return { name, file, fault: t`The file is empty.` };
    if (sidecar && sidecar.size > MAX_SIDECAR * 3) return { name, file, fault: t`The file cannot be read.` };
    const decoded = sidecar && (await decodeText(new Uint8Array(await sidecar.arrayBuffer())));
    if (decoded?.isGuess) return { name, file, fault: t`The file cannot be read.` };
    const text = decoded?.text;
    const words = text === undefined ? undefined : readSidecar(text);
    if (words && !words.ok) return { name, file, fault: words.error.message };
    const sha256 = file.size <= MAX_HASHED ? await hashOf(file) : words?.data.sha256;
    return { name, file, ...(text === undefined ? {} : { sidecar: text }), ...(sha256 ? { sha256 } : {}) };
  } catch {
    return { name, file, fault: t`The file cannot be read.` };
  }
}

async function hashOf(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function checkBatch(read: readonly Read[]): Promise<Pick<BringIn, 'refused' | 'known' | 'coming'>> {
  const asked = read.flatMap(({ name, sidecar, sha256, fault }) =>
    sha256 === undefined || fault !== undefined ? [] : { file: name, sha256, ...(sidecar ? { sidecar } : {}) },
  );
  const answer = asked.length === 0 ? undefined : await call('library.checkImport', { files: asked });
  const answers = new Map(answer?.ok ? answer.data.files.map((one) => [one.file, one]) : []);
  const fallen = answer && !answer.ok ? answer.error.message : undefined;
  const all = read.map(({ fault = fallen, ...one }): Coming => {
    const checked = answers.get(one.name) ?? { file: one.name, state: 'new' as const };
    return { ...one, checked: fault === undefined ? checked : { file: one.name, state: 'error', message: fault } };
  });
  const inState = (state: CheckedFile['state']) => all.filter(({ checked }) => checked.state === state);
  return {
    refused: inState('error').map(({ name, checked }) => ({ file: name, message: checked.message ?? '' })),
    known: inState('known'),
    coming: inState('new'),
  };
}

/** Ids of files that are new here. A known asset that only got its file back is not undone. */
export const freshOf = ({ taken, coming }: Pick<BringIn, 'taken' | 'coming'>): string[] =>
  taken.filter((id) => !coming.some(({ checked }) => checked.asset?.id === id));

/** Uploads the new files in turn, each with its sidecar. A refused file is listed and does not stop the others. */
export async function bringIn(): Promise<void> {
  const { given, coming, known } = useBringIn.getState();
  const bare = known.filter(({ checked }) => checked.undescribed);
  set({ phase: 'copying', at: 0, of: coming.length });
  for (const one of bare) await describe(one, one.checked.asset?.id ?? '');
  for (const one of coming) {
    const id = await handOver(one);
    if (useBringIn.getState().given !== given) return;
    set((state) => ({ at: state.at + 1, ...(id === undefined ? {} : { taken: [...state.taken, id] }) }));
  }
  set({ phase: 'done' });
  announce(t`${counted(useBringIn.getState().taken.length, 'file')} imported`);
}

async function handOver(one: Coming): Promise<string | undefined> {
  const known = one.sha256 === undefined ? {} : { sha256: one.sha256 };
  const put = await uploadMedia(one.file, baseOf(one.name), { role: 'source', ...known });
  if (!put.ok) {
    refuse(one.name, put.error.message);
    return undefined;
  }
  cacheAssets([put.data]);
  await describe(one, put.data.id);
  return put.data.id;
}

async function describe({ name, sidecar }: Coming, id: string): Promise<void> {
  if (sidecar === undefined) return;
  const described = await call('library.describe', { id, sidecar });
  if (described.ok) cacheAssets([described.data]);
  else refuse(name, t`Imported without history: ${described.error.message}`);
}

const refuse = (file: string, message: string): void =>
  set(({ refused }) => ({ refused: [...refused, { file, message }] }));
