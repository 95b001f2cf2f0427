import { MessageSquareText } from 'lucide-react';
import { t } from '../../../../shared/texts.ts';
import { useJob } from '../../../app/index.ts';
import { AssetImage, Icon, TakeNumber, VerdictWord } from '../../../ui/index.ts';
import type { ShotView } from '../model/view.ts';
import type { JudgeGroup } from './groups.ts';

interface JudgeStripProps {
  groups: readonly JudgeGroup[];
  at: number;
  onGroup: (index: number) => void;
}

/** Every group with its verdicts, in the order in which they are judged. */
export function JudgeStrip({ groups, at, onGroup }: JudgeStripProps) {
  return (
    <nav className="jfilm" aria-label={t`All that is new`}>
      {groups.map(({ key, title, ids, shot }, index) => (
        <button
          key={key}
          type="button"
          className={`jg2 ${index === at ? 'now' : ''}`}
          aria-current={index === at ? 'step' : undefined}
          onClick={() => onGroup(index)}
        >
          <span className="t3">{title}</span>
          <span className="jnew">
            {ids.map((id) => (
              <Mark key={id} id={id} take={numberIn(shot, id)} isOn={index === at} />
            ))}
          </span>
        </button>
      ))}
    </nav>
  );
}

const numberIn = (shot: ShotView | undefined, id: string): number | undefined =>
  shot?.takes.find(({ jobId }) => jobId === id)?.number;

function Mark({ id, take, isOn }: { id: string; take: number | undefined; isOn: boolean }) {
  const job = useJob(id);
  const asset = job?.outputs[0];
  const verdict = job?.verdict;
  return (
    <span className={`jt ${isOn ? 'on' : ''}`}>
      <span className={`media ${asset ? '' : 'in-words'}`}>
        {asset ? <AssetImage asset={asset} className="fill" alt="" /> : job && <Icon of={MessageSquareText} />}
      </span>
      <span className="jv">
        {take !== undefined ? (
          <TakeNumber number={take} verdict={verdict} />
        ) : verdict ? (
          <VerdictWord verdict={verdict} />
        ) : (
          <span className="t3">{t`new`}</span>
        )}
      </span>
    </span>
  );
}
