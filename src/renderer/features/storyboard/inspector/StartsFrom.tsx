import { ChevronDown } from 'lucide-react';
import type { Joint, Shot, ShotSource } from '../../../../shared/board/board.ts';
import { plannedJoint } from '../../../../shared/board/joints.ts';
import { pictureOf } from '../../../../shared/film/film.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Icon, Menu, type MenuItem, plural, Thumb } from '../../../ui/index.ts';
import { UnsentPictures } from '../cast/UnsentPictures.tsx';
import { chooseJoint, useJointChoices } from '../joint/jointChoices.ts';
import { linkedShot } from '../model/draft.ts';
import { patchShot, startedByHand } from '../model/shots.ts';
import type { ViewProps } from '../tabProps.ts';
import { Slots } from './Slots.tsx';

/** Sources that can be set by hand. */
const BY_HAND: [ShotSource, string][] = [
  ['text', t`Text only`],
  ['first', t`First frame`],
  ['firstLast', t`First and last frame`],
  ['references', t`Reference images`],
  ['extend', t`Clip to extend`],
];

/** What a shot starts from: its link to the shot before, or another source, which changes the link. */
export function StartsFrom({ board, view }: ViewProps) {
  const { shot } = view;
  const choices = useJointChoices(board, view);
  const joint = plannedJoint(view.joint);
  const linked = joint === 'cut' ? undefined : joint;
  const byHand = (source: ShotSource) => {
    // The link would set the source again.
    const patch = linked ? { source, joint: 'cut' as const } : startedByHand(shot, { source });
    board.sync.edit(patchShot(shot.id, patch));
  };
  const before = choices?.before.number ?? 0;
  const items: MenuItem[] = BY_HAND.map(([source, label]) => ({
    id: source,
    label,
    checked: !linked && shot.source === source,
    onSelect: () => byHand(source),
  }));
  const byLink = choices?.choices.filter((choice) => choice.joint !== 'cut') ?? [];
  items.splice(
    1,
    0,
    ...byLink.map((choice) => ({
      id: choice.joint,
      label: linkName(choice.joint, before),
      off: choice.off,
      checked: choice.joint === linked,
      onSelect: () => choices && board.sync.edit(chooseJoint(choices, choice.joint)),
    })),
  );
  const name = linked ? linkName(linked, before) : nameOf(shot);
  return (
    <div className="stack">
      <span className="lab">{t`Starts from`}</span>
      <Menu
        label={t`Starts from`}
        items={items}
        trigger={
          <button type="button" className="in" aria-label={t`Starts from: ${name}`}>
            <StartPicture board={board} view={view} />
            <span className="cut">{name}</span>
            <span className="end-icon">
              <Icon of={ChevronDown} />
            </span>
          </button>
        }
      />
      {linked !== 'continue' && linked !== 'extend' && (
        <Slots key={shot.id} board={board} view={view} isLinked={linked !== undefined} />
      )}
      <UnsentPictures board={board} shot={shot} />
    </div>
  );
}

function linkName(joint: Joint, before: number): string {
  if (joint === 'extend') return t`Take of shot ${before}, extended`;
  return joint === 'transition' ? t`Last frame of shot ${before}, to a last frame` : t`Last frame of shot ${before}`;
}

function nameOf({ source, referenceImages }: Shot): string {
  if (source === 'references' && referenceImages.length > 0) return plural(referenceImages.length, 'reference image');
  return BY_HAND.find(([one]) => one === source)?.[1] ?? '';
}

function StartPicture({ board, view }: ViewProps) {
  const { source, image, video, referenceImages } = linkedShot(board, view);
  const ref = { text: undefined, first: image, firstLast: image, references: referenceImages[0], extend: video }[
    source
  ];
  const asset = pictureOf(ref, board.media);
  return asset ? <Thumb asset={asset} small /> : null;
}
