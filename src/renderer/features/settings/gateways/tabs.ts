import { navigate } from '../../../app/index.ts';
import type { CheckHandle } from './useCheck.ts';
import type { Fields } from './useFields.ts';

export type TabId = 'overview' | 'models' | 'format' | 'limits' | 'advanced';

export interface TabProps {
  fields: Fields;
  handle: CheckHandle;
}

/** Leads to a gateway, and to one of its tabs. */
export const openGateway = (profile: string, tab: TabId = 'overview') =>
  navigate('settings', { section: 'gateways', profile, ...(tab === 'overview' ? {} : { tab }) });
