import { counted, t } from '../../../shared/texts.ts';
import type { TriageTake } from '../../../shared/triage/calls.ts';
import type { Finding, FindingKind } from '../../../shared/triage/findings.ts';
import type { TriageLimitName, TriageLimits } from '../../../shared/triage/limits.ts';

/** What quality checks and their findings are called. */

export const CHECK_WORDS = { broken: t`Broken`, look: t`Worth a look`, clean: t`Passed` } as const;

/** A check without a finding, in a sentence. */
export const checkWords = ({ state, why }: Pick<TriageTake, 'state' | 'why'>): string =>
  why ?? (state === 'waiting' ? t`Being checked` : t`Passed all checks`);

/** No two of a kind begin at one moment. */
export const keyOfFinding = ({ kind, at }: Finding): string => `${kind} ${at}`;

export const isOfSound = ({ kind }: Finding): boolean => kind === 'silence' || kind === 'clipping';

/** `Black 0:01.5–0:04.0`, `Cut inside 0:02.0` */
export function findingTitle({ kind, at, to }: Finding, seconds: number | undefined): string {
  if (kind === 'jump') return FINDING_TITLES.jump;
  const end = to === undefined || kind === 'cut' ? '' : `–${timeText(Math.min(to, seconds ?? to))}`;
  return `${FINDING_TITLES[kind]} ${timeText(at)}${end}`;
}

/** `0:03.5`: to a tenth of a second, as marks are read. */
export function timeText(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const rest = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${rest.toFixed(1).padStart(4, '0')}`;
}

const FINDING_TITLES: Record<FindingKind, string> = {
  jump: t`Jump from the frame given`,
  black: t`Black`,
  cut: t`Cut inside`,
  frozen: t`Frozen`,
  doubled: t`Doubled frames`,
  silence: t`Silence`,
  clipping: t`Clipping`,
};

const two = (value: number): string => value.toFixed(2);
const small = (value: number): string => value.toFixed(value < 0.01 ? 3 : 2);

/** What was measured and what it is held against, in one or two sentences. */
export function findingText(finding: Finding, { take, limits, givenName }: FindingContext): string {
  const { value, at, to = at } = finding;
  switch (finding.kind) {
    case 'jump':
      return t`${two(value)} and ΔE ${(finding.colour ?? 0).toFixed(1)} from ${givenWords(take, givenName)}. Limits ${two(limits.jump)}, ${limits.jumpColour.toFixed(1)}.`;
    case 'black':
      return t`${isEnd(take, to) ? t`To the end` : t`To ${timeText(to)}`}, mean ${value.toFixed(3)}; the limit is ${limits.black}.`;
    case 'cut': {
      const frame = finding.frame ?? 1;
      return t`${two(value)} from frame ${frame - 1} to ${frame}; the motion around it is ${small(finding.around ?? 0)}.`;
    }
    case 'frozen':
      return t`${counted(value, 'frame')} alike to 0.0001${finding.isHeard ? t`, with sound going on` : ''}.`;
    case 'doubled':
      return t`${counted(value, 'frame')} repeat the one before, to ${timeText(to)}, while things move.`;
    case 'silence':
      return t`${value.toFixed(1)} s at or below −60 dBFS${isEnd(take, to) ? t`, to the end` : ''}.`;
    case 'clipping':
      return t`Up to ${value} samples in a row at full scale${to > at ? t`, to ${timeText(to)}` : ''}.`;
  }
}

interface FindingContext {
  take: Pick<TriageTake, 'seconds' | 'given'>;
  limits: TriageLimits;
  /** What made the frame that was given, as a take is called. */
  givenName?: string | undefined;
}

function givenWords({ given }: Pick<TriageTake, 'given'>, name: string | undefined): string {
  if (!given) return t`the frame that was given`;
  const what = given.end === 'last' ? t`the last frame` : t`the picture`;
  return name ? t`${given.end === 'last' ? what : t`the frame`} of ${name}` : t`${what} that was given`;
}

/** Times are of frames: the last one may end a little before its clip. */
const isEnd = ({ seconds }: Pick<TriageTake, 'seconds'>, to: number): boolean =>
  seconds !== undefined && to >= seconds - 0.1;

/** How much of a broken take is missing: `2.5 of 4 s are black.` */
export function brokenText({ findings, seconds = 0, why }: Pick<TriageTake, 'findings' | 'seconds' | 'why'>): string {
  if (why) return why;
  const lost = (kind: FindingKind) =>
    findings.filter((finding) => finding.kind === kind).reduce((sum, { at, to = at }) => sum + to - at, 0);
  const parts = (['black', 'frozen'] as const).flatMap((kind) => {
    const missing = lost(kind);
    return missing > 0
      ? [t`${round(missing)} of ${round(seconds)} s ${kind === 'black' ? t`are black` : t`stand still`}`]
      : [];
  });
  return `${parts.join(', ')}.`;
}

const round = (seconds: number): number => Number(seconds.toFixed(1));

export const LIMIT_LABELS: Record<TriageLimitName, string> = {
  black: t`Black, mean below`,
  frozen: t`Frozen, frames`,
  doubled: t`Doubled, in a second`,
  cut: t`Cut inside, above`,
  silence: t`Silence, s below −60`,
  clipping: t`Clipping, samples`,
  jump: t`Jump from the frame`,
  jumpColour: t`Jump, ΔE`,
};
