import { type UIEvent, useMemo, useRef } from 'react';
import { ok, parseInput, type Result } from '../../../../shared/contract/result.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import {
  composePromptFlags,
  type FlaggedPrompt,
  flagsStart,
  flagValue,
  parsePromptFlags,
  withFlag,
} from '../../../../shared/jobs/promptFlags.ts';
import { escapePrompt, expandMatrix, withinChoices } from '../../../../shared/jobs/promptMatrix.ts';
import { IMAGE_MODES, type ImagineRequest, imagineRequestSchema } from '../../../../shared/kinds/imagine.ts';
import { isRequestOf, KINDS, promptOf } from '../../../../shared/kinds/index.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import type { ImageOptions } from '../../../../shared/wire/image.ts';
import { announce, cacheJobs, OutcomeLine, useProjectId } from '../../../app/index.ts';
import { PriceRow, SpendBar, sendOnce, usePrice } from '../../../spending/index.ts';
import { Field, plural, rich, Section, Segmented, Select, TextAction } from '../../../ui/index.ts';
import { OUTCOME, recallWords, useImages } from '../useImages.ts';
import { FormatFields, useImageFormat } from './FormatFields.tsx';
import { Matrix } from './Matrix.tsx';
import panelsStyles from './panels.module.css';

export function ImaginePanel({ shownJob }: { shownJob: Job | undefined }) {
  const { prompt, mode } = useImages();
  const format = useImageFormat();
  const set = (next: string) => useImages.setState({ prompt: next });
  const isWhole = isRequestOf(KINDS.imagine, shownJob?.request) && !shownJob.requestCut;
  const recall = isWhole ? escapePrompt(promptOf(shownJob.request)) : undefined;
  return (
    <>
      <div className="scroll">
        <Section
          title={t`Prompt`}
          end={
            recall &&
            recall !== prompt && (
              <TextAction onClick={() => recallWords({ prompt: recall })}>{t`Reuse prompt`}</TextAction>
            )
          }
        >
          <PromptField label={t`Prompt`} placeholder={t`Subject, place, light, lens`} value={prompt} onValue={set} />
          <OutcomeLine place={OUTCOME.prompt} />
          <p className="t3">{rich`Variants: ${<code>{'{red|blue}'}</code>}`}</p>
          <div className="g2 mt">
            {format ? <FormatFields {...format} /> : <TaskFields prompt={prompt} mode={mode} onPrompt={set} />}
          </div>
          {!format && <OtherFlags prompt={prompt} />}
        </Section>
        <MatrixSection />
      </div>
      <ImagineSend />
    </>
  );
}

/** The options of an image task: its mode, and flags of the prompt (spec 2.6). */
function TaskFields({ prompt, mode, onPrompt: set }: FlagProps & { mode: NonNullable<ImagineRequest['mode']> }) {
  return (
    <>
      <Field label={t`Mode`}>
        <Select
          aria-label={t`Mode`}
          options={IMAGE_MODES.map((value) => ({ value, label: value, note: MODE_NOTES[value] }))}
          value={mode}
          onValue={(next) => useImages.setState({ mode: next })}
        />
      </Field>
      <FlagSelect prompt={prompt} flag="v" label={t`Version`} values={VERSIONS} onPrompt={set} />
      <FlagSelect prompt={prompt} flag="ar" label={t`Aspect`} values={ASPECTS} onPrompt={set} />
      <Quality prompt={prompt} onPrompt={set} />
    </>
  );
}

/** Targets of the service, not promises (spec 8). */
const MODE_NOTES = { fast: '≤ 90 s', relax: '≤ 10 min', turbo: '≤ 60 s' } as const;
const VERSIONS = ['7', '6.1', '6', '5.2', '5'];
const ASPECTS = ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16', '21:9'];
const NONE = 'none';

const flagsOf = (prompt: string): FlaggedPrompt => parsePromptFlags(prompt, withinChoices(prompt));

const setFlag = (prompt: string, flag: string, value: string): string =>
  composePromptFlags(withFlag(flagsOf(prompt), flag, value === NONE ? undefined : value));

interface FlagProps {
  prompt: string;
  onPrompt: (prompt: string) => void;
}

/** A flag as a choice. A custom value stays, and is added to the list. */
function FlagSelect({
  prompt,
  flag,
  label,
  values,
  onPrompt,
}: FlagProps & { flag: string; label: string; values: string[] }) {
  const value = flagValue(flagsOf(prompt), flag);
  const all = value === undefined || value === '' || values.includes(value) ? values : [value, ...values];
  return (
    <Field label={label} hint={value && `--${flag}`}>
      <Select
        aria-label={label}
        options={[{ value: NONE, label: t`Not set` }, ...all.map((entry) => ({ value: entry, label: entry }))]}
        value={value || NONE}
        onValue={(next) => onPrompt(setFlag(prompt, flag, next))}
      />
    </Field>
  );
}

const QUALITIES = [
  { value: NONE, label: '–', name: t`Not set` },
  { value: '.5', label: '½', name: t`Half` },
  { value: '1', label: '1' },
  { value: '2', label: '2' },
];
const HALVES = ['.5', '0.5'];

function Quality({ prompt, onPrompt }: FlagProps) {
  const value = flagValue(flagsOf(prompt), 'q');
  const shown = value === undefined ? NONE : HALVES.includes(value) ? '.5' : value;
  return (
    <Field label={t`Quality`} hint={value && '--q'}>
      <Segmented
        full
        aria-label={t`Quality`}
        options={QUALITIES}
        value={shown}
        onValue={(next) => onPrompt(setFlag(prompt, 'q', next))}
      />
    </Field>
  );
}

function OtherFlags({ prompt }: { prompt: string }) {
  const others = flagsOf(prompt).flags.filter(({ name }) => !['v', 'ar', 'q'].includes(name));
  if (others.length === 0) return null;
  return (
    <p className="t3 mt">
      {t`Options sent as typed:`}{' '}
      {others.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same flag may stand twice.
        <span key={index} className="flag">
          --{name} {value}{' '}
        </span>
      ))}
    </p>
  );
}

/** The prompts of the text, and which of them are left out. Changing the text clears the selection. */
function useMatrix() {
  const { prompt, leftOut } = useImages();
  const expanded = useMemo(() => expandMatrix(prompt.trim()), [prompt]);
  const left = leftOut.prompt === prompt ? leftOut.indexes : NOTHING;
  const { prompts, axes } = expanded.ok ? expanded.data : NO_MATRIX;
  return {
    prompts,
    axes,
    left,
    chosen: prompts.filter((_, index) => !left.has(index)),
    refusal: expanded.ok ? undefined : expanded.error.message.replace('text: ', 'Prompt: '),
  };
}

const NOTHING: ReadonlySet<number> = new Set();
const NO_MATRIX = { prompts: [], axes: [] };

function MatrixSection() {
  const { prompts, axes, left } = useMatrix();
  if (prompts.length < 2) return null;
  const leave = (indexes: ReadonlySet<number>) =>
    useImages.setState(({ prompt }) => ({ leftOut: { prompt, indexes } }));
  return <Matrix prompts={prompts} axes={axes} left={left} onLeft={leave} />;
}

function offOf(chosen: readonly string[], refusal: string | undefined): string | undefined {
  if (refusal) return refusal;
  if (chosen.length === 0) return t`All prompts are turned off.`;
  return chosen.some((prompt) => parsePromptFlags(prompt).text === '') ? t`Describe the picture.` : undefined;
}

function requestsOf(
  prompts: readonly string[],
  options: Pick<ImagineRequest, 'mode'> | ImageOptions,
): Result<ImagineRequest[]> {
  const requests: ImagineRequest[] = [];
  for (const prompt of prompts) {
    const parsed = parseInput(imagineRequestSchema, {
      kind: KINDS.imagine.name,
      prompt: prompt.trim(),
      ...options,
    });
    if (!parsed.ok) return parsed;
    requests.push(parsed.data);
  }
  return ok(requests);
}

function ImagineSend() {
  const { mode } = useImages();
  const projectId = useProjectId();
  const { chosen, refusal } = useMatrix();
  const count = chosen.length;
  const format = useImageFormat();
  const off = offOf(chosen, refusal) ?? (format && !format.options.model ? t`Choose a model.` : undefined);
  const { model, n = 1 } = format?.options ?? {};
  const now = usePrice(chosen.map(() => ({ kind: KINDS.imagine.name, model, quantity: { images: n } })));
  const send = async (night: boolean) => {
    if (off) return off;
    const requests = requestsOf(chosen, format?.options ?? { mode });
    if (!requests.ok) return requests.error;
    const answer = await sendOnce('jobs.enqueue', {
      requests: requests.data,
      ...(projectId ? { projectId } : {}),
      shown: now.shown,
      ...(night ? { night: true } : {}),
    });
    if (!answer.ok) return answer.error;
    cacheJobs(answer.data.jobs);
    useImages.setState({ strip: 'all', awaited: answer.data.jobs[0]?.id });
    announce(
      night ? t`${counted(count, 'picture')} scheduled for tonight` : t`${counted(count, 'picture')} in the queue`,
    );
    return undefined;
  };
  const label = t`Make ${counted(Math.max(1, count) * n, 'image')}`;
  return (
    <SpendBar
      label={label}
      off={off ?? now.off}
      onSend={() => send(false)}
      tonight={{ what: label, shown: now.shown, onSend: () => send(true) }}
    >
      <PriceRow what={plural(count, 'prompt')} now={now} kind={KINDS.imagine.pricing.name} />
    </SpendBar>
  );
}

interface PromptFieldProps {
  value: string;
  onValue: (value: string) => void;
  label: string;
  placeholder: string;
}

/** A prompt with its trailing flags (spec 2.6) highlighted: a copy of the text lies under the field, with coloured flags. */
export function PromptField({ value, onValue, label, placeholder }: PromptFieldProps) {
  const under = useRef<HTMLDivElement>(null);
  const follow = (event: UIEvent<HTMLTextAreaElement>) => {
    if (under.current) under.current.scrollTop = event.currentTarget.scrollTop;
  };
  const at = flagsStart(value, withinChoices(value));
  return (
    <div className={panelsStyles.flagged}>
      <div className={`area ${panelsStyles.under}`} aria-hidden="true" ref={under}>
        {value.slice(0, at)}
        <span className={panelsStyles.lit}>{value.slice(at)}</span>
        <br />
      </div>
      <textarea
        className="area"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onScroll={follow}
        onChange={(event) => onValue(event.target.value)}
        spellCheck
      />
    </div>
  );
}
