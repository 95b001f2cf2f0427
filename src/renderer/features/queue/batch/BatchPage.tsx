import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, useActiveProfile, usePlace } from '../../../app/index.ts';
import { saveText } from '../../../media/saveText.ts';
import { ImportPane, ImportStart, importHandlers } from '../../../tableImport/index.ts';
import tableImportStyles from '../../../tableImport/tableImport.module.css';
import { Button, Icon } from '../../../ui/index.ts';
import { BatchSide } from './BatchSide.tsx';
import styles from './batch.module.css';
import { JOB_HEADS, jobRows, jobValues, moreJobFixes } from './jobRows.tsx';
import { jobs, template } from './jobs.ts';
import { useJobsReading } from './useJobsReading.ts';

const HANDLERS = importHandlers(jobs);

/** Many jobs from one text: every row with its price or errors, and one button that queues them all. */
export function BatchPage() {
  usePlace('batch');
  const now = useJobsReading();
  const profile = useActiveProfile();
  const skipped = jobs.useDraft((draft) => draft.skipped);
  const outputTokens = profile?.limits.outputTokens ?? 0;
  const rows = useMemo(() => now.rows && jobRows(now.rows, outputTokens, skipped), [now.rows, outputTokens, skipped]);
  return (
    <main data-page="batch" className={`page ${styles.batch}`} {...HANDLERS}>
      <section className={tableImportStyles.main} aria-label={t`Import jobs`} data-panel tabIndex={-1}>
        <ImportPane
          table={jobs}
          read={{ ...now, rows }}
          heads={JOB_HEADS}
          title={<h1>{t`Import jobs`}</h1>}
          back={t`Queue`}
          onBack={() => navigate('queue')}
          actions={<Template />}
          start={<Start />}
          valuesOf={jobValues(profile?.models ?? [])}
          moreFixes={moreJobFixes}
        />
      </section>
      <BatchSide now={now} rows={rows ?? []} />
    </main>
  );
}

const Template = () => (
  <Button variant="ghost" onClick={() => saveText('jobs.csv', template())}>
    <Icon of={Download} />
    {t`Template`}
  </Button>
);

const Start = () => (
  <ImportStart
    table={jobs}
    label={t`Jobs`}
    hint={t`CSV like the template, JSON lines, or one prompt a line. {rain|fog} makes a job of each.`}
    placeholder={t`A harbour at night, rain
A ferry quay in {rain|fog}`}
  />
);
