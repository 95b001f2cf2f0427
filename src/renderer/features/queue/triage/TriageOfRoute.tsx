import { useState } from 'react';
import { useRoute, useStudio } from '../../../app/index.ts';
import { TriagePage } from './TriagePage.tsx';

const DAY_MS = 86_400_000;

/** `#/queue/triage?run=ID` shows a night's takes, `?new=1` those made since the last look, without either those of the newest night. */
export function TriageOfRoute() {
  const { params } = useRoute();
  const settings = useStudio((state) => state.settings);
  // Who never looked has the takes of the last day before them, and not all that was ever made.
  const [yesterday] = useState(() => Date.now() - DAY_MS);
  const run = params.get('run');
  if (params.has('new')) {
    const since = settings?.triageLookedAt ?? yesterday;
    return <TriagePage key={`since ${since}`} of={{ since }} />;
  }
  return run === null ? <TriagePage of={{}} /> : <TriagePage key={run} of={{ runId: run }} />;
}
