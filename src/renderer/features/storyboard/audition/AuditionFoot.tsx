import { t } from '../../../../shared/texts.ts';
import { useIsOnControl, useKeyHint, useShortcut } from '../../../app/index.ts';
import { Button, TextAction } from '../../../ui/index.ts';
import { matchWords } from './levels.ts';
import type { Audition } from './useAudition.ts';

/** What is done to the levels, and the button that keeps. */
export function AuditionFoot({
  audition: { shown, solo, matched, keep, keepAlone, undo, said },
}: {
  audition: Audition;
}) {
  const hint = useKeyHint('audition.keep');
  const isOnControl = useIsOnControl();
  useShortcut('audition.keep', keep, !isOnControl);
  const levels = matchWords(
    matched,
    shown.map(({ words }) => words),
  );
  return (
    <div className="sb-ver aud-foot">
      <span className="t3 grow">
        {said ?? levels} {undo && <TextAction onClick={undo}>{t`Undo`}</TextAction>}
      </span>
      {solo && (
        <>
          <Button
            variant="ghost"
            title={t`The other takes that are compared leave the shot; they can be put back`}
            onClick={keepAlone}
          >
            {t`Keep take ${solo.take.number}, bin the others`}
          </Button>
          <Button variant="primary" kbd={hint} onClick={keep}>
            {solo.take.clips.length > 1
              ? t`Keep clip ${solo.index + 1} of take ${solo.take.number}`
              : t`Keep take ${solo.take.number}`}
          </Button>
        </>
      )}
    </div>
  );
}
