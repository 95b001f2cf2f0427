import { useState } from 'react';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, navigate, useAction, useOneAtATime } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { rememberCheck } from '../connect/facts.ts';
import { failedStep } from '../connect/Results.tsx';
import type { Fields } from './useFields.ts';

/** The connection check of a gateway, which sends no paid request. A passed check is remembered with its date. */
export function useCheck(profile: ProfileView) {
  const [last, setLast] = useState<{ test: ConnectionTest; at: number }>();
  const { refusal, run, isBusy } = useAction();
  const check = useOneAtATime(async () => {
    const answer = await run(call('profiles.testConnection', { id: profile.id }));
    if (!answer.ok) return;
    const failed = failedStep(answer.data);
    if (!failed) await rememberCheck(profile);
    setLast({ test: answer.data, at: Date.now() });
    announce(failed ? t`The check failed.` : t`Connected`);
  });
  return { last, refusal, run, isBusy, check };
}

export type CheckHandle = ReturnType<typeof useCheck>;

export type TabId = 'overview' | 'models' | 'format' | 'limits' | 'advanced';

export interface TabProps {
  fields: Fields;
  handle: CheckHandle;
}

export const openGateway = (profile: string, tab: TabId = 'overview') =>
  navigate('settings', { section: 'gateways', profile, ...(tab === 'overview' ? {} : { tab }) });
