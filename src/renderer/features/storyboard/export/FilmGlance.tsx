import { takeEnd } from '../../../../shared/film.ts';
import { mediaUrl } from '../../../client/index.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import playerStyles from '../player/player.module.css';
import exportStyles from './export.module.css';
import type { FindingGroups } from './exportView.ts';
import { type Mark, MarkGlyph } from './Marks.tsx';

/** The film true to time, at a glance: which shot is missing, which is outdated, about which there is something to know. */
export function FilmGlance({ shots, groups }: { shots: readonly ShotView[]; groups: FindingGroups | undefined }) {
  const played = playedShots(shots);
  return (
    <div className={`${playerStyles.ruler} ${exportStyles.ruler}`} aria-hidden="true">
      <div className={playerStyles.rseg}>
        {played.map((view) => (
          <Segment key={view.shot.id} view={view} mark={markOf(view, groups)} />
        ))}
      </div>
    </div>
  );
}

function markOf({ shot }: ShotView, groups: FindingGroups | undefined): Mark | undefined {
  const has = (rows: FindingGroups['stops'] = []) => rows.some(({ finding }) => finding.shotId === shot.id);
  if (has(groups?.stops)) return 'stop';
  return has(groups?.know) ? 'know' : undefined;
}

function Segment({ view, mark }: { view: ShotView; mark: Mark | undefined }) {
  const first = view.active?.clip?.thumbnailId;
  const pictures = [first, takeEnd(view.active) ?? first].filter((id) => id !== undefined);
  return (
    <i
      style={{ flexGrow: view.span.seconds }}
      className={pictures.length === 0 ? exportStyles.miss : undefined}
      data-look={view.state.isStale ? 'stale' : undefined}
    >
      {pictures.map((id, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the first and the last frame, which may be one picture.
        <u key={index} style={{ backgroundImage: `url("${mediaUrl(id)}")` }} />
      ))}
      <b>{view.number}</b>
      {mark && (
        <em>
          <MarkGlyph of={mark} />
        </em>
      )}
    </i>
  );
}
