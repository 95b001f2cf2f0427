import { t } from '../../../../shared/texts.ts';
import { hashOf } from '../../../app/index.ts';
import { FindingGlyph } from '../../../ui/index.ts';
import { countsText, groupsOf } from './takes.ts';
import { useTriage } from './useTriage.ts';

/** What stands out among the takes of a night, in one line that leads there. */
export function TriageLink({ runId }: { runId: string }) {
  const { takes } = useTriage({ runId });
  if (takes.length === 0) return null;
  const groups = groupsOf(takes);
  const shape = groups.broken.length > 0 ? 'stop' : groups.look.length > 0 ? 'step' : 'level';
  return (
    <p className="row tri-link">
      <FindingGlyph of={shape} />
      <a className="lnk" href={hashOf('queue', { run: runId }, 'triage')}>
        {t`Triage: ${countsText(groups)}`}
      </a>
    </p>
  );
}

/** The way to the takes that were made since the last look, of whatever night or none. */
export function NewTakesLink() {
  return (
    <p className="row tri-link">
      <FindingGlyph of="none" />
      <a className="lnk" href={hashOf('queue', { new: '1' }, 'triage')}>
        {t`Triage of new takes`}
      </a>
    </p>
  );
}
