import { Moon } from 'lucide-react';
import { t } from '../../shared/texts.ts';
import { navigate, useCall, useStudio } from '../app/index.ts';
import { Button, Icon } from '../ui/index.ts';
import { type NightOrder, useNightOrder } from './nightOrder.ts';
import { type SendFailure, useSend } from './useSend.ts';

/** The same order for the planned night, at the same price. */
export interface TonightOrder extends Pick<NightOrder, 'what' | 'shown' | 'payer' | 'jobs'> {
  /** Why it cannot be done, beside what keeps it from being done now. */
  off?: string | undefined;
  onSend: () => Promise<SendFailure>;
}

interface NowOrTonight {
  /** Why neither can be done yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
  /** Its name, where the same buttons may send another one next ({@link useSend}). */
  of?: string;
}

/** What pressing *Tonight* does: it orders for the planned or open night, or, where none is planned, takes the order along to the planning. */
interface NightPress {
  /** Why it cannot be pressed. */
  off: string | undefined;
  isBusy: boolean;
  /** Said on hover where it is not off. */
  title: string;
  onClick: () => void;
}

/**
 * One order with two buttons, now and tonight, of which one press sends one request: while one is sent both wait, and after an answer that
 * was lost only the same button may ask again.
 */
export function useNowOrTonight({ off, onSend, tonight, of }: NowOrTonight) {
  const night = useCall('night.get', tonight ? {} : null, { on: ['night.changed'] });
  const send = (isForNight: boolean) => (isForNight && tonight ? tonight.onSend() : onSend());
  const { send: order, isForNight, ...state } = useSend(send, of, tonight?.what);
  const other = state.isUnknown ? ASKED : undefined;
  const isPlanned = Boolean(night.data?.current);
  const ordering: NightPress = {
    off: off ?? tonight?.off ?? (isForNight ? undefined : other),
    isBusy: state.isBusy,
    title: WAITS,
    onClick: () => void order(true),
  };
  const planning: NightPress = { ...ordering, title: OPENS_PLANNING, onClick: () => tonight && planNightFor(tonight) };
  return {
    ...state,
    order: (isForTonight: boolean) => void order(isForTonight),
    off: off ?? (isForNight ? other : undefined),
    night: isPlanned ? ordering : night.data ? planning : { ...planning, off: NIGHT_UNKNOWN },
  };
}

const ASKED = t`It may be in the queue already: press the same button as before.`;
const NIGHT_UNKNOWN = t`Whether a night is planned is being read.`;
const OPENS_PLANNING = t`No night is planned yet. This opens its plan; the order is made once the night is armed.`;
const WAITS = t`It waits for the planned night, at the same price.`;

/** To the plan of the next night, and back once it is armed; what is written here stays. */
export function planNightFor({ what, shown, onSend, payer, jobs }: Omit<NightOrder, 'from' | 'activeId'>): void {
  const { activeProfileId: activeId } = useStudio.getState();
  useNightOrder.setState({ order: { what, shown, onSend, payer, jobs, activeId, from: window.location.hash } });
  navigate('queue', {}, 'night');
}

/** The button for the night, beside the one for now. */
export function TonightButton({ night: { off, isBusy, title, onClick } }: { night: NightPress }) {
  return (
    <Button off={off} title={off ?? title} busy={isBusy} onClick={onClick}>
      <Icon of={Moon} />
      {t`Tonight`}
    </Button>
  );
}
