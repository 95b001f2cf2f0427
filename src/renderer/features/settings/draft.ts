import { DIALECT, type DialectDraft, dialectDraft, dialectInput } from '../../../shared/dialect.ts';
import type { ProfileInput, ProfileModel, ProfileView } from '../../../shared/profile.ts';
import { LIMITS, type ProfileLimits } from '../../../shared/profileLimits.ts';
import type { Reason, StudioError } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import { fieldText, reasonsOf, reasonText } from '../../words/index.ts';

/** A profile while it is edited; figures may be empty, and the bot token is only ever written. */
export interface ProfileDraft extends DialectDraft {
  id?: string;
  name: string;
  baseUrl: string;
  /** `null`: the value is stored and stays. */
  extraHeaders: Record<string, string | null>;
  botToken: string;
  limits: Record<keyof ProfileLimits, number | null>;
  models: ProfileModel[];
  prices: ProfileView['prices'];
}

export function draftOfProfile(profile: ProfileView): ProfileDraft {
  const { id, name, baseUrl, extraHeaders, limits, models, prices } = profile;
  return { id, name, baseUrl, extraHeaders, botToken: '', limits, models, prices, ...dialectDraft(DIALECT, profile) };
}

/** A copy to go on from, or a new profile that speaks the same way; the studio gives it an id. */
export function copyOf(profile: ProfileView): ProfileDraft {
  const draft = draftOfProfile(profile);
  return {
    ...draft,
    id: undefined,
    name: profile.builtin ? t`New gateway` : t`${profile.name} copy`,
    baseUrl: profile.builtin ? '' : profile.baseUrl,
    // Values are not copied: nobody can read them.
    extraHeaders: {},
    // A copy is for another address or account, and may order a second time where this service gives the first order back.
    idempotency: { kind: 'none' },
  };
}

/** As `profiles.save` takes it. An empty figure is sent as it is, so that the rule is named. */
export function inputOfDraft(draft: ProfileDraft): ProfileInput {
  const { id, botToken, limits, prices, ...rest } = draft;
  return {
    ...rest,
    ...dialectInput(DIALECT, draft),
    // A known profile keeps its prices as they are now: they are set on Spend, maybe since this form was opened.
    ...(id === undefined ? { prices } : { id }),
    ...(botToken === '' ? {} : { botToken }),
    limits: limits as ProfileLimits,
  };
}

const LABELS: Record<string, string> = {
  name: t`Name`,
  baseUrl: t`Base URL`,
  extraHeaders: t`Extra headers`,
  botToken: t`Bot token`,
  models: t`Models`,
  ...Object.fromEntries(Object.entries(DIALECT).map(([name, { label }]) => [name, label])),
  ...Object.fromEntries(Object.entries(LIMITS).map(([name, { label }]) => [`limits.${name}`, label])),
};

export type Faults = Readonly<Record<string, string>>;

/** The studio's refusal, by field: "Output: must be 1 to 1,000,000. Not saved." What names no field here stands under ''. */
export function faultsOf(error: StudioError): Faults {
  const reasons = reasonsOf(error);
  return reasons.length === 0 ? { '': t`${error.message} Not saved.` } : Object.fromEntries(reasons.map(faultOf));
}

function faultOf(reason: Reason): [string, string] {
  const { field } = reason;
  const known = Object.keys(LABELS).find((key) => field === key || field.startsWith(`${key}.`));
  if (known === undefined) return ['', t`${reasonText(reason)} Not saved.`];
  const label =
    known === 'extraHeaders' && field !== known ? t`Extra header ${field.slice(known.length + 1)}` : LABELS[known];
  return [known, t`${fieldText(label ?? known, reason)} Not saved.`];
}
