import { t } from '../../shared/text/texts.ts';
import { navigate, useCall, useLacksKey, useStudio } from '../app/index.ts';
import { TextAction } from '../ui/index.ts';
import { type NightOrder, useNightOrder } from './nightOrder.ts';
import { type SendFailure, useSpend } from './useSpend.ts';

/** The same order for the planned night, at the same price. */
export interface TonightOrder extends Pick<NightOrder, 'what' | 'shown' | 'payer' | 'lines'> {
  /** Why it cannot be done, beside what keeps it from being done now. */
  off?: string | undefined;
  onSend: () => Promise<SendFailure>;
}

interface NowOrTonight {
  /** Why neither can be done yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
  /** Its name, where the same buttons may send another one next ({@link useSpend}). */
  of?: string;
}

/** What pressing *Schedule tonight* does: it orders for the planned or open night, or takes the order along to the plan where none is planned or where it is many lines. */
interface NightPress {
  /** Why it cannot be pressed. */
  off: string | undefined;
  isBusy: boolean;
  /** Said on hover where it is not off. */
  title: string;
  onClick: () => void;
}

/** Why a paid button is off whose gateway has no key; without an id, the active one's. */
export const useKeyOff = (profileId?: string): string | undefined =>
  useLacksKey(profileId) ? t`Enter the key first.` : undefined;

/**
 * One order with two buttons, now and tonight, of which one press sends one request: while one is sent both wait, and after an answer that
 * was lost only the same button may ask again.
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

/** To the plan, also of a night that is open. */
const PLAN = { plan: 'change' };

/** To the plan of the night, and back once it is armed; what is written here stays. */
export function planNightFor({ what, shown, onSend, payer, lines }: Omit<NightOrder, 'from' | 'activeId'>): void {
  const { activeProfileId: activeId } = useStudio.getState();
  useNightOrder.setState({ order: { what, shown, onSend, payer, lines, activeId, from: window.location.hash } });
  navigate('queue', PLAN, 'night');
}

/** The order for the night, beside the one for now. */
export const TonightButton = ({ night: { off, isBusy, title, onClick } }: { night: NightPress }) => (
  <TextAction off={off} title={off ?? title} busy={isBusy} onClick={onClick}>
    {t`Schedule tonight`}
  </TextAction>
);
