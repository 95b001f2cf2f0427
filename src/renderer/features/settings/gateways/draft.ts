import type { Reason, StudioError } from '../../../../shared/contract/result.ts';
import { DIALECT, type DialectDraft, dialectDraft, dialectInput } from '../../../../shared/gateway/dialect.ts';
import type { ProfileInput, ProfileView } from '../../../../shared/gateway/profile.ts';
import { LIMITS, type ProfileLimits } from '../../../../shared/gateway/profileLimits.ts';
import { t } from '../../../../shared/text/texts.ts';
import { fieldText, reasonsOf, reasonText } from '../../../words/index.ts';

/** A profile while it is edited. Numbers may be empty, and the bot token is write-only. */
export interface ProfileDraft extends DialectDraft {
  name: string;
  baseUrl: string;
  /** `null`: the stored value stays. */
  extraHeaders: Record<string, string | null>;
  botToken: string;
  limits: Record<keyof ProfileLimits, number | null>;
  models: ProfileView['models'];
}

export function draftOfProfile(profile: ProfileView): ProfileDraft {
  const { name, baseUrl, extraHeaders, limits, models } = profile;
  return { name, baseUrl, extraHeaders, botToken: '', limits, models, ...dialectDraft(DIALECT, profile) };
}

/** The changed settings, as `profiles.save` takes them. An empty number is sent as it is, so that the studio names its rule. */
export function inputOf({ botToken, limits, ...changes }: Partial<ProfileDraft>): ProfileInput {
  const dialect: Record<string, unknown> = dialectInput(DIALECT, changes);
  const changed = Object.entries(changes).map(([name, value]) => [name, name in dialect ? dialect[name] : value]);
  return {
    ...Object.fromEntries(changed),
    ...(botToken ? { botToken } : {}),
    ...(limits ? { limits: limits as ProfileLimits } : {}),
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

/** The studio's refusal, by field: "Output: must be 1 to 1,000,000. Not saved." Errors without a field here are under ''. */
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
