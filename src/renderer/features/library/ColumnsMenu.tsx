import { Columns3 } from 'lucide-react';
import { t } from '../../../shared/texts.ts';
import { Button, Checkbox, Icon, Popover } from '../../ui/index.ts';
import { ALWAYS_SHOWN, COLUMNS } from './columns.ts';
import libraryStyles from './library.module.css';
import type { ColumnId } from './remembered.ts';
import { setLibraryView, useLibraryView } from './state.ts';
import tableStyles from './table.module.css';

const show = (id: ColumnId, isShown: boolean): void =>
  setLibraryView(({ hidden }) => ({
    hidden: isShown ? hidden.filter((other) => other !== id) : [...hidden, id],
  }));

/** Which columns the table has; kept with how the list looks. The name is always one of them. */
export function ColumnsMenu() {
  const hidden = useLibraryView((view) => view.hidden);
  const trigger = (
    <Button variant="ghost" aria-label={t`Columns`}>
      <Icon of={Columns3} />
      <span className={libraryStyles.barWord}>{t`Columns`}</span>
    </Button>
  );
  return (
    <Popover trigger={trigger} title={t`Table columns`}>
      <div className={tableStyles.ltMenu}>
        {COLUMNS.filter(({ id }) => id !== ALWAYS_SHOWN).map(({ id, label }) => (
          <Checkbox key={id} checked={!hidden.includes(id)} onChecked={(next) => show(id, next)}>
            {label}
          </Checkbox>
        ))}
        <p className="t3">{t`A narrow window hides Project, Model and Seed.`}</p>
      </div>
    </Popover>
  );
}
