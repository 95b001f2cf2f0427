import { t } from '../../../shared/text/texts.ts';
import { useProjectId, useStudio } from '../../app/index.ts';
import { ErrorBox, LoadingBars } from '../../ui/index.ts';
import { BoardPage } from './BoardPage.tsx';
import { NoProject } from './NoProject.tsx';
import styles from './storyboard.module.css';

/** The storyboard: a film as a row of shots, each with its takes (spec 4.1). */
export function StoryboardPage() {
  const projectId = useProjectId();
  const phase = useStudio((state) => state.phase);
  const error = useStudio((state) => state.error);
  const hasProject = useStudio((state) => state.projects.some(({ id }) => id === projectId));
  if (phase === 'failed' && error) return <ErrorBox title={error.message} />;
  if (phase === 'loading') return <LoadingBars rows={6} />;
  return (
    <main data-page="storyboard" className={`page ${styles.storyboard}`}>
      <h1 className="vh">{t`Storyboard`}</h1>
      {projectId && hasProject ? <BoardPage key={projectId} projectId={projectId} /> : <NoProject />}
    </main>
  );
}
