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
  formatCount,
  formatStamp,
  KeyValue,
  Panel,
  plural,
  type Read,
  Reading,
  Refusal,
  rich,
  Section,
  TableHead,
  TextAction,
} from '../../../ui/index.ts';
import styles from './folder.module.css';

const PARTS: Record<SpacePart, string> = {
  videoKept: t`Video, kept`,
  videoOpen: t`Video, maybe or not rated`,
  videoNo: t`Video, no`,
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

/** The proof: what takes the room, what could go, and how the last check of every file ended. */
export function MadeOf({ space, check, emptied, onChange }: MadeOfProps) {
  return (
    <Panel label={t`What it is made of`}>
      <div className="bar">
        <h2>{t`What it is made of`}</h2>
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
          {check ? <Check check={check} onChange={onChange} /> : <p className="t2">{t`No file was checked yet.`}</p>}
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
      <TableHead heads={[t`Kind`, [t`Files`, 'r'], [t`Size`, 'r']]} />
      <tbody>
        {shown.map(({ part, files, bytes }) => (
          <tr key={part}>
            <td>{PARTS[part]}</td>
            <td className="r num t2">{formatCount(files)}</td>
            <td className="r num">{formatBytes(bytes)}</td>
          </tr>
        ))}
        <tr className="sum">
          <td>{t`Library`}</td>
          <td className="r num">{formatCount(kept.reduce((sum, { files }) => sum + files, 0))}</td>
          <td className="r num">{formatBytes(kept.reduce((sum, { bytes }) => sum + bytes, 0))}</td>
        </tr>
      </tbody>
    </table>
  );
}

function RoomToMake({ parts, emptied }: Pick<LibrarySpace, 'parts'> & Pick<MadeOfProps, 'emptied'>) {
  const no = parts.find(({ part }) => part === 'videoNo');
  const bin = parts.find(({ part }) => part === 'bin');
  if (!no?.files && !bin?.files && !emptied) return null;
  return (
    <Section title={t`Room to make`}>
      {no !== undefined && no.files > 0 && (
        <p className="t2">
          {rich`${counted(no.files, 'clip')} rated no: ${formatBytes(no.bytes)}. ${<a href={hashOf('library', { verdict: 'no' })}>{t`See them in the library`}</a>}, from where they can go to the bin.`}
        </p>
      )}
      {bin !== undefined && bin.files > 0 && (
        <p className="t2">
          {t`The bin holds ${counted(bin.files, 'file')}: ${formatBytes(bin.bytes)}. It is emptied from`}{' '}
          <a href={hashOf('library', {})}>{t`the library`}</a>.
        </p>
      )}
      {emptied && (
        <p className="t2">
          {t`Emptied by itself ${formatStamp(emptied.at)}: ${counted(emptied.items, 'item')}, ${formatBytes(emptied.bytes)}.`}
        </p>
      )}
    </Section>
  );
}

function Check({ check, onChange }: { check: LibraryCheck; onChange: () => void }) {
  const { state, files, missing, damaged, faulty } = check;
  const listed = faulty.length < missing + damaged ? t`The first ${formatCount(faulty.length)}:` : undefined;
  return (
    <>
      <KeyValue
        items={[
          [state === 'running' ? t`Running` : formatStamp(check.at), stateWords(check)],
          missing > 0 && [t`Missing`, plural(missing, 'file')],
          damaged > 0 && [t`Damaged`, plural(damaged, 'file')],
        ]}
      />
      {state === 'done' && files > 0 && missing + damaged === 0 && (
        <span className="vh">{t`All files are as recorded.`}</span>
      )}
      {listed !== undefined && <p className="t3">{listed}</p>}
      <ul className={styles.faulty} aria-label={t`Files that are not as recorded`}>
        {faulty.map((file) => (
          <Faulty key={file.assetId} file={file} onChange={onChange} />
        ))}
      </ul>
    </>
  );
}

function stateWords({ state, progress, files, missing, damaged, error }: LibraryCheck): string {
  const read = t`${counted(files, 'file')} read`;
  if (state === 'running') return `${progress} %, ${read}`;
  if (state === 'failed') return error ?? t`It did not come to its end.`;
  if (state === 'canceled') return t`stopped, ${read}`;
  return missing + damaged === 0 ? t`${read}, all as recorded` : read;
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
