import type { FoundBy, FoundSetting } from '../../../../shared/gateway/connection.ts';
import { DIALECT } from '../../../../shared/gateway/dialect.ts';
import { t } from '../../../../shared/text/texts.ts';
import { protocolLabel } from '../../../../shared/wire/families/index.ts';
import { type Medium, OWN_PROTOCOLS } from '../../../../shared/wire/protocols.ts';
import { videoDialect } from '../families/video.ts';
import type { Service } from '../service.ts';
import type { LearntName, VideoDialect } from '../types.ts';

/** Settings that Dailies found out about a gateway, compared with those of the profile. */

/** How a setting was found, in words. */
const HOW: Record<FoundBy, string> = {
  described: t`Found by an earlier version`,
  refused: t`Worked before`,
  accepted: t`Worked before`,
  polled: t`Worked before`,
  listed: t`From the gateway’s lists`,
  earlier: t`Found by an earlier version`,
};

interface Learnt {
  name: LearntName;
  setting: string;
  was: string;
  now: string;
}

/** Every setting that differs from the profile's, or that the profile leaves open. */
export function foundSettings(service: Service): FoundSetting[] {
  const { foundBy = {} } = service.memory();
  return [...videoSettings(service), ...otherSettings(service)].map(({ name, ...found }) => {
    const { by, at } = foundBy[name] ?? { by: 'earlier' as const, at: undefined };
    return { ...found, by, how: HOW[by], ...(at === undefined ? {} : { at }) };
  });
}

const VIDEO = ['vendor', 'fieldCase', 'seedPlacement', 'samplePlacement', 'pictures'] as const;

function videoSettings(service: Service): Learnt[] {
  const used = videoDialect(service);
  const { profile } = service;
  return VIDEO.filter((field) => used[field] !== undefined && used[field] !== profile[field]).map((field) => ({
    name: 'videoDialect' as const,
    setting: DIALECT[field].label,
    was: wordOf(field, profile),
    now: wordOf(field, used),
  }));
}

/** As the form shows it. */
function wordOf(field: (typeof VIDEO)[number], dialect: Pick<VideoDialect, (typeof VIDEO)[number]>): string {
  const value = String(dialect[field]);
  const { control } = DIALECT[field];
  const options: readonly { value: string; label: string }[] = 'options' in control ? control.options : [];
  return options.find((option) => option.value === value)?.label ?? value;
}

const OPEN = '–';

function otherSettings({ profile, memory }: Service): Learnt[] {
  const known = memory();
  const [first = OPEN] = profile.imageAuthHeaders;
  const format = (medium: Medium, setting: string) => {
    const [was = OWN_PROTOCOLS[medium], now] = [profile.protocols[medium], known.protocols?.[medium]];
    const isUsed = profile.protocols[medium] === undefined && now !== undefined;
    return differing('protocols', setting, protocolLabel(was), isUsed ? protocolLabel(now) : undefined);
  };
  const all: (Learnt | undefined)[] = [
    format('video', t`Video format`),
    format('image', t`Image format`),
    differing('imageAuthHeader', 'Image key header', first, known.imageAuthHeader),
    differing('fetchMethod', 'Image tasks are asked for by', 'POST', known.fetchMethod),
    differing('videoPollPath', DIALECT.videoPollPath.label, profile.videoPollPath ?? OPEN, known.videoPollPath),
    differing('maskField', 'Mask of an edit', 'mask', known.maskField),
    differing('noStreamOptions', 'Usage in a stream', 'asked for', known.noStreamOptions ? 'not asked for' : undefined),
    differing('balancePath', 'The balance is at', OPEN, known.balancePath || undefined),
  ];
  return all.filter((one) => one !== undefined);
}

const differing = (name: LearntName, setting: string, was: string, now: string | undefined): Learnt | undefined =>
  now === undefined || now === was ? undefined : { name, setting, was, now };
