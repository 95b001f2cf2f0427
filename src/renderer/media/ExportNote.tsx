import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { Export } from '../../shared/film/filmExport.ts';
import { counted, t } from '../../shared/text/texts.ts';
import { announce, useAction, useCall } from '../app/index.ts';
import { call, exportUrl, host } from '../client/index.ts';
import { Button, ErrorBox, formatBytes, Icon, IconButton, ProgressBar, Refusal, SaveLink } from '../ui/index.ts';
import styles from './exportNote.module.css';

export const useExportShown = create<{ id: string | undefined }>()(() => ({ id: undefined }));

export function ExportNote() {
  const id = useExportShown((shown) => shown.id);
  return id === undefined ? null : <Note key={id} id={id} />;
}

const dismiss = () => useExportShown.setState({ id: undefined });

function Note({ id }: { id: string }) {
  const one = useExport(id);
  const { run, refusal } = useAction();
  if (!one) return null;
  if (one.state === 'failed') {
    return (
      <div className="pad">
        <ErrorBox title={t`The export failed`} actions={[{ label: t`Dismiss`, onDo: dismiss }]}>
          {one.error}
        </ErrorBox>
      </div>
    );
  }
  const bytes = one.files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <section className={`note-bar ${styles.exportNote}`} aria-label={t`Export`}>
      <span className="nw">{wordsOf(one)}</span>
      {one.state === 'running' && <ProgressBar percent={one.progress} label={t`Export`} />}
      {one.state === 'done' && (
        <span className="t3 cut grow" title={one.folder}>
          {t`${formatBytes(bytes)} in ${one.folder}`}
        </span>
      )}
      <Refusal text={refusal} />
      <span className="grow" />
      {one.state === 'running' && (
        <Button variant="ghost" onClick={() => void run(call('exports.cancel', { id }))}>
          {t`Stop`}
        </Button>
      )}
      {one.state === 'done' && (
        <Button variant="ghost" onClick={() => void run(call('exports.reveal', { id }))}>
          {t`Show in folder`}
        </Button>
      )}
      {one.state === 'done' && (one.files.length <= FEW || one.kind === 'evidence') && host() === 'browser' && (
        <Downloads one={one} />
      )}
      {one.state !== 'running' && (
        <IconButton label={t`Dismiss the export`} onClick={dismiss}>
          <Icon of={X} />
        </IconButton>
      )}
    </section>
  );
}

/** Up to this many files are offered one by one in a browser. */
const FEW = 2;

function Downloads({ one }: { one: Export }) {
  return one.files.map(({ name }) => (
    <SaveLink key={name} href={exportUrl(one.id, name)} name={name}>
      {name}
    </SaveLink>
  ));
}

/** A library export has a sidecar for each file, which counts too. */
function wordsOf({ kind, state, progress, files }: Export): string {
  if (state === 'running') return t`Exporting, ${progress} %`;
  if (state !== 'done') return t`The export was stopped`;
  if (kind === 'ledger') return t`The ledger is exported`;
  if (kind === 'conversation') return t`The chat is exported`;
  return kind === 'evidence'
    ? t`The job record is saved`
    : t`${counted(files.length, 'file')} exported, sidecars included`;
}

/** Announces once that it is done. */
function useExport(id: string): Export | undefined {
  const { data: one } = useCall('exports.get', { id }, { on: ['export.changed'] });
  const state = one?.state;
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'running' && state === 'done') announce(t`The export is done.`);
    before.current = state;
  }, [state]);
  return one;
}
