import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ProfileView } from '../../../shared/profile.ts';
import { t } from '../../../shared/texts.ts';
import { announce, useAction, useKeyHint, useShortcut, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, Confirm, Icon, IconButton, LoadingBars, Refusal, Tabs } from '../../ui/index.ts';
import { Connection } from './Connection.tsx';
import { copyOf, draftOfProfile, type Faults, faultsOf, inputOfDraft, type ProfileDraft } from './draft.ts';
import { ProfileForm } from './ProfileForm.tsx';

const NEW = 'new';

/** Gateways, one tab each; the form, and beside it the proof. */
export function Profiles() {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const [openId, setOpenId] = useState<string>();
  const [fresh, setFresh] = useState<ProfileDraft>();
  const shownId = fresh ? NEW : (openId ?? activeId);
  const profile = profiles.find(({ id }) => id === shownId);
  const add = (from: ProfileView | undefined) => from && setFresh(copyOf(from));
  const sandbox = profiles.find(({ builtin }) => builtin) ?? profiles[0];
  if (profiles.length === 0 || !(fresh || profile)) {
    return (
      <div className="pad">
        <LoadingBars rows={5} media={false} label={t`Reading the profiles`} />
      </div>
    );
  }
  const items = [
    ...profiles.map(({ id, name }) => ({ value: id, label: name })),
    ...(fresh ? [{ value: NEW, label: fresh.name || t`New gateway` }] : []),
  ];
  const tabs = (
    <>
      <Tabs
        aria-label={t`Profiles`}
        items={items}
        value={shownId ?? ''}
        onValue={(next) => {
          if (next === NEW) return;
          setFresh(undefined);
          setOpenId(next);
        }}
      />
      <IconButton label={t`Add a profile`} onClick={() => add(sandbox)}>
        <Icon of={Plus} />
      </IconButton>
    </>
  );
  return (
    <Editor
      key={shownId}
      profile={profile}
      start={fresh ?? (profile && draftOfProfile(profile))}
      active={shownId === activeId}
      tabs={tabs}
      onDuplicate={() => add(profile)}
      onSaved={(id) => {
        setFresh(undefined);
        setOpenId(id);
      }}
    />
  );
}

interface EditorProps {
  /** Absent while it has never been saved. */
  profile: ProfileView | undefined;
  start: ProfileDraft | undefined;
  active: boolean;
  tabs: React.ReactNode;
  onDuplicate: () => void;
  onSaved: (id: string) => void;
}

function useEditor({ start, onSaved }: EditorProps) {
  const [draft, setDraft] = useState(start);
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (!draft || busy) return;
    setBusy(true);
    const answer = await call('profiles.save', inputOfDraft(draft));
    setBusy(false);
    if (!answer.ok) return setFaults(faultsOf(answer.error));
    setFaults({});
    setDraft(draftOfProfile(answer.data));
    announce(t`The profile is saved`);
    onSaved(answer.data.id);
  };
  return { draft, setDraft, faults, busy, save };
}

function Editor(props: EditorProps) {
  const { profile, start, active, tabs, onDuplicate } = props;
  const editor = useEditor(props);
  const { draft, setDraft, faults } = editor;
  const hint = useKeyHint('settings.save');
  const builtin = profile?.builtin ?? false;
  const unsaved = profile === undefined || JSON.stringify(draft) !== JSON.stringify(start);
  const off = builtin
    ? t`The sandbox sets itself up. Duplicate it to go from here.`
    : unsaved
      ? undefined
      : t`Nothing has been changed.`;
  useShortcut('settings.save', () => void editor.save(), !off);
  useEffect(() => {
    const fault = Object.values(faults)[0];
    if (fault) announce(fault, 'assertive');
  }, [faults]);
  if (!draft) return null;
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
          <Button variant="primary" kbd={hint} off={off} busy={editor.busy} onClick={() => void editor.save()}>
            {t`Save`}
          </Button>
        </div>
        <ProfileForm draft={draft} onChange={setDraft} faults={faults} profile={profile} />
      </section>
      <Connection draft={draft} profile={profile} changed={unsaved} />
    </>
  );
}

function Activation({ profile, active }: { profile: ProfileView; active: boolean }) {
  const [asking, setAsking] = useState(false);
  const { refusal, run } = useAction();
  if (active) return <span className="t3">{t`Active`}</span>;
  const remove = () => {
    setAsking(false);
    void run(call('profiles.remove', { id: profile.id }));
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
        onConfirm={remove}
      >
        {t`Its address, dialect and key are forgotten. Jobs it made, their pictures and their costs stay.`}
      </Confirm>
    </>
  );
}
