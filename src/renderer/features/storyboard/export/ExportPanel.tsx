import { useRef, useState } from 'react';
import type { Export } from '../../../../shared/film/filmExport.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useAction, useCall, useNow, useProject, useProjectId, useSpendChord } from '../../../app/index.ts';
import { call, host } from '../../../client/index.ts';
import {
  Button,
  Field,
  formatBytes,
  formatWhen,
  JobStateGlyph,
  Panel,
  Refusal,
  Section,
  TextAction,
  TextInput,
  Toggle,
  WhyOff,
} from '../../../ui/index.ts';
import { DocumentChoices } from './DocumentChoices.tsx';
import styles from './export.module.css';
import { formatWords } from './exportView.ts';
import { FilmChoices } from './FilmChoices.tsx';
import { type ExportPlan, offReason } from './plan.ts';
import { ENDED, showExport } from './useExports.ts';
import { useStart } from './useStart.ts';

interface ExportPanelProps {
  plan: ExportPlan;
  exports: readonly Export[];
  /** Owned by the page, since it continues while an earlier export is shown instead of this panel. */
  start: ReturnType<typeof useStart>;
}

/** What the export includes, its destination, and the one button that makes it, for free. */
export function ExportPanel({ plan, exports, start }: ExportPanelProps) {
  const { preflight, groups, choices, way, sizes } = plan;
  const off = offReason(choices, way, groups, preflight.streams.length);
  const go = () => off === undefined && start.film();
  const bar = useRef<HTMLDivElement>(null);
  const hint = useSpendChord(bar, go, { isMain: true });
  return (
    <Panel label={t`Export`} className={styles.xPanel}>
      <div className="bar">
        <h2>{t`Export`}</h2>
      </div>
      <div className="scroll">
        <FilmChoices plan={plan} />
        <DocumentChoices plan={plan} />
        <PlaceChoices plan={plan} />
        <BundleChoice plan={plan} />
        <EarlierExports exports={exports} />
      </div>
      <div className="sendbar spends" ref={bar}>
        <div className="row between">
          <span className="t2">{sizes.words}</span>
          <RoomLeft folder={choices.folder} />
          <span className="price">{t`Free`}</span>
        </div>
        <Refusal text={start.refusal} />
        <WhyOff>{off}</WhyOff>
        <div className="row">
          <Button variant="primary" className="grow" kbd={hint} off={off} busy={start.isBusy} onClick={go}>
            {t`Export`}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

/** Free space of the data folder's disk; that of another folder is unknown before something is written. */
function RoomLeft({ folder }: { folder: string | undefined }) {
  const { data } = useCall('library.stats', folder === undefined ? {} : null);
  return folder === undefined && data ? (
    <span className="t3 grow nw">{t`${formatBytes(data.freeBytes)} free`}</span>
  ) : null;
}

/** The alternative: the whole film as one file for another Dailies, even with shots missing. */
function BundleChoice({ plan }: { plan: ExportPlan }) {
  const { bundle, isBusy, refusal } = useStart(plan);
  return (
    <Section title={t`Bundle`}>
      <p className="t3">{t`The whole project in one .dailies file, without keys.`}</p>
      <div className="row">
        <Button busy={isBusy} onClick={bundle}>
          {t`Save as a bundle`}
        </Button>
      </div>
      <Refusal text={refusal} />
    </Section>
  );
}

/** The film's exports so far, running ones first; each opens in the panel. */
function EarlierExports({ exports }: { exports: readonly Export[] }) {
  const projectId = useProjectId();
  const now = useNow();
  if (exports.length === 0 || projectId === undefined) return null;
  const running = exports.filter(({ state }) => state === 'running');
  const ended = exports.filter(({ state }) => state !== 'running');
  return (
    <Section title={t`Earlier exports`}>
      <ul className={`lines ${styles.earlier}`}>
        {[...running, ...ended].map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => showExport(projectId, one.id)}>
              <JobStateGlyph state={GLYPH_STATE[one.state]} progress={one.progress} bare />
              <span className="cut grow">{one.name}</span>
              <span className="t2">{formatWords(one)}</span>
              <span className="t3 nw">
                {one.state === 'running'
                  ? `${one.progress} %`
                  : one.state === 'done'
                    ? formatWhen(one.createdAt, now)
                    : ENDED[one.state]}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const GLYPH_STATE = { running: 'running', done: 'succeeded', failed: 'failed', canceled: 'canceled' } as const;

/** The name of the export, its folder, and whether the files get metadata. */
function PlaceChoices({ plan: { choices, choose } }: { plan: ExportPlan }) {
  const project = useProject()?.name ?? t`Film`;
  const name = choices.name ?? project;
  return (
    <Section title={t`Name and place`}>
      <Field label={t`Name`} error={name.trim() === '' ? t`Name: must not be empty.` : undefined}>
        <TextInput value={name} onValue={(next) => choose({ name: next })} maxLength={200} />
      </Field>
      <Folder folder={choices.folder} onFolder={(folder) => choose({ folder })} />
      <div className="mt">
        <Toggle checked={choices.provenance} onChecked={(provenance) => choose({ provenance })}>
          {t`Write prompt, model and seed into files`}
        </Toggle>
      </div>
    </Section>
  );
}

/** A folder of the user: chosen in a dialog if the host has one, otherwise typed as a path. */
function Folder({ folder, onFolder }: { folder: string | undefined; onFolder: (folder: string | undefined) => void }) {
  const { run, refusal } = useAction();
  const [typed, setTyped] = useState<string>();
  const ask = async () => {
    if (host() === 'browser') return setTyped(folder ?? '');
    const answer = await run(call('exports.chooseFolder', {}));
    if (answer.ok && answer.data.folder !== null) onFolder(answer.data.folder);
  };
  const take = () => {
    onFolder(typed?.trim() === '' ? undefined : typed?.trim());
    setTyped(undefined);
  };
  if (typed !== undefined) {
    return (
      <Field label={t`Folder`}>
        <span className="row">
          <TextInput
            mono
            className="grow"
            value={typed}
            onValue={setTyped}
            autoFocus
            placeholder={t`/home/you/Films`}
            onKeyDown={(event) => event.key === 'Enter' && take()}
          />
          <Button onClick={take}>{t`Use this folder`}</Button>
        </span>
      </Field>
    );
  }
  return (
    <>
      <div className="row mt">
        <span className="t2 cut grow" title={folder}>
          {folder ?? t`Data folder`}
        </span>
        {folder !== undefined && <TextAction onClick={() => onFolder(undefined)}>{t`Data folder`}</TextAction>}
        <TextAction onClick={() => void ask()}>{t`Change`}</TextAction>
      </div>
      <Refusal text={refusal} />
    </>
  );
}
