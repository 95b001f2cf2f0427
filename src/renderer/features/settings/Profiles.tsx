import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ProfileView } from '../../../shared/profile.ts';
import { t } from '../../../shared/texts.ts';
import { ActionButton, announce, takeProfile, useAction, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, Confirm, Icon, IconButton, Reading, Refusal, Tabs } from '../../ui/index.ts';
import { Connection } from './Connection.tsx';
import { copyOf, draftOfProfile, type Faults, faultsOf, inputOfDraft, type ProfileDraft } from './draft.ts';
import { ProfileForm } from './ProfileForm.tsx';
import { beginProfile, forgetDraft, openProfile, useProfileDraft, useProfileDrafts } from './profileDrafts.ts';

/** Gateways, one tab each; the form, and beside it the proof. */
export function Profiles() {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const { kept, openId, forms } = useProfileDrafts();
  const isThere = (id: string | undefined) => profiles.some((one) => one.id === id) || kept[id ?? '']?.start;
  const shownId = isThere(openId) ? openId : activeId;
  const profile = profiles.find(({ id }) => id === shownId);
  const start = profile ? draftOfProfile(profile) : kept[shownId ?? '']?.start;
  const add = (from: ProfileView | undefined) => from && beginProfile(copyOf(from));
  const sandbox = profiles.find(({ builtin }) => builtin) ?? profiles[0];
  if (shownId === undefined || !start) {
    return <Reading of={{}} label={t`Reading the profiles`} />;
  }
  const fresh = Object.entries(kept).filter(([, entry]) => entry.start);
  const items = [
    ...profiles.map(({ id, name }) => ({ value: id, label: kept[id] ? <EditedName name={name} /> : name })),
    ...fresh.map(([id, entry]) => ({ value: id, label: (entry.changes.name ?? entry.start?.name) || t`New gateway` })),
  ];
  const tabs = (
    <>
      <Tabs aria-label={t`Profiles`} items={items} value={shownId} onValue={openProfile} />
      <IconButton label={t`Add a profile`} onClick={() => add(sandbox)}>
        <Icon of={Plus} />
      </IconButton>
    </>
  );
  return (
    <Editor
      key={forms[shownId] ?? shownId}
      id={shownId}
      profile={profile}
      start={start}
      active={shownId === activeId}
      tabs={tabs}
      onDuplicate={() => add(profile)}
    />
  );
}

const EditedName = ({ name }: { name: string }) => (
  <>
    {name} <span className="t3">{t`edited`}</span>
  </>
);

interface EditorProps {
  id: string;
  /** Absent while it has never been saved. */
  profile: ProfileView | undefined;
  start: ProfileDraft;
  active: boolean;
  tabs: React.ReactNode;
  onDuplicate: () => void;
}

function useEditor({ id, start }: EditorProps) {
  const { draft, change, forget, send, isSaving, isKept, lacksSecrets } = useProfileDraft(id, start);
  const [faults, setFaults] = useState<Faults>({});
  const save = async () => {
    if (isSaving) return;
    const answered = send();
    const answer = await call('profiles.save', inputOfDraft(draft));
    if (!answer.ok) {
      answered(undefined);
      return setFaults(faultsOf(answer.error));
    }
    setFaults({});
    takeProfile(answer.data);
    answered(draftOfProfile(answer.data));
    if (useProfileDrafts.getState().openId === id) openProfile(answer.data.id);
    announce(t`The profile is saved`);
  };
  const discard = () => {
    setFaults({});
    forget();
  };
  return { draft, setDraft: change, faults, busy: isSaving, save, discard, isKept, lacksSecrets };
}

function Editor(props: EditorProps) {
  const { profile, start, active, tabs, onDuplicate } = props;
  const editor = useEditor(props);
  const { draft, setDraft, faults, isKept, lacksSecrets } = editor;
  const builtin = profile?.builtin ?? false;
  const unsaved = profile === undefined || JSON.stringify(draft) !== JSON.stringify(start);
  const off = builtin
    ? t`The sandbox sets itself up. Duplicate it to go from here.`
    : unsaved
      ? undefined
      : t`Nothing has been changed.`;
  useEffect(() => {
    const fault = Object.values(faults)[0];
    if (fault) announce(fault, 'assertive');
  }, [faults]);
  return (
    <>
      <section className="col" aria-label={t`Profile`} data-panel tabIndex={-1}>
        <div className="bar">
          {tabs}
          <span className="grow" />
          {profile && <Activation profile={profile} active={active} />}
          {profile && (
            <Button variant="ghost" onClick={onDuplicate}>
              {t`Duplicate`}
            </Button>
          )}
          {isKept && (
            <Button variant="ghost" title={t`Forgets what is typed here and not saved`} onClick={editor.discard}>
              {t`Discard`}
            </Button>
          )}
          <ActionButton
            variant="primary"
            action="settings.save"
            off={off}
            busy={editor.busy}
            onDo={() => void editor.save()}
          >
            {t`Save`}
          </ActionButton>
        </div>
        <ProfileForm draft={draft} onChange={setDraft} faults={faults} profile={profile} lacksSecrets={lacksSecrets} />
      </section>
      <Connection draft={draft} profile={profile} changed={unsaved} />
    </>
  );
}

function Activation({ profile, active }: { profile: ProfileView; active: boolean }) {
  const [asking, setAsking] = useState(false);
  const { refusal, run } = useAction();
  if (active) return <span className="t3">{t`Active`}</span>;
  const remove = async () => {
    setAsking(false);
    const answer = await run(call('profiles.remove', { id: profile.id }));
    if (answer.ok) forgetDraft(profile.id);
  };
  return (
    <>
      <Refusal text={refusal} />
      {!profile.builtin && (
        <Button variant="ghost-danger" onClick={() => setAsking(true)}>
          {t`Remove`}
        </Button>
      )}
      <Button variant="ghost" onClick={() => void run(call('profiles.activate', { id: profile.id }))}>
        {t`Use this gateway`}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Remove ${profile.name}?`}
        actionLabel={t`Remove the profile`}
        onConfirm={() => void remove()}
      >
        {t`Its address, dialect and key are forgotten. Jobs it made, their pictures and their costs stay.`}
      </Confirm>
    </>
  );
}
