import { useEffect, useRef, useState } from 'react';
import type { BundleContents } from '../../../shared/bundle/calls.ts';
import { BUNDLE_ENDING } from '../../../shared/bundle/document.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  Button,
  Dialog,
  FileButton,
  formatBytes,
  formatDay,
  KeyValue,
  LoadingBars,
  PriceWords,
  plural,
  Refusal,
} from '../../ui/index.ts';
import { MoneyPlate } from '../MoneyPlate.tsx';
import { focusOnArrival } from '../pageFocus.ts';
import { closeBundle, isBundle, lookInto, openShown, useOpenBundle } from '../state/openBundle.ts';

/** Shows the content of a bundle before the button that opens it. Dropping a `.dailies` file anywhere starts it too. */
export function BundleDialog() {
  const { phase, name, contents, refusal } = useOpenBundle();
  useDroppedBundle();
  const go = useRef<HTMLButtonElement>(null);
  const isBusy = phase === 'opening';
  useEffect(() => {
    if (phase === 'ready') focusOnArrival(go.current);
  }, [phase]);
  const footer = (
    <>
      <Button variant="ghost" onClick={closeBundle}>
        {isBusy ? t`Close` : t`Cancel`}
      </Button>
      {contents && (
        <Button variant="primary" ref={go} busy={isBusy} onClick={() => void openShown()}>
          {t`Open as a new project`}
        </Button>
      )}
    </>
  );
  return (
    <Dialog open={phase !== 'closed'} onClose={closeBundle} title={t`Open a bundle`} footer={footer}>
      <div className="col gap">
        {phase === 'asking' && <ChooseFile />}
        {phase === 'reading' && (
          <div role="status">
            <p className="t2 cut">{t`Reading ${name}`}</p>
            <LoadingBars rows={4} />
          </div>
        )}
        {contents && <Contents contents={contents} />}
        {isBusy && (
          <p className="t2" role="status">
            {t`Checking every file`}
          </p>
        )}
        <Refusal text={refusal} />
      </div>
    </Dialog>
  );
}

function ChooseFile() {
  return (
    <>
      <p className="t2">
        {t`A bundle is a whole film in one ${BUNDLE_ENDING} file. Its contents are shown before it is opened.`}
      </p>
      <FileButton label={t`Bundle`} accept={BUNDLE_ENDING} onFiles={([file]) => void lookInto(file)}>
        <Button>{t`Choose a bundle`}</Button>
      </FileButton>
    </>
  );
}

function Contents({ contents }: { contents: BundleContents }) {
  const { title, version, createdAt, shots, takes, chats, files, bytes, here, withoutFile, cost } = contents;
  return (
    <>
      <h3 className="cut">{title}</h3>
      <KeyValue
        items={[
          [t`Shots`, `${plural(shots, 'shot')}, ${plural(takes, 'take')}`],
          [t`Chats`, chats === 0 ? t`None` : plural(chats, 'chat')],
          [t`Files`, `${plural(files, 'file')}, ${formatBytes(bytes)}`],
          here.files > 0 && [t`Already here`, `${plural(here.files, 'file')}, ${formatBytes(here.bytes)}`],
          withoutFile > 0 && [t`Missing`, plural(withoutFile, 'file')],
          [t`Cost`, <CostThere key="cost" cost={cost} />],
          [t`Made`, `${formatDay(createdAt, Date.now())}, Dailies ${version}`],
        ]}
      />
      <p className="t2">{t`Opening is free. The cost of its takes is not added to your spend.`}</p>
    </>
  );
}

function CostThere({ cost: { nano, lowNano, playNano, unpriced } }: { cost: BundleContents['cost'] }) {
  if (nano === 0 && playNano > 0)
    return (
      <>
        <PriceWords nano={playNano} unpriced={unpriced} /> <MoneyPlate play />
      </>
    );
  return <PriceWords nano={nano} lowNano={lowNano} as="most" unpriced={unpriced} />;
}

/** Takes bundles dropped on any page; other files are left to the page. */
function useDroppedBundle(): void {
  const [listening] = useState(() => ({
    over: (event: DragEvent) => {
      if (isFileDrag(event)) event.preventDefault();
    },
    drop: (event: DragEvent) => {
      const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => isBundle(name));
      if (!file) return;
      event.preventDefault();
      event.stopPropagation();
      void lookInto(file);
    },
  }));
  useEffect(() => {
    const { over, drop } = listening;
    window.addEventListener('dragover', over);
    // Runs before the page, which would import the file.
    window.addEventListener('drop', drop, true);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop, true);
    };
  }, [listening]);
}

const isFileDrag = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
