import { Info } from 'lucide-react';
import { counted, plural, t } from '../../../shared/text/texts.ts';
import type { TriageTake } from '../../../shared/triage/calls.ts';
import type { Finding, FindingKind } from '../../../shared/triage/findings.ts';
import { type TriageLimitName, type TriageLimits, triageLimitsOf } from '../../../shared/triage/limits.ts';
import { isClip, startFrameOf, takeOf } from '../../../shared/triage/take.ts';
import { useMeasures } from '../../media/useMeasures.ts';
import { CheckGlyph, FindingGlyph, Icon } from '../../ui/index.ts';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import type { ReviewItem } from './items.ts';

export type Checked = TriageTake;

/** The quality checks of each clip by key. Unmeasured clips are measured now. */
export function useChecks(items: readonly ReviewItem[], board: BoardHandle | undefined): ReadonlyMap<string, Checked> {
  const clips = items.flatMap(({ key, job, asset, output }) =>
    job && asset && isClip({ job, asset, output }) ? [{ key, job, asset, output }] : [],
  );
  const files = useMeasures(
    clips.flatMap(({ job, asset }) => (asset.state === 'local' ? [asset.sha256, startFrameOf(job)?.sha256 ?? ''] : [])),
  );
  const { projectId, triageLimits } = board?.board ?? {};
  const known = Object.fromEntries(files);
  return new Map(
    clips.map(({ key, ...clip }) => {
      const limits = triageLimitsOf(clip.job.projectId === projectId ? triageLimits : undefined);
      return [key, takeOf(clip, known, limits)];
    }),
  );
}

export const STATES = ['broken', 'look', 'clean'] as const;
export type CheckState = (typeof STATES)[number];

export const itemsIn = (
  items: readonly ReviewItem[],
  checks: ReadonlyMap<string, Checked>,
  state: CheckState,
): ReviewItem[] => items.filter(({ key }) => checks.get(key)?.state === state);

/** The next finding: of the same take, then of later takes, then from the start. */
export function nextFinding(
  items: readonly ReviewItem[],
  checks: ReadonlyMap<string, Checked>,
  here: { key: string; finding: number },
): { key: string; finding: number } | undefined {
  const countOf = (key: string) => checks.get(key)?.findings.length ?? 0;
  if (here.finding + 1 < countOf(here.key)) return { key: here.key, finding: here.finding + 1 };
  const at = items.findIndex(({ key }) => key === here.key);
  const next = [...items.slice(at + 1), ...items.slice(0, at + 1)].find(({ key }) => countOf(key) > 0);
  return next && { key: next.key, finding: 0 };
}

/** The mark of a quality check: a tick, a circled i, or an octagon with a bar; dashed if nothing was checked. */
export function CheckMark({ state }: { state: Checked['state'] }) {
  if (state === 'clean') return <CheckGlyph />;
  if (state === 'look') return <Icon of={Info} />;
  return <FindingGlyph of={state === 'broken' ? 'stop' : 'none'} />;
}

/** Names of quality checks and findings. */

export const CHECK_WORDS = { broken: t`Broken`, look: t`Worth a look`, clean: t`Passed` } as const;

/** A sentence for a check without findings. */
export const checkWords = ({ state, why }: Pick<TriageTake, 'state' | 'why'>): string =>
  why ?? (state === 'waiting' ? t`Being checked` : CHECK_WORDS.clean);

/** Unique, since no two findings of a kind begin at the same time. */
export const keyOfFinding = ({ kind, at }: Finding): string => `${kind} ${at}`;

export const isOfSound = ({ kind }: Finding): boolean => kind === 'silence' || kind === 'clipping';

/** `Black 0:01.5–0:04.0`, `Cut inside 0:02.0` */
export function findingTitle({ kind, at, to }: Finding, seconds: number | undefined): string {
  if (kind === 'jump') return FINDING_TITLES.jump;
  const end = to === undefined || kind === 'cut' ? '' : `–${timeText(Math.min(to, seconds ?? to))}`;
  return `${FINDING_TITLES[kind]} ${timeText(at)}${end}`;
}

/** `0:03.5`: to a tenth of a second. */
export function timeText(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const rest = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${rest.toFixed(1).padStart(4, '0')}`;
}

const FINDING_TITLES: Record<FindingKind, string> = {
  jump: t`Jump at the start`,
  black: t`Black`,
  cut: t`Cut within the clip`,
  frozen: t`Frozen`,
  doubled: t`Repeated frames`,
  silence: t`Silence`,
  clipping: t`Clipping`,
};

const two = (value: number): string => value.toFixed(2);
const small = (value: number): string => value.toFixed(value < 0.01 ? 3 : 2);

/** The measured value and its limit. */
export function findingText(finding: Finding, limits: TriageLimits): string {
  const { value, at, to = at } = finding;
  switch (finding.kind) {
    case 'jump':
      return t`${two(value)}, ΔE ${(finding.colour ?? 0).toFixed(1)}; limits ${two(limits.jump)}, ${limits.jumpColour.toFixed(1)}`;
    case 'black':
      return t`Mean ${value.toFixed(3)}, limit ${limits.black}`;
    case 'cut': {
      const frame = finding.frame ?? 1;
      return t`${two(value)} from frame ${frame - 1} to ${frame}, motion around it ${small(finding.around ?? 0)}`;
    }
    case 'frozen':
      return plural(value, 'equal frame');
    case 'doubled':
      return t`${counted(value, 'repeated frame')} to ${timeText(to)}`;
    case 'silence':
      return t`${value.toFixed(1)} s at or below −60 dBFS`;
    case 'clipping':
      return t`Up to ${value} samples in a row at full scale`;
  }
}

/** How much of a broken take is missing: `2.5 of 4 s are black.` */
export function brokenText({ findings, seconds = 0, why }: Pick<TriageTake, 'findings' | 'seconds' | 'why'>): string {
  if (why) return why;
  const lost = (kind: FindingKind) =>
    findings.filter((finding) => finding.kind === kind).reduce((sum, { at, to = at }) => sum + to - at, 0);
  const parts = (['black', 'frozen'] as const).flatMap((kind) => {
    const missing = lost(kind);
    return missing > 0
      ? [
          kind === 'black'
            ? t`${round(missing)} of ${round(seconds)} s are black`
            : t`${round(missing)} of ${round(seconds)} s are frozen`,
        ]
      : [];
  });
  return `${parts.join(', ')}.`;
}

const round = (seconds: number): number => Number(seconds.toFixed(1));

export const LIMIT_LABELS: Record<TriageLimitName, string> = {
  black: t`Black`,
  frozen: t`Frozen`,
  doubled: t`Repeated frames`,
  cut: t`Cut within the clip`,
  silence: t`Silence below −60 dBFS, s`,
  clipping: t`Clipping`,
  jump: t`Jump at the start`,
  jumpColour: t`Colour jump, ΔE`,
};
