import { ChevronDown } from 'lucide-react';
import type { Shot, ShotLink, ShotSource } from '../../../../shared/board/board.ts';
import { plannedLink } from '../../../../shared/board/shotLinks.ts';
import { pictureOf } from '../../../../shared/film/film.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Icon, Menu, type MenuItem, plural, Thumb } from '../../../ui/index.ts';
import { UnsentPictures } from '../cast/UnsentPictures.tsx';
import { chooseLink, useLinkChoices } from '../link/linkChoices.ts';
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

/** The start of a shot: its link to the shot before, or another source, which changes the link. */
export function StartsFrom({ board, view }: ViewProps) {
  const { shot } = view;
  const choices = useLinkChoices(board, view);
  const link = plannedLink(view.link);
  const linked = link === 'cut' ? undefined : link;
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
  const byLink = choices?.choices.filter((choice) => choice.kind !== 'cut') ?? [];
  items.splice(
    1,
    0,
    ...byLink.map((choice) => ({
      id: choice.kind,
      label: linkName(choice.kind, before),
      off: choice.off,
      checked: choice.kind === linked,
      onSelect: () => choices && board.sync.edit(chooseLink(choices, choice.kind)),
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

function linkName(kind: ShotLink, before: number): string {
  if (kind === 'extend') return t`Take of shot ${before}, extended`;
  return kind === 'transition' ? t`Last frame of shot ${before}, to a last frame` : t`Last frame of shot ${before}`;
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
