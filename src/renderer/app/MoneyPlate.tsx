import { t } from '../../shared/text/texts.ts';
import { useIsPlay } from './state/studio.ts';

export interface MoneyPlateProps {
  /** Whose money; without it, the active profile's. */
  profileId?: string | undefined;
  /** Whether it is test money, where no one profile pays. */
  play?: boolean | undefined;
}

/** Which money a price is: the same plate in the top bar and at every button that sends. */
export function MoneyPlate({ profileId, play }: MoneyPlateProps) {
  const ofProfile = useIsPlay(profileId);
  const isTest = play ?? ofProfile;
  return (
    <span className="money" data-money={isTest ? 'test' : 'real'}>
      {isTest ? t`Test money` : t`Real money`}
    </span>
  );
}
