import { Columns2 } from 'lucide-react';
import { useEffect } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { resultsOf } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, navigate, useEntities, useRunningWords } from '../../../app/index.ts';
import { Button, Icon, JobStateGlyph, TextAction } from '../../../ui/index.ts';
import { STATE_WORDS } from '../../../words/index.ts';
import { editFacts } from '../model/gallery.ts';
import { openPicture, useImages } from '../useImages.ts';

export function SentEdit({ asset }: { asset: Asset }) {
  const { sentEdit } = useImages();
  const jobs = useEntities((state) => state.jobs);
  const job = sentEdit === undefined ? undefined : jobs.get(sentEdit);
  const isOurs = editFacts(job, jobs)?.baseId === asset.id;
  const [result] = job && isOurs ? resultsOf(job) : [];
  const running = useRunningWords(job);
  const isMade = result !== undefined && job?.state === 'succeeded';
  useEffect(() => {
    if (isMade) announce(t`The edit is done. Compare it with the original`);
  }, [isMade]);
  if (!job || !isOurs) return null;
  if (!isMade) {
    return (
      <div className="row between">
        <JobStateGlyph state={job.state} progress={job.progress}>
          {[t`The edit is ${STATE_WORDS[job.state].now}`, running].filter(Boolean).join(', ')}
        </JobStateGlyph>
        <TextAction onClick={() => navigate('queue', { job: job.id })}>{t`Open in Queue`}</TextAction>
      </div>
    );
  }
  const see = () => {
    openPicture(result.id, 'slider');
    useImages.setState({ tab: 'imagine', isDrawerOpen: false, sentEdit: undefined });
  };
  return (
    <div className="row between">
      <JobStateGlyph state="succeeded">{t`The edit is ${STATE_WORDS.succeeded.now}`}</JobStateGlyph>
      <Button onClick={see}>
        <Icon of={Columns2} />
        {t`Compare edit`}
      </Button>
    </div>
  );
}
