import { Fragment } from 'react';
import { create } from 'zustand';
import { ruleOf } from '../../../shared/contract/validationMessages.ts';
import { factsOf } from '../../../shared/gateway/modelFacts.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { IMAGE_MODES } from '../../../shared/kinds/imagine.ts';
import { kindOf, modelsFor, priceKindOf, requestSchema, type StudioRequest } from '../../../shared/kinds/index.ts';
import type { AnyRequest, Kind, RequestColumn } from '../../../shared/kinds/kind.ts';
import { clipLengths, EXTENSION_SECONDS } from '../../../shared/kinds/video.ts';
import { t } from '../../../shared/text/texts.ts';
import { protocolsOf } from '../../../shared/wire/protocols.ts';
import { announce, cacheJobs, useStudio } from '../../app/index.ts';
import { call, type StudioError } from '../../client/index.ts';
import { PriceRow, type SendFailure, SpendDialog, sendOnce, usePriceAt } from '../../spending/index.ts';
import { Button, Field, NumberInput, Select, TextArea } from '../../ui/index.ts';
import { useTitleOf } from './takeNames.tsx';

/**
 * The request of a waiting job, with the fields of its kind; the new price is at the button before anything is saved. Edits are kept on top
 * of the current request: changes from another page come in, and a field that both changed asks which to keep.
 */
export function EditJobDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { fields, draft, edit, both, settle } = useDraft(job);
  const parsed = requestSchema.safeParse(draft, { error: ruleOf });
  const wrong = parsed.success ? undefined : wordsOf(parsed.error.issues[0]);
  const request = parsed.success ? parsed.data : undefined;
  const limits = useStudio((state) => state.profiles.find(({ id }) => id === job.profileId)?.limits);
  const most = request && kindOf(request).most(request, { outputTokens: limits?.outputTokens ?? 0 });
  const model = request && 'model' in request ? { model: request.model } : {};
  const now = usePriceAt(request && most && { kind: request.kind, quantity: most, ...model }, job.profileId);
  const title = useTitleOf()(job);
  const isSame = JSON.stringify(draft) === JSON.stringify(job.request);
  const unsettled = both.length > 0 ? t`Choose which change to keep.` : undefined;
  const save = async () => {
    if (!request) return wrong;
    const written = jobEditsOf(job.id);
    const answer = await sendOnce('jobs.edit', { id: job.id, request, revision: job.revision, shown: now.shown });
    if (!answer.ok) return refused(job.id, answer.error);
    cacheJobs([answer.data]);
    keepNewerEdits(job.id, written, answer.data.request);
    announce(t`${title} is saved`);
    return undefined;
  };
  return (
    <SpendDialog
      title={t`Edit ${title}`}
      label={t`Save`}
      off={unsettled ?? wrong ?? (isSame ? t`Nothing changed yet.` : now.off)}
      price={<PriceRow what={t`Price`} now={now} kind={priceKindOf(job.kind)} profileId={job.profileId} />}
      onSend={save}
      onClose={onClose}
      onCancel={() => {
        forgetJobEdits(job.id);
        onClose();
      }}
    >
      <div className="col gap">
        {both.length > 0 && <EditedElsewhere fields={both} request={job.request} settle={settle} />}
        {fields.map((field) => (
          <EditLine key={field.path} field={field} job={job} draft={draft} onEdit={edit} />
        ))}
      </div>
    </SpendDialog>
  );
}

/** If another edit was saved first, the current request is read and the edits made here stay on top. */
async function refused(id: string, error: StudioError): Promise<SendFailure> {
  if (error.data?.field !== 'revision') return error;
  const now = await call('jobs.get', { id });
  if (now.ok) cacheJobs([now.data]);
  return t`The job was edited elsewhere. Nothing was saved. Check it and save again.`;
}

const NO_EDITS: ReadonlyMap<string, unknown> = new Map();

/** The edits made here, by field, on top of the current request. */
function useDraft(job: Job) {
  const { edits, seen } = useJobEdits(job.id) ?? { edits: NO_EDITS, seen: job.request };
  const fields = editFields(kindOf(job.kind), job.request);
  const isAt = (value: unknown, request: object, path: string) => value === fieldAt(request, path);
  const both = fields.filter(
    ({ path }) =>
      edits.has(path) && !isAt(fieldAt(seen, path), job.request, path) && !isAt(edits.get(path), job.request, path),
  );
  const draft = [...edits].reduce<object>((request, [path, value]) => withField(request, path, value), job.request);
  return {
    fields,
    draft,
    /** Fields that were changed here and elsewhere. */
    both,
    edit: (path: string, value: unknown) => {
      const then = edits.has(path) ? seen : withField(seen, path, fieldAt(job.request, path));
      setJobEdits(job.id, { edits: new Map(edits).set(path, value), seen: then });
    },
    settle: (holds: 'own' | 'other') => {
      const paths = new Set(both.map(({ path }) => path));
      const left = holds === 'other' ? new Map([...edits].filter(([path]) => !paths.has(path))) : edits;
      setJobEdits(job.id, { edits: left, seen: job.request });
    },
  };
}

interface EditedElsewhereProps {
  fields: readonly EditField[];
  request: StudioRequest;
  settle: (holds: 'own' | 'other') => void;
}

/** The current value, and the choice which of the two to keep. */
const EditedElsewhere = ({ fields, request, settle }: EditedElsewhereProps) => (
  <div className="note" role="alert">
    <div className="grow">
      <b>{t`Edited elsewhere`}</b>
      <dl className="kv t2">
        {fields.map(({ path, label }) => (
          <Fragment key={path}>
            <dt>{t`${label} now`}</dt>
            <dd>{textOf(fieldAt(request, path))}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="row box-actions">
        <Button onClick={() => settle('other')}>{t`Use theirs`}</Button>
        <Button variant="ghost" onClick={() => settle('own')}>
          {t`Keep mine`}
        </Button>
      </div>
    </div>
  </div>
);

const textOf = (value: unknown): string =>
  value === undefined ? t`Default` : wordOf(value as string | number | boolean);

const wordsOf = (issue: { path: PropertyKey[]; message: string } | undefined): string =>
  issue ? `${issue.path.join('.')}: ${issue.message}` : t`The input is not valid.`;

interface EditLineProps {
  field: EditField;
  job: Job;
  draft: object;
  onEdit: (path: string, value: unknown) => void;
}

function EditLine({ field, job, draft, onEdit }: EditLineProps) {
  const { path, label, input } = field;
  const value = fieldAt(draft, path);
  const set = (next: unknown) => onEdit(path, next);
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === job.profileId));
  if (input.type === 'text')
    return (
      <Field label={label}>
        <TextArea rows={5} value={String(value ?? '')} onValue={set} />
      </Field>
    );
  if (input.type === 'number')
    return (
      <Field label={label}>
        <NumberInput value={typeof value === 'number' ? value : null} onValue={(next) => set(next ?? undefined)} />
      </Field>
    );
  const values = valuesOf(input, job, profile, fieldAt(draft, 'model'));
  const known = value === undefined || values.includes(value as never) ? values : [value as string, ...values];
  const usual = input.type === 'model' ? [] : [{ value: UNSET, label: t`Default` }];
  return (
    <Field label={label}>
      <Select
        options={[...usual, ...known.map((each) => ({ value: String(each), label: wordOf(each) }))]}
        value={value === undefined ? UNSET : String(value)}
        onValue={(next) => set(known.find((each) => String(each) === next))}
      />
    </Field>
  );
}

/** The options of a field. */
function valuesOf(
  input: Exclude<EditInput, { type: 'text' | 'number' }>,
  job: Job,
  profile: Profile | undefined,
  model: unknown,
): readonly (string | number | boolean)[] {
  if (input.type === 'choice') return input.values;
  if (input.type === 'model') return modelsFor(kindOf(job.kind), profile?.models).map(({ id }) => id);
  if (input.isExtension) return [EXTENSION_SECONDS];
  return clipLengths(factsOf(profile ?? {}, String(model)), protocolsOf(profile ?? {}));
}

const UNSET = '';
const wordOf = (value: string | number | boolean): string =>
  value === true ? t`Yes` : value === false ? t`No` : String(value);

/** The kind of input of a field. */
type EditInput =
  | { type: 'text' }
  | { type: 'number' }
  | { type: 'model' }
  | { type: 'seconds'; isExtension: boolean }
  | { type: 'choice'; values: readonly (string | number | boolean)[] };

interface EditField {
  /** Path in the request: `config.seed`. */
  path: string;
  label: string;
  input: EditInput;
}

const choice = (...values: readonly (string | number | boolean)[]): EditInput => ({ type: 'choice', values });

/** The columns of a request table that can be edited here; pictures are chosen where the request is made. */
const INPUTS: Partial<Record<RequestColumn, { label: string; input: EditInput }>> = {
  prompt: { label: t`Prompt`, input: { type: 'text' } },
  model: { label: t`Model`, input: { type: 'model' } },
  mode: { label: t`Mode`, input: choice(...IMAGE_MODES) },
  seconds: { label: t`Length`, input: { type: 'seconds', isExtension: false } },
  resolution: { label: t`Resolution`, input: choice('720p', '1080p') },
  aspect: { label: t`Aspect`, input: choice('16:9', '9:16') },
  audio: { label: t`Sound`, input: choice(true, false) },
  samples: { label: t`Variations`, input: choice(1, 2, 3, 4) },
  seed: { label: t`Seed`, input: { type: 'number' } },
  timeout: { label: t`Timeout, s`, input: { type: 'number' } },
};

/** The fields of a request of this kind, in the order of its table; only the duration field that the request may have. */
function editFields(kind: Pick<Kind, 'table'>, request: AnyRequest): EditField[] {
  const isExtension = fieldAt(request, kind.table.columns.video ?? '') !== undefined;
  return Object.entries(kind.table.columns).flatMap(([column, path]) => {
    const known = INPUTS[column as RequestColumn];
    if (!known) return [];
    const input = known.input.type === 'seconds' ? { ...known.input, isExtension } : known.input;
    return [{ path, label: known.label, input }];
  });
}

const fieldAt = (request: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value ? (value as Fields)[key] : undefined),
      request,
    );

type Fields = Record<string, unknown>;

/** The request with another value at a path; without a value, the field is removed. */
function withField(request: object, path: string, value: unknown): object {
  const [key = '', ...rest] = path.split('.');
  const fields = request as Fields;
  if (rest.length > 0) return { ...fields, [key]: withField((fields[key] as object) ?? {}, rest.join('.'), value) };
  const { [key]: _gone, ...others } = fields;
  return value === undefined ? others : { ...others, [key]: value };
}

/** Unsaved edits of a job's request. */
interface JobEdits {
  /** By path, such as `config.seed`. */
  edits: ReadonlyMap<string, unknown>;
  /** The request that was shown when the edits were made. */
  seen: object;
}

/** By job, so that Escape or a click beside the dialog loses nothing. */
const useEdits = create<{ byJob: ReadonlyMap<string, JobEdits> }>()(() => ({ byJob: new Map() }));

const useJobEdits = (jobId: string): JobEdits | undefined => useEdits(({ byJob }) => byJob.get(jobId));

const jobEditsOf = (jobId: string): JobEdits | undefined => useEdits.getState().byJob.get(jobId);

const setJobEdits = (jobId: string, edits: JobEdits): void =>
  useEdits.setState(({ byJob }) => ({ byJob: new Map(byJob).set(jobId, edits) }));

export const forgetJobEdits = (jobId: string): void =>
  useEdits.setState(({ byJob }) => ({ byJob: new Map([...byJob].filter(([id]) => id !== jobId)) }));

/** After saving, the saved edits are part of the request; edits made since stay on top of it. */
function keepNewerEdits(jobId: string, saved: JobEdits | undefined, request: object): void {
  const now = jobEditsOf(jobId);
  if (now === undefined || now === saved) forgetJobEdits(jobId);
  else setJobEdits(jobId, { ...now, seen: request });
}
