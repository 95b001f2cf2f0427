import { Moon } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../shared/texts.ts';
import { navigate, useCall, useStudio } from '../app/index.ts';
import { Button, Icon } from '../ui/index.ts';
import { type NightOrder, useNightOrder } from './nightOrder.ts';
import { type SendFailure, useSend } from './useSend.ts';

/** The same order for the planned night, at the same price. */
export interface TonightOrder extends Pick<NightOrder, 'what' | 'shown' | 'payer'> {
  /** Why it cannot be done, beside what keeps it from being done now. */
  off?: string | undefined;
  onSend: () => Promise<SendFailure>;
}

interface NowOrTonight {
  /** Why neither can be done yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder | undefined;
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
export function useNowOrTonight({ off, onSend, tonight }: NowOrTonight) {
  const night = useCall('night.get', tonight ? {} : null, { on: ['night.changed'] });
  const pressed = useRef(false);
  const sent = useRef(false);
  const { send, ...state } = useSend(() => {
    sent.current = pressed.current;
    return sent.current && tonight ? tonight.onSend() : onSend();
  });
  const order = (isForNight: boolean) => {
    pressed.current = isForNight;
    void send();
  };
  const other = state.isUnknown ? ASKED : undefined;
  const isPlanned = Boolean(night.data?.current);
  const ordering: NightPress = {
    off: off ?? tonight?.off ?? (sent.current ? undefined : other),
    isBusy: state.isBusy,
    title: WAITS,
    onClick: () => order(true),
  };
  const planning: NightPress = { ...ordering, title: OPENS_PLANNING, onClick: () => tonight && planNightFor(tonight) };
  return {
    ...state,
    order,
    off: off ?? (sent.current ? other : undefined),
    night: isPlanned ? ordering : night.data ? planning : { ...planning, off: NIGHT_UNKNOWN },
  };
}

const ASKED = t`It may be in the queue already: press the same button as before.`;
const NIGHT_UNKNOWN = t`Whether a night is planned is being read.`;
const OPENS_PLANNING = t`No night is planned yet. This opens its plan; the order is made once the night is armed.`;
const WAITS = t`It waits for the planned night, at the same price.`;

/** To the plan of the next night, and back once it is armed; what is written here stays. */
export function planNightFor({ what, shown, onSend, payer }: Omit<NightOrder, 'from' | 'activeId'>): void {
  const { activeProfileId: activeId } = useStudio.getState();
  useNightOrder.setState({ order: { what, shown, onSend, payer, activeId, from: window.location.hash } });
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
