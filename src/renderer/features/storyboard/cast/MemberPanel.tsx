import { useEffect, useRef, useState } from 'react';
import { type CastKind, type CastMember, MAX_CAST_REFERENCES } from '../../../../shared/board/cast.ts';
import { pictureOf } from '../../../../shared/film/film.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, useEntities } from '../../../app/index.ts';
import { Button, Field, Panel, Section, Segmented, Select, TextArea, TextInput } from '../../../ui/index.ts';
import inspectorStyles from '../inspector/inspector.module.css';
import { Slot } from '../inspector/Slots.tsx';
import {
  labelCastReference,
  patchMember,
  removeMember,
  renameMember,
  setCastReference,
  whyNoCastReference,
  whyNoName,
} from '../model/castEdits.ts';
import type { BoardTabProps } from '../tabProps.ts';
import { RedoBar, RedoList, useRedo } from './RedoStale.tsx';
import { castOfBoard, selectMember, useCastView, useColumns } from './useCast.ts';

type MemberProps = BoardTabProps & { member: CastMember };

/** One cast member: name, kind, reference images, description, and companion. */
export function MemberPanel(props: MemberProps) {
  const { board, member } = props;
  const columns = useColumns(board);
  const redo = useRedo({ member, columns });
  const remove = () => {
    board.sync.editContent(removeMember(member.id));
    selectMember(undefined);
    announce(t`${member.name.trim()} was removed from the cast`);
  };
  return (
    <Panel label={t`Cast member`}>
      <div className="bar">
        <h2 className="cut">{member.name.trim()}</h2>
      </div>
      <div className="scroll">
        <Section>
          <div className="stack">
            <Name {...props} />
            <Kind {...props} />
          </div>
        </Section>
        <Section title={t`References`}>
          <References {...props} />
        </Section>
        {redo.stale.length > 0 && <RedoList redo={redo} />}
        <Section title={t`Description`}>
          <div className="stack">
            <TextArea
              aria-label={t`Description`}
              placeholder={t`Age, cut, colour, light`}
              value={member.words}
              onValue={(words) => board.sync.editContent(patchMember(member.id, { words }))}
            />
            <Companion {...props} />
          </div>
        </Section>
        <Section>
          <Button variant="ghost" onClick={remove}>
            {t`Remove from the cast`}
          </Button>
        </Section>
      </div>
      {redo.stale.length > 0 && <RedoBar board={board} redo={redo} />}
    </Panel>
  );
}

/**
 * A name is saved when the field is left, since it changes every shot that mentions the member. A field without edits shows the present
 * name, which an undo or another window may change.
 */
function Name({ board, member }: MemberProps) {
  const [typed, setTyped] = useState<string>();
  const name = typed ?? member.name;
  const isNew = useCastView((view) => view.isNew);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNew) input.current?.select();
  }, [isNew]);
  const error = name === member.name ? undefined : whyNoName(name, member.id, castOfBoard(board));
  const save = () => {
    if (error) return;
    setTyped(undefined);
    if (typed === undefined || typed.trim() === member.name) return;
    board.sync.editContent(renameMember(member.id, typed.trim()));
  };
  return (
    <Field label={t`Name`} error={error}>
      <TextInput
        ref={input}
        value={name}
        maxLength={60}
        onValue={(next) => setTyped(next === member.name ? undefined : next)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
    </Field>
  );
}

const KINDS: { value: CastKind; label: string }[] = [
  { value: 'person', label: t`Person` },
  { value: 'thing', label: t`Thing` },
  { value: 'place', label: t`Place` },
];

const Kind = ({ board, member }: MemberProps) => (
  <Segmented
    full
    aria-label={t`Kind`}
    options={KINDS}
    value={member.kind}
    onValue={(kind) => board.sync.editContent(patchMember(member.id, { kind }))}
  />
);

function References({ board, shot, member }: MemberProps) {
  const put = (was: string | undefined, ref: MediaRef | undefined) => {
    // A file just imported is cached before this component renders with it.
    const picture = pictureOf(ref, useEntities.getState());
    if (ref && !picture?.mime.startsWith('image/')) return t`Reference: must be a picture on this disk.`;
    const now = board.sync.state().board?.cast?.find(({ id }) => id === member.id);
    const why = now && picture && whyNoCastReference(now, was, picture.id);
    if (why === undefined) board.sync.editContent(setCastReference(member.id, was, picture?.id));
    return why;
  };
  const shown = member.sheets.length < MAX_CAST_REFERENCES ? [...member.sheets, undefined] : member.sheets;
  return (
    <>
      <div className={`${inspectorStyles.slots} ${inspectorStyles.three}`}>
        {shown.map((reference, index) => (
          <div key={reference?.assetId ?? 'new'} className="stack">
            <Slot
              board={board}
              view={shot}
              place={`${member.id} sheet ${index}`}
              label={t`Reference ${index + 1}`}
              medium="image"
              value={reference && { assetId: reference.assetId }}
              onValue={(ref) => put(reference?.assetId, ref)}
            />
            {reference && (
              <TextInput
                aria-label={t`Label of reference ${index + 1}`}
                placeholder={t`Label`}
                maxLength={60}
                value={reference.label ?? ''}
                onValue={(label) => board.sync.editContent(labelCastReference(member.id, reference.assetId, label))}
              />
            )}
          </div>
        ))}
      </div>
      <p className="t3">{t`If the prompt names a label, its image is used; otherwise the first.`}</p>
    </>
  );
}

/** No member's id. */
const NOBODY = ' ';

/** The member that always brings this one along. */
function Companion({ board, member }: MemberProps) {
  const others = castOfBoard(board).filter(({ id }) => id !== member.id);
  if (others.length === 0) return null;
  const options = [
    { value: NOBODY, label: t`None` },
    ...others.map(({ id, name }) => ({ value: id, label: name.trim() })),
  ];
  const isThere = others.some(({ id }) => id === member.with);
  return (
    <Field label={t`Appears with`}>
      <Select
        aria-label={t`Appears with`}
        options={options}
        value={(isThere && member.with) || NOBODY}
        onValue={(id) => board.sync.editContent(patchMember(member.id, { with: id === NOBODY ? undefined : id }))}
      />
    </Field>
  );
}
