import type { Handlers } from '../../shared/contract/contract.ts';
import type { LoginState, loginCalls } from '../../shared/contract/programCalls.ts';
import { fail, ok, type Result } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import type { Ports } from './ports.ts';

/** Opening at login is the system's own setting: it is asked each time, since the user can change it there. */
export function loginHandlers({
  loginItem,
  log,
}: Pick<Ports, 'loginItem' | 'log'>): Pick<Handlers, keyof typeof loginCalls> {
  const read = (): LoginState => ({ state: loginItem === undefined ? 'none' : loginItem.isOn() ? 'on' : 'off' });
  const set = (open: boolean): Result<LoginState> => {
    if (!loginItem) return fail('wrong_state', t`This copy of Dailies cannot be opened at login. Nothing was changed.`);
    try {
      loginItem.set(open);
    } catch (error) {
      log.warn({ error: String(error) }, 'opening at login could not be set');
    }
    const now = read();
    if (now.state === (open ? 'on' : 'off')) return ok(now);
    return fail(
      'wrong_state',
      t`The system did not take it. Look into its own settings for programs that open at login.`,
    );
  };
  return { 'login.get': () => ok(read()), 'login.set': ({ open }) => set(open) };
}
