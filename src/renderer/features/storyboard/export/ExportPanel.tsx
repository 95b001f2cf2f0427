import { useRef } from 'react';
import { t } from '../../../../shared/texts.ts';
import { useCall, useProject, useSpendChord } from '../../../app/index.ts';
import { Button, formatBytes, Panel, Refusal, WhyOff } from '../../../ui/index.ts';
import { BundleChoice } from './BundleChoice.tsx';
import { offReason } from './choices.ts';
import { DocumentChoices } from './DocumentChoices.tsx';
import { EarlierExports } from './EarlierExports.tsx';
import styles from './export.module.css';
import type { ExportPanelProps } from './exportProps.ts';
import { FilmChoices } from './FilmChoices.tsx';
import { PlaceChoices } from './PlaceChoices.tsx';
import { sizesOf } from './sizes.ts';

/** What the export holds, where it goes, and the one button that makes it: it costs nothing. */
export function ExportPanel(props: ExportPanelProps) {
  const { board, preflight, groups, choices, way, exports, start } = props;
  const project = useProject()?.name ?? t`Film`;
  const off = offReason(choices, way, groups, preflight.streams.length);
  const go = () => off === undefined && start.start();
  const bar = useRef<HTMLDivElement>(null);
  const hint = useSpendChord(bar, go, { isMain: true });
  return (
    <Panel label={t`Export`} className={styles.xPanel}>
      <div className="bar">
        <h2>{t`Export`}</h2>
      </div>
      <div className="scroll">
        <FilmChoices {...props} />
        <DocumentChoices {...props} project={project} />
        <PlaceChoices {...props} project={project} />
        <BundleChoice board={board} choices={choices} />
        <EarlierExports exports={exports} />
      </div>
      <div className="sendbar spends" ref={bar}>
        <div className="row between">
          <span className="t2">{sizesOf(board, preflight, choices, way).words}</span>
          <span className="price">{t`free`}</span>
        </div>
        <div className="row between t3">
          <span className="cut">{t`Made on this computer`}</span>
          <RoomLeft folder={choices.folder} />
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

/** What the disk of the data folder has left; of another folder's disk nothing is known before something is written. */
function RoomLeft({ folder }: { folder: string | undefined }) {
  const { data } = useCall('library.stats', folder === undefined ? {} : null);
  return folder === undefined && data ? <span className="nw">{t`${formatBytes(data.freeBytes)} free`}</span> : null;
}
