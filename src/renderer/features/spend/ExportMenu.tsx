import { Download, FileCheck } from 'lucide-react';
import { t } from '../../../shared/text/texts.ts';
import { useAction, useShortcut } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { useExportShown } from '../../media/ExportNote.tsx';
import { Button, Icon, Menu, Refusal } from '../../ui/index.ts';

interface ExportMenuProps {
  /** Side, gateways and period. */
  asked: { play: boolean; profileIds?: string[]; from?: number; to?: number };
  /** The period in words. */
  period: string;
  /** Saves the table on the page. */
  onTable: () => void;
  /** Opens the job records of the month. */
  onRecords: () => void;
  isEmpty: boolean;
}

/** The exports of this page: the table, every entry behind it, and the job records of a month. */
export function ExportMenu({ asked, period, onTable, onRecords, isEmpty }: ExportMenuProps) {
  const { refusal, run } = useAction();
  const off = isEmpty ? t`Nothing to export yet.` : undefined;
  const entries = async (format: 'csv' | 'json') => {
    const started = await run(call('ledger.export', { ...asked, format, name: t`Ledger, ${period}`.slice(0, 200) }));
    if (started.ok) useExportShown.setState({ id: started.data.id });
  };
  useShortcut('spend.csv', () => void entries('csv'), !isEmpty);
  useShortcut('spend.json', () => void entries('json'), !isEmpty);
  return (
    <>
      <Refusal text={refusal} />
      <Menu
        label={t`Export`}
        trigger={
          <Button variant="ghost">
            <Icon of={Download} />
            {t`Export`}
          </Button>
        }
        items={[
          { id: 'table', label: t`This table as CSV`, onSelect: onTable, off },
          { id: 'csv', label: t`Every entry as CSV`, onSelect: () => void entries('csv'), separated: true },
          { id: 'json', label: t`Every entry as JSON`, onSelect: () => void entries('json') },
          {
            id: 'records',
            label: t`Job records of the month`,
            icon: <Icon of={FileCheck} />,
            onSelect: onRecords,
            off,
            separated: true,
          },
        ]}
      />
    </>
  );
}
