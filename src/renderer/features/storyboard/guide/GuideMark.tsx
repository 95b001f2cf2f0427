import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import playerStyles from '../../../player/player.module.css';
import { Icon, IconButton } from '../../../ui/index.ts';
import storyboardStyles from '../storyboard.module.css';
import guideStyles from './guide.module.css';
import type { GuideStep } from './steps.ts';

const WORDS: Record<GuideStep['id'], string> = {
  play: t`Here. K plays and pauses.`,
  look: t`Here. The arrows go through the takes.`,
  judge: t`Here. Y keeps the take you see.`,
  mend: t`Here. It names the price.`,
  make: t`Here. The price stands beside it.`,
  export: t`Here. It costs nothing.`,
};

/** Where each step is done; the first that is on the page. */
const PLACES: Record<GuideStep['id'], readonly string[]> = {
  play: [`.${playerStyles.transport} button[aria-label=Play]`, `.${playerStyles.transport}`],
  look: [`.${storyboardStyles.sbTakes} .${storyboardStyles.takeList}`],
  judge: [`.${storyboardStyles.ver} .seg`],
  mend: ['.sendbar button'],
  make: ['.sendbar button'],
  export: ['.export-open'],
};

interface GuideMarkProps {
  step: GuideStep;
  number: number;
  onClose: () => void;
}

/** A raised line of text at the control; it takes neither the focus nor a click away from what it points at. */
export function GuideMark({ step, number, onClose }: GuideMarkProps) {
  const place = usePlaceOf(step.id);
  if (!place) return null;
  return (
    <div className={guideStyles.cmark} role="status" style={place}>
      <b>{number}</b>
      <span>{WORDS[step.id]}</span>
      <IconButton label={t`Put away`} onClick={onClose}>
        <Icon of={X} />
      </IconButton>
    </div>
  );
}

/** Above the control, inside the window; follows it when the window changes. */
function usePlaceOf(id: GuideStep['id']): { left: number; bottom: number } | undefined {
  const [place, setPlace] = useState<{ left: number; bottom: number }>();
  useEffect(() => {
    const find = () => {
      const target = PLACES[id].map((selector) => document.querySelector(selector)).find((found) => found !== null);
      const box = target?.getBoundingClientRect();
      setPlace(box && { left: Math.min(box.left, window.innerWidth - 320), bottom: window.innerHeight - box.top + 6 });
    };
    const timer = setInterval(find, 300);
    find();
    window.addEventListener('resize', find);
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', find);
    };
  }, [id]);
  return place;
}
