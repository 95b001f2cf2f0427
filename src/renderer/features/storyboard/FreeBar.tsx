import { t } from '../../../shared/text/texts.ts';
import { Button } from '../../ui/index.ts';

interface FreeBarProps {
  /** What it makes. */
  what: string;
  label: string;
  kbd: string;
  off?: string | undefined;
  onDo: () => void;
}

/** The main button of a panel, where what it does costs nothing. */
export const FreeBar = ({ what, label, kbd, off, onDo }: FreeBarProps) => (
  <div className="sendbar">
    <div className="row between">
      <span className="t2">{what}</span>
      <span className="price">{t`Free`}</span>
    </div>
    <div className="row">
      <Button variant="primary" className="grow" kbd={kbd} off={off} onClick={onDo}>
        {label}
      </Button>
    </div>
  </div>
);
