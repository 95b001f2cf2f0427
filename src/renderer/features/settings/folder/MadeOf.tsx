import type {
  EmptiedByItself,
  FaultyFile,
  LibraryCheck,
  LibrarySpace,
  SpacePart,
} from '../../../../shared/library/libraryFolder.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { hashOf, navigate, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  formatBytes,
  formatStamp,
  KeyValue,
  Panel,
  plural,
  type Read,
  Reading,
  Refusal,
  Section,
  TableHead,
  TextAction,
} from '../../../ui/index.ts';
import styles from './folder.module.css';

const PARTS: Record<SpacePart, string> = {
  videoKept: t`Video, kept`,
  videoOpen: t`Video, maybe or not rated`,
  videoNo: t`Video, rated No`,
  images: t`Images`,
  sounds: t`Sounds`,
  framesMasks: t`Frames and masks`,
  thumbnails: t`Thumbnails`,
  bin: t`Bin`,
};

interface MadeOfProps {
  space: Read<LibrarySpace>;
  check: LibraryCheck | undefined;
  emptied: EmptiedByItself | undefined;
  onChange: () => void;
}

/** What uses the space, what could be deleted, and the result of the last check of all files. */
export function MadeOf({ space, check, emptied, onChange }: MadeOfProps) {
  return (
    <Panel label={t`Contents`}>
      <div className="bar">
        <h2>{t`Contents`}</h2>
      </div>
      <div className="scroll">
        <Reading of={space}>
          {({ parts }) => (
            <>
              <Parts parts={parts} />
              <RoomToMake parts={parts} emptied={emptied} />
            </>
          )}
        </Reading>
        <Section title={t`Last check`}>
          {check ? <Check check={check} onChange={onChange} /> : <p className="t2">{t`Not checked`}</p>}
        </Section>
      </div>
    </Panel>
  );
}

function Parts({ parts }: Pick<LibrarySpace, 'parts'>) {
  const kept = parts.filter(({ part }) => part !== 'bin');
  const shown = parts.filter(({ part, files }) => files > 0 || (part !== 'sounds' && part !== 'bin'));
  return (
    <table className="tbl">
      <TableHead heads={[t`Kind`, [t`Size`, 'r']]} />
      <tbody>
        {shown.map(({ part, bytes }) => (
          <tr key={part}>
            <td>{PARTS[part]}</td>
            <td className="r num">{formatBytes(bytes)}</td>
          </tr>
        ))}
        <tr className="sum">
          <td>{t`Library`}</td>
          <td className="r num">{formatBytes(kept.reduce((sum, { bytes }) => sum + bytes, 0))}</td>
        </tr>
      </tbody>
    </table>
  );
}

function RoomToMake({ parts, emptied }: Pick<LibrarySpace, 'parts'> & Pick<MadeOfProps, 'emptied'>) {
  const no = parts.find(({ part }) => part === 'videoNo');
  if (!no?.files && !emptied) return null;
  return (
    <Section title={t`Free up space`}>
      {no !== undefined && no.files > 0 && (
        <p className="t2">
          <a
            href={hashOf('library', { verdict: 'no' })}
          >{t`${counted(no.files, 'clip')} rated No, ${formatBytes(no.bytes)}`}</a>
        </p>
      )}
      {emptied && (
        <p className="t2">{t`Bin emptied ${formatStamp(emptied.at)}: ${counted(emptied.items, 'item')}, ${formatBytes(emptied.bytes)}.`}</p>
      )}
    </Section>
  );
}

function Check({ check, onChange }: { check: LibraryCheck; onChange: () => void }) {
  const { missing, damaged, faulty } = check;
  return (
    <>
      <KeyValue
        items={[
          [formatStamp(check.at), stateWords(check)],
          missing > 0 && [t`Missing`, plural(missing, 'file')],
          damaged > 0 && [t`Damaged`, plural(damaged, 'file')],
        ]}
      />
      <ul className={styles.faulty} aria-label={t`Missing or damaged files`}>
        {faulty.map((file) => (
          <Faulty key={file.assetId} file={file} onChange={onChange} />
        ))}
      </ul>
    </>
  );
}

function stateWords({ state, progress, files, missing, damaged, error }: LibraryCheck): string {
  if (state === 'running') return t`${progress} %, ${counted(files, 'file')} checked`;
  if (state === 'failed') return error ?? t`The check failed.`;
  if (state === 'canceled') return t`Stopped, ${counted(files, 'file')} checked`;
  return missing + damaged === 0
    ? t`${counted(files, 'file')} checked, all correct`
    : t`${counted(files, 'file')} checked`;
}

function Faulty({ file, onChange }: { file: FaultyFile; onChange: () => void }) {
  const { refusal, run } = useAction();
  const fetchAgain = async () => {
    await run(call('library.download', { id: file.assetId }));
    onChange();
  };
  return (
    <li>
      <div className="row">
        <TextAction className="cut grow" onClick={() => navigate('library', { asset: file.assetId })}>
          {file.name}
        </TextAction>
        <span className="t3">{file.fault}</span>
        {file.canFetch && (
          <TextAction aria-label={t`Fetch again: ${file.name}`} onClick={() => void fetchAgain()}>
            {t`Fetch again`}
          </TextAction>
        )}
      </div>
      <Refusal text={refusal} />
    </li>
  );
}
