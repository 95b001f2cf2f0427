import type { FoundSetting } from '../../../../shared/connection.ts';
import type { ProfileView } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { CheckGlyph, DraftGlyph, formatStamp, Refusal, TableHead, TextAction } from '../../../ui/index.ts';
import styles from './gateways.module.css';
import { settingsAsSet } from './report.ts';

interface FoundProps {
  profile: ProfileView;
  found: readonly FoundSetting[];
  onUndone: () => void;
}

/** What the check changed in the API format: what it was, what it is now, and how that is known. */
export function Found({ profile, found, onUndone }: FoundProps) {
  const { refusal, run } = useAction();
  const asSet = settingsAsSet(profile, found);
  const undo = async () => {
    const answer = await run(call('profiles.undoFound', { id: profile.id }));
    if (!answer.ok) return;
    announce(t`What was found is forgotten. Your settings are used.`);
    onUndone();
  };
  return (
    <>
      <h3 className="bar sub">
        {t`Found by the check`} <span className="t3">{t`${found.length} found, ${asSet.length} as set`}</span>
        <span className="grow" />
        {found.length > 0 && <TextAction onClick={() => void undo()}>{t`Undo what was found`}</TextAction>}
      </h3>
      <Refusal text={refusal} />
      <Settings found={found} asSet={asSet} />
    </>
  );
}

function Settings({ found, asSet }: { found: readonly FoundSetting[]; asSet: ReturnType<typeof settingsAsSet> }) {
  const rows = [
    ...found.map((one) => ({ ...one, isFound: true })),
    ...asSet.map(({ value, ...one }) => ({ ...one, was: value, now: value, at: undefined, isFound: false })),
  ];
  return (
    <table className={`tbl ${styles.found}`}>
      <TableHead heads={[[t`Found`, 'vh'], t`Setting`, t`Was`, t`Is now`, t`How it was found`]} />
      <tbody>
        {rows.map(({ setting, was, now, how, at, isFound }) => (
          <tr key={setting}>
            <td className={`${styles.mark} ${isFound ? '' : 't3'}`}>
              {isFound ? <CheckGlyph /> : <DraftGlyph />}
              <span className="vh">{isFound ? t`found` : t`not found out`}</span>
            </td>
            <td>{setting}</td>
            <td className="mono t3">{was}</td>
            <td className="mono">{now}</td>
            <td className={isFound ? 't2' : 't3'}>
              {how}
              {at !== undefined && <span className="t3">, {formatStamp(at)}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
