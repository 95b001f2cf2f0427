import { t } from '../../../../shared/texts.ts';
import { announce, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Refusal, Section } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import type { ExportChoices } from './choices.ts';
import { showExport } from './useExports.ts';
import { notSaved } from './useStart.ts';

/** The other way out: the whole film as one file, to be opened in another Dailies. Holes in the film do not stop it. */
export function BundleChoice({ board, choices }: { board: BoardHandle; choices: ExportChoices }) {
  const { run, refusal, isBusy } = useAction();
  const projectId = board.board?.projectId ?? '';
  const start = async () => {
    if (isBusy || projectId === '') return;
    const { name, folder } = choices;
    const given = { ...(name?.trim() ? { name: name.trim() } : {}), ...(folder === undefined ? {} : { folder }) };
    const saved = board.sync.whyUnsaved(() => true);
    const answer = await run(
      saved.then((why) => (why ? notSaved(why) : call('bundle.export', { projectId, ...given }))),
    );
    if (!answer.ok) return;
    showExport(projectId, answer.data.id);
    announce(t`The bundle of ${answer.data.name} has begun.`);
  };
  return (
    <Section title={t`Bundle`}>
      <p className="t3">
        {t`The whole film in one .dailies file, to open in another Dailies: board, takes, files, cast, sound, chats, and what each take cost. No key and no address that opens anything is in it.`}
      </p>
      <div className="row">
        <Button busy={isBusy} onClick={() => void start()}>
          {t`Save as a bundle`}
        </Button>
      </div>
      <Refusal text={refusal} />
    </Section>
  );
}
