import { ChevronDown, CircleQuestionMark, Plus, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Project } from '../../../shared/board/board.ts';
import { isBlank } from '../../../shared/text/nulCharacters.ts';
import { t } from '../../../shared/text/texts.ts';
import { call } from '../../client/index.ts';
import {
  Button,
  Dialog,
  Field,
  Icon,
  IconButton,
  Kbd,
  Menu,
  type MenuItem,
  TextInput,
  Toasts,
} from '../../ui/index.ts';
import { announce } from '../announce.ts';
import styles from '../app.module.css';
import { openHelp } from '../help/openHelp.ts';
import { ACTIONS, type ActionId } from '../keys/actions.ts';
import { actionOf, useKeyHint, useShortcut } from '../keys/shortcuts.ts';
import { showRefusal } from '../refusals.ts';
import { newFilm } from '../state/films.ts';
import { openProject, useProject, useStudio } from '../state/studio.ts';
import { TopBarNotePlace } from '../topBarNote.tsx';
import { useOneAtATime } from '../useOneAtATime.ts';
import { Mark } from './Mark.tsx';
import { TopMoney } from './TopMoney.tsx';

/** The project menu, money, and the palette. */
export function TopBar({ onPalette }: { onPalette: () => void }) {
  const hint = useKeyHint('palette.open');
  const help = useKeyHint('page.help');
  return (
    <header className="top" data-panel tabIndex={-1}>
      <span className="mark">
        <Mark />
      </span>
      <ProjectSwitcher />
      <TopBarNotePlace />
      <Toasts />
      <TopMoney />
      <button
        type="button"
        className="find"
        aria-label={t`Find or run anything`}
        onClick={onPalette}
        aria-haspopup="dialog"
      >
        <Icon of={Search} />
        <span className="cut grow">{t`Find or run anything`}</span>
        <Kbd>{hint}</Kbd>
      </button>
      <IconButton label={t`Help`} tip={help} onClick={() => openHelp()}>
        <Icon of={CircleQuestionMark} />
      </IconButton>
    </header>
  );
}

/** A menu row for an action of the tables. */
const itemOf = (id: ActionId, run = () => actionOf(id).run?.()) => ({ id, label: ACTIONS[id].label, onSelect: run });

/** A menu row that the palette offers too, while a project is open. */
function useOffered(id: ActionId, isOpen: boolean, label: string, run: () => void) {
  useShortcut(id, run, isOpen, { label });
  return { id, label, onSelect: run };
}

/** Actions on the open project. */
function useProjectActions(project: Project | undefined, rename: () => void): MenuItem[] {
  const isOpen = project !== undefined;
  const name = project?.name ?? '';
  return [
    useOffered('project.rename', isOpen, t`Rename “${name}”`, rename),
    useOffered('project.duplicate', isOpen, t`Duplicate “${name}”`, () => project && void duplicateProject(project)),
    {
      ...useOffered('project.remove', isOpen, t`Remove “${name}”`, () => project && void removeProject(project)),
      danger: true,
    },
  ];
}

function ProjectSwitcher() {
  const projects = useStudio((state) => state.projects);
  const removed = useStudio((state) => state.removedProjects);
  const project = useProject();
  const [isNaming, setNaming] = useState(false);
  const create = useOneAtATime(newFilm);
  useShortcut('project.new', () => void create());
  const ofProject = useProjectActions(project, () => setNaming(true));
  const trigger = (
    <button
      type="button"
      className={`btn ghost ${styles.project}`}
      aria-label={t`Project: ${project?.name ?? t`All projects`}`}
    >
      <span className="b cut">{project?.name ?? t`All projects`}</span>
      <Icon of={ChevronDown} />
    </button>
  );
  const items = [
    { id: '', label: t`All projects`, checked: !project, onSelect: () => void openProject(undefined) },
    ...projects.map(({ id, name }) => ({
      id,
      label: name,
      checked: project?.id === id,
      onSelect: () => void openProject(id),
    })),
    { ...itemOf('project.new', () => void create()), separated: true, icon: <Icon of={Plus} /> },
    itemOf('project.bundle'),
    itemOf('project.sample'),
    ...(project ? ofProject : []),
    ...removed.map(
      ({ id, name }, index): MenuItem => ({
        id: `back ${id}`,
        label: t`Restore project “${name}”`,
        separated: index === 0,
        onSelect: () => void putBack(id),
      }),
    ),
  ];
  return (
    <>
      <Menu trigger={trigger} label={t`Projects`} items={items} />
      {project && <RenameProject key={project.id} project={project} open={isNaming} onClose={() => setNaming(false)} />}
    </>
  );
}

/** The copy shares the takes of the original: nothing is copied or paid again. */
async function duplicateProject({ id, name }: Project): Promise<void> {
  const answer = await call('projects.duplicate', { id });
  if (!answer.ok) return showRefusal(answer.error);
  if (!(await openProject(answer.data.id))) return;
  announce(t`“${answer.data.name}” has the takes of “${name}”. Nothing was copied or paid again.`);
}

/** The project can be restored from the same menu. */
async function removeProject({ id, name }: Project): Promise<void> {
  const answer = await call('projects.remove', { id });
  if (!answer.ok) return showRefusal(answer.error);
  announce(t`“${name}” was removed. Restore it in the project menu.`);
}

async function putBack(id: string): Promise<void> {
  const answer = await call('projects.restore', { id });
  if (answer.ok) await openProject(id);
  else showRefusal(answer.error);
}

interface RenameProjectProps {
  project: Project;
  open: boolean;
  onClose: () => void;
}

/** Renames a project; errors are shown at the field. */
function RenameProject({ project, open, onClose }: RenameProjectProps) {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const name = typed ?? project.name;
  const close = () => {
    setTyped(undefined);
    setError(undefined);
    onClose();
  };
  const off = isBlank(name) ? t`A project needs a name.` : undefined;
  const keep = useOneAtATime(async () => {
    const answer = await call('projects.rename', { id: project.id, name: name.trim() });
    if (answer.ok) close();
    else setError(answer.error.message);
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (off) setError(off);
    else await keep();
  };
  return (
    <Dialog open={open} onClose={close} title={t`Rename the project`} width={360}>
      <form className="col gap" onSubmit={save}>
        <Field label={t`Name`} error={error}>
          <TextInput value={name} onValue={setTyped} autoFocus maxLength={200} />
        </Field>
        <div className="row end">
          <Button variant="ghost" onClick={close}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="primary" off={off}>
            {t`Rename`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
