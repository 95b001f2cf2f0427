import { t } from '../../shared/text/texts.ts';
import { useIsPlay } from './state/studio.ts';

export interface MoneyPlateProps {
  /** The gateway that is paid; by default the active one. */
  profileId?: string | undefined;
  /** Whether it is test money, if several gateways are paid. */
  play?: boolean | undefined;
}

/** Says which money a price is: the same in the top bar and at every paid button. */
export function MoneyPlate({ profileId, play }: MoneyPlateProps) {
  const ofProfile = useIsPlay(profileId);
  const isTest = play ?? ofProfile;
  return (
    <span className="money" data-money={isTest ? 'test' : 'real'}>
      {isTest ? t`Test money` : t`Real money`}
    </span>
  );
}
