import { t } from '../../shared/text/texts.ts';
import { navigate, useCall, useLacksKey, useStudio } from '../app/index.ts';
import { TextAction } from '../ui/index.ts';
import { type NightOrder, useNightOrder } from './nightOrder.ts';
import { type SendFailure, useSpend } from './useSpend.ts';

/** The same request for the scheduled run, at the same price. */
export interface TonightOrder extends Pick<NightOrder, 'what' | 'shown' | 'payer' | 'lines'> {
  /** Why it cannot be scheduled, in addition to reasons that also keep it from being sent now. */
  off?: string | undefined;
  onSend: () => Promise<SendFailure>;
}

interface NowOrTonight {
  /** Why neither is possible yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
  /** Names the request if the same buttons may send another one next ({@link useSpend}). */
  of?: string;
}

/**
 * The effect of *Schedule tonight*: it adds the request to the scheduled or open run. If none is scheduled, or for many rows, it opens the
 * plan with the request.
 */
interface NightPress {
  /** Why it is off. */
  off: string | undefined;
  isBusy: boolean;
  /** Tooltip while it is not off. */
  title: string;
  onClick: () => void;
}

/** Why a paid button is off if its gateway has no key; without an id, that of the active one. */
export const useKeyOff = (profileId?: string): string | undefined =>
  useLacksKey(profileId) ? t`Enter the key first.` : undefined;

/**
 * One request with two buttons, now and tonight; one press sends it once. While it is being sent both are off, and after a lost answer only
 * the same button may repeat it.
 */
export function useNowOrTonight({ off: own, onSend, tonight, of }: NowOrTonight) {
  const payer = tonight?.payer;
  const keyOff = useKeyOff(typeof payer === 'string' ? payer : undefined);
  const off = own ?? (typeof payer === 'object' ? undefined : keyOff);
  const night = useCall('night.get', tonight ? {} : null, { on: ['night.changed'] });
  const send = (isForNight: boolean) => (isForNight && tonight ? tonight.onSend() : onSend());
  const { send: order, isForNight, ...state } = useSpend(send, of, tonight?.what);
  const other = state.isUnknown ? ASKED : undefined;
  const isOrdering = Boolean(night.data?.current) && !tonight?.lines;
  const ordering: NightPress = {
    off: off ?? tonight?.off ?? (isForNight ? undefined : other),
    isBusy: state.isBusy,
    title: WAITS,
    onClick: () => void order(true),
  };
  const title = night.data?.current ? SHOWS_FITS : OPENS_PLANNING;
  const planning: NightPress = { ...ordering, title, onClick: () => tonight && planNightFor(tonight) };
  return {
    ...state,
    order: (isForTonight: boolean) => void order(isForTonight),
    off: off ?? (isForNight ? other : undefined),
    night: isOrdering ? ordering : night.data ? planning : { ...planning, off: NIGHT_UNKNOWN },
  };
}

const ASKED = t`The request may already be queued. Press again unchanged: nothing is sent twice.`;
const NIGHT_UNKNOWN = t`Looking for a scheduled run…`;
const OPENS_PLANNING = t`No overnight run is scheduled. Schedule one first.`;
const SHOWS_FITS = t`Shows what fits into the scheduled run first.`;
const WAITS = t`Waits for the scheduled run, at the same price.`;

/** Opens the plan, even of an open run. */
const PLAN = { plan: 'change' };

/** Opens the plan of the run with the request, and returns once the run is scheduled; input on this page stays. */
export function planNightFor({ what, shown, onSend, payer, lines }: Omit<NightOrder, 'from' | 'activeId'>): void {
  const { activeProfileId: activeId } = useStudio.getState();
  useNightOrder.setState({ order: { what, shown, onSend, payer, lines, activeId, from: window.location.hash } });
  navigate('queue', PLAN, 'night');
}

/** The button for tonight, beside the one for now. */
export const TonightButton = ({ night: { off, isBusy, title, onClick } }: { night: NightPress }) => (
  <TextAction off={off} title={off ?? title} busy={isBusy} onClick={onClick}>
    {t`Schedule tonight`}
  </TextAction>
);
