import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import type { Job } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { navigate, useJob } from '../../../app/index.ts';
import {
  AssetImage,
  FindingGlyph,
  formatCount,
  formatSeconds,
  JobStateGlyph,
  StoragePlate,
  TextAction,
  VerdictWord,
} from '../../../ui/index.ts';
import { STATE_WORDS, VERDICT_WORDS } from '../../../words/index.ts';
import { selectJob } from '../state.ts';
import { rowText } from '../triage/words.ts';
import { isMade, type MadeGroup, type MadeTile, OTHERS } from './madeGroups.ts';

interface MadeGridProps {
  runId: string;
  groups: readonly MadeGroup[];
  /** What triage found, by job; the worst of its clips. */
  triage: ReadonlyMap<string, TriageTake>;
}

/** Of a night of thousands only so many pictures are drawn at first. */
const MOST_TILES = 120;

/** What a night made, by shot: arrows go from one to the next, Enter begins to judge with it. */
export function MadeGrid({ runId, groups, triage }: MadeGridProps) {
  const list = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState(MOST_TILES);
  const all = useMemo(() => groups.flatMap(({ tiles }) => tiles), [groups]);
  const shown = new Set(all.slice(0, most));
  const open = ({ sent }: MadeTile) => openTile(runId, sent);
  const { chosen, pick, onKeyDown } = useChosenTile(list, all, open);
  return (
    <div
      ref={list}
      className="scroll mscroll"
      role="listbox"
      aria-label={t`What was made`}
      tabIndex={0}
      aria-activedescendant={chosen && tileId(chosen)}
      onKeyDown={onKeyDown}
    >
      {groups.map(({ key, title, note, tiles }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options in a list box; a fieldset is none.
        <div role="group" aria-label={title} className="mgrp" key={key} style={placeOf(key, tiles.length)}>
          <div className="row" aria-hidden="true">
            <b>{title}</b>
            <span className="t3 cut" title={note}>
              {note}
            </span>
          </div>
          <div className="mgrid">
            {tiles
              .filter((tile) => shown.has(tile))
              .map((tile) => (
                <Tile
                  key={tile.sent.jobId}
                  tile={tile}
                  of={title}
                  triage={triage.get(tile.sent.jobId)}
                  isChosen={tile === chosen}
                  onPick={() => pick(tile)}
                  onOpen={() => open(tile)}
                />
              ))}
          </div>
        </div>
      ))}
      {all.length > most && (
        <p className="mmore">
          <TextAction
            onClick={() => setMost(most + MOST_TILES)}
          >{t`Show more of ${formatCount(all.length)}`}</TextAction>
        </p>
      )}
    </div>
  );
}

/** The tile that is chosen, and the keys that choose another one or open it. */
function useChosenTile(
  list: RefObject<HTMLDivElement | null>,
  all: readonly MadeTile[],
  open: (tile: MadeTile) => void,
) {
  const [picked, setPicked] = useState<string>();
  const chosen = all.find(({ sent }) => sent.jobId === picked) ?? all[0];
  const pick = (tile: MadeTile | undefined) => setPicked(tile?.sent.jobId);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !chosen || event.target !== event.currentTarget) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      open(chosen);
    }
    const tiles = [...(list.current?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])];
    const to = placeAfter(event.key, all.indexOf(chosen), tiles);
    if (to === undefined) return;
    event.preventDefault();
    const next = all[Math.min(Math.max(0, to), tiles.length - 1)];
    pick(next);
    if (next) document.getElementById(tileId(next))?.scrollIntoView({ block: 'nearest' });
  };
  return { chosen, pick, onKeyDown };
}

/** As many as fit into a row of the narrowest window; more have rows of their own, as what belongs to no shot has. */
const ROW = 6;
const placeOf = (key: string, count: number) => ({
  gridColumn: count > ROW || key === OTHERS ? '1 / -1' : `span ${count}`,
});

const tileId = ({ sent }: MadeTile): string => `made-${sent.jobId}`;

/** What was made is judged from there on; anything else is shown in the queue, with what can be done about it. */
function openTile(runId: string, sent: MadeTile['sent']): void {
  if (isMade(sent)) return navigate('queue', { run: runId, state: 'judge', first: sent.jobId }, 'night');
  selectJob(sent.jobId);
  navigate('queue');
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** Where a key leads from a tile: to a neighbour, to the nearest one of the row above or below, or to an end. */
function placeAfter(key: string, at: number, tiles: readonly HTMLElement[]): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return tiles.length - 1;
  const step = STEPS[key];
  if (step !== undefined) return at + step;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const here = tiles[at]?.getBoundingClientRect();
  if (!here) return undefined;
  const places = tiles.map((tile, index) => ({ index, box: tile.getBoundingClientRect() }));
  const ahead = places.filter(({ box }) => (key === 'ArrowDown' ? box.top > here.top + 1 : box.top < here.top - 1));
  const top = key === 'ArrowDown' ? ahead[0]?.box.top : ahead.at(-1)?.box.top;
  const row = ahead.filter(({ box }) => box.top === top);
  const off = (box: DOMRect) => Math.abs(box.left - here.left);
  return row.toSorted((one, other) => off(one.box) - off(other.box))[0]?.index ?? at;
}

interface TileProps {
  tile: MadeTile;
  /** The group that it stands in. */
  of: string;
  triage: TriageTake | undefined;
  isChosen: boolean;
  onPick: () => void;
  onOpen: () => void;
}

function Tile({ tile, of, triage, isChosen, onPick, onOpen }: TileProps) {
  const { sent, label } = tile;
  const job = useJob(sent.jobId);
  const state = sent.refused ? t`refused by the filter` : STATE_WORDS[sent.state].now;
  const found = triage && triage.findings.length > 0 ? rowText(triage) : undefined;
  const said = [
    `${of}, ${label}`,
    isMade(sent) ? (sent.verdict ? VERDICT_WORDS[sent.verdict].judged : t`not judged`) : state,
    found,
  ];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus and names its active tile.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list that holds the tiles owns the keys.
    <div
      id={tileId(tile)}
      role="option"
      aria-selected={isChosen}
      className={`tile ${isChosen ? 'sel' : ''}`}
      onClick={onPick}
      onDoubleClick={onOpen}
    >
      <span className="vh">{said.filter(Boolean).join(', ')}</span>
      {isMade(sent) ? (
        <Picture tile={tile} job={job} triage={triage} found={found} />
      ) : (
        <div className={`media none8 ${sent.state === 'uncertain' ? '' : 'ref'}`} title={state} aria-hidden="true">
          <JobStateGlyph state={sent.state} bare />
          <span className="ov tl">{label}</span>
        </div>
      )}
    </div>
  );
}

interface PictureProps extends Pick<TileProps, 'tile' | 'triage'> {
  job: Job | undefined;
  /** What triage found, in a line. */
  found: string | undefined;
}

/** The take's number, its verdict, what triage found or where its file is, and its length. */
function Picture({ tile: { sent, label }, job, triage, found }: PictureProps) {
  const asset = job?.outputs[0];
  const count = job?.outputs.length ?? 0;
  const facts =
    asset?.seconds !== undefined ? formatSeconds(asset.seconds) : count > 1 ? t`${count} pictures` : undefined;
  return (
    <div className="media">
      {job?.result && !asset ? (
        <span className="tile-words">{job.result.text}</span>
      ) : (
        <AssetImage asset={asset} className="fill" />
      )}
      <span className="ov tl" aria-hidden="true">
        {label}
      </span>
      {sent.verdict && (
        <span className="ov tr" aria-hidden="true">
          <VerdictWord verdict={sent.verdict} />
        </span>
      )}
      {found && (
        <span className="ov bl" title={found} aria-hidden="true">
          <FindingGlyph of={triage?.state === 'broken' ? 'stop' : 'step'} />
        </span>
      )}
      {!found && asset && asset.state !== 'local' && <StoragePlate storage={asset} />}
      {facts && <span className="ov br">{facts}</span>}
    </div>
  );
}
