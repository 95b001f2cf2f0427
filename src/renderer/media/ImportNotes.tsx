import { counted, t } from '../../shared/text/texts.ts';
import { ErrorBox } from '../ui/index.ts';
import { useImporting } from './importing.ts';

/** Files being imported, and files that were refused. */
export function ImportNotes() {
  const { left, refused } = useImporting();
  if (left === 0 && refused.length === 0) return null;
  return (
    <div className="pad" role="status">
      {left > 0 && <p className="t2">{t`Importing, ${counted(left, 'file')} left`}</p>}
      {refused.length > 0 && (
        <ErrorBox
          title={t`${counted(refused.length, 'file')} not imported`}
          actions={[{ label: t`Dismiss`, onDo: () => useImporting.setState({ refused: [] }) }]}
        >
          <ul>
            {refused.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </ErrorBox>
      )}
    </div>
  );
}
