import { Pin } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Share, swappedIn } from '../../../../shared/board/assignReferences.ts';
import type { Shot } from '../../../../shared/board/board.ts';
import { type CastMember, SLOT_ORDERS } from '../../../../shared/board/cast.ts';
import { pictureOf } from '../../../../shared/film/film.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useKeyHint, useShortcut } from '../../../app/index.ts';
import { AssetImage, Button, Icon, Segmented, TextAction } from '../../../ui/index.ts';
import { patchShot } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './cast.module.css';
import { FromReferences } from './UnsentPictures.tsx';
import type { CastColumn } from './useCast.ts';

const ORDERS = [
  { value: SLOT_ORDERS[0], label: t`People first` },
  { value: SLOT_ORDERS[1], label: t`Things first` },
  { value: SLOT_ORDERS[2], label: t`Manual` },
] as const;

interface SlotRowProps {
  board: BoardHandle;
  column: CastColumn;
  cast: readonly CastMember[];
}

/** Which members get the three reference slots of a shot, and why; shown before anything is paid. */
export function SlotRow({ board, column, cast }: SlotRowProps) {
  const { shot, number } = column.view;
  const left = column.shares.filter(({ isLeftOut }) => isLeftOut);
  const set = (slots: Shot['slots']) => board.sync.edit(patchShot(shot.id, { slots }));
  const swap = (share: Share | undefined) => {
    const slots = share && swappedIn(shot, cast, share.member.id);
    if (slots) set(slots);
  };
  useShortcut('cast.swap', () => swap(left[0]), shot.source === 'references');
  const seated = column.shares.filter(({ slot }) => slot !== undefined);
  const order = (value: (typeof SLOT_ORDERS)[number]) =>
    set({ ...shot.slots, order: value, ...(value === 'hand' ? { held: seated.map(({ member }) => member.id) } : {}) });
  return (
    <section className="top-line" aria-label={t`References of shot ${number}`}>
      <div className="bar sub">
        <h2>{t`References of shot ${number}`}</h2>
        <span className="grow" />
        {shot.source === 'references' && (
          <Segmented
            small
            aria-label={t`Order`}
            options={ORDERS}
            value={shot.slots?.order ?? 'people'}
            onValue={order}
          />
        )}
      </div>
      {shot.source === 'references' ? (
        <div className={styles.slotRow}>
          <ByHand board={board} shot={shot} shares={seated} />
          {seated.map((share) => (
            <SeatedSlot key={share.member.id} board={board} share={share} shot={shot} onSlots={set} />
          ))}
          {left.map((share, index) => (
            <LeftOut key={share.member.id} share={share} hasKey={index === 0} onSwap={() => swap(share)} />
          ))}
          {seated.length + left.length + shot.referenceImages.length === 0 && (
            <p className="t3">{t`Name a cast member with @ in the prompt.`}</p>
          )}
        </div>
      ) : (
        <div className="row pad">
          <span className="t2">{t`This shot sends the cast in words, without references.`}</span>
          <span className="grow" />
          <FromReferences board={board} shot={shot} />
        </div>
      )}
    </section>
  );
}

/** Pictures set in the shot itself. Reference images of members are shown with the member. */
function ByHand({ board, shot, shares }: { board: BoardHandle; shot: Shot; shares: readonly Share[] }) {
  return shot.referenceImages.map((ref, index) => {
    if (shares.some(({ slot }) => slot === index + 1)) return null;
    const picture = pictureOf(ref, board.media);
    return (
      <SlotCard
        // biome-ignore lint/suspicious/noArrayIndexKey: a reference is its place.
        key={index}
        picture={picture}
        slot={index + 1}
        name={picture?.name ?? t`Picture`}
      />
    );
  });
}

interface SlotCardProps {
  /** Undefined if left out. */
  slot?: number | undefined;
  picture?: Asset | undefined;
  name: string;
  children?: ReactNode;
}

function SlotCard({ slot, picture, name, children }: SlotCardProps) {
  return (
    <div className={`${styles.slot} ${slot === undefined ? styles.isOut : ''}`}>
      <span className="media">
        {slot === undefined ? (
          <b>{t`Text only`}</b>
        ) : (
          <>
            <AssetImage asset={picture} className="fill" />
            <span className="ov tl">{slot}</span>
          </>
        )}
      </span>
      <div className="row">
        <b className="cut">{name}</b>
        {children}
      </div>
    </div>
  );
}

interface SeatedSlotProps {
  board: BoardHandle;
  share: Share;
  shot: Shot;
  onSlots: (slots: Shot['slots']) => void;
}

function SeatedSlot({ board, share, shot, onSlots }: SeatedSlotProps) {
  const { member, slot, sheet = 0, isHeld } = share;
  const name = member.name.trim();
  const held = shot.slots?.held ?? [];
  const hold = () => {
    const others = held.filter((id) => id !== member.id);
    onSlots({ ...shot.slots, held: isHeld ? others : [...others, member.id] });
  };
  const next = member.sheets[(sheet + 1) % member.sheets.length];
  const another = () =>
    next && onSlots({ ...shot.slots, sheets: { ...shot.slots?.sheets, [member.id]: next.assetId } });
  return (
    <SlotCard slot={slot} picture={board.media.assets.get(member.sheets[sheet]?.assetId ?? '')} name={name}>
      {member.sheets.length > 1 ? (
        <TextAction onClick={another} aria-label={t`Next reference of ${name}`}>
          {t`Reference ${sheet + 1}`}
        </TextAction>
      ) : (
        <span className="t3 nw">{t`Reference ${sheet + 1}`}</span>
      )}
      <span className="grow" />
      <Button variant="ghost" aria-pressed={isHeld} aria-label={t`Pin ${name}`} onClick={hold}>
        <Icon of={Pin} />
        {t`Pin`}
      </Button>
    </SlotCard>
  );
}

function LeftOut({ share, hasKey, onSwap }: { share: Share; hasKey: boolean; onSwap: () => void }) {
  const key = useKeyHint('cast.swap');
  const name = share.member.name.trim();
  return (
    <SlotCard name={name}>
      <span className="grow" />
      <TextAction onClick={onSwap} aria-label={t`Swap in ${name}`}>
        {t`Swap in`} {hasKey && <kbd className="kbd">{key}</kbd>}
      </TextAction>
    </SlotCard>
  );
}
