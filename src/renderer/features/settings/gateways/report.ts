import type { ConnectionStep, ConnectionTest, FoundSetting } from '../../../../shared/connection.ts';
import { DIALECT, type DialectField } from '../../../../shared/dialect.ts';
import type { ProfileView } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import type { SelfTest } from '../../../../shared/webhookCalls.ts';
import { STEP_WORDS } from '../../../words/index.ts';

/** What a check says, as rows of a page and as a text to be passed on. */

export const CHECK_WORDS = { images: t`Images`, clock: t`Clock` } as const;

export const TRIAL_WORDS: Record<SelfTest['steps'][number]['name'], string> = {
  sent: t`Sent`,
  arrived: t`Arrived`,
  right: t`Secret`,
  wrong: t`Forged`,
  twice: t`Repeat`,
  large: t`Large`,
};

/** Settings of the dialect that nothing was found of, as they are set. */
export function settingsAsSet(
  profile: ProfileView,
  found: readonly FoundSetting[],
): { setting: string; value: string; how: string }[] {
  const names = new Set(found.map(({ setting }) => setting));
  return Object.entries(DIALECT as Record<string, DialectField>).flatMap(([name, field]) => {
    if (field.control.as !== 'choice' || names.has(field.label)) return [];
    const value = (profile as unknown as Record<string, unknown>)[name];
    const shown = field.control.options.find((option) => option.value === value)?.label ?? String(value);
    const how = value === field.default ? t`Default. Would show only in a billed job` : t`Set by you`;
    return [{ setting: field.label, value: shown, how }];
  });
}

/** All of it as a text without a key, a header's value or an address that opens anything: only the host is named. */
export function reportText(
  { name, baseUrl }: Pick<ProfileView, 'name' | 'baseUrl'>,
  test: ConnectionTest,
  { at, version }: { at: number; version: string },
): string {
  const line = (label: string, { ok, message, untried, ms }: Omit<ConnectionStep, 'name'>) =>
    `${ok ? 'ok  ' : 'FAIL'} ${label.padEnd(9)} ${[message, untried].filter(Boolean).join(' ')}${ms === undefined ? '' : t` (${Math.round(ms)} ms)`}`;
  return [
    t`Dailies ${version}, connection of ${name} (${new URL(baseUrl).host}), ${new Date(at).toISOString()}`,
    t`Nothing that is billed was sent. No key is in this text.`,
    '',
    ...test.steps.map((step) => line(STEP_WORDS[step.name], step)),
    ...(test.checks ?? []).map((check) => line(CHECK_WORDS[check.name], check)),
    ...((test.found ?? []).length > 0 ? ['', t`Found of the dialect:`] : []),
    ...(test.found ?? []).map(({ setting, was, now, how }) => `- ${setting}: ${was} → ${now}. ${how}.`),
    '',
  ].join('\n');
}
