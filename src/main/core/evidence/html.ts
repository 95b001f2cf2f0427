import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EvidenceDocument, EvidenceJob } from '../../../shared/evidence/document.ts';
import { agrees, differenceNano, madeWords } from '../../../shared/evidence/figures.ts';
import { momentOf } from '../../../shared/evidence/letter.ts';
import type { EvidenceRecord } from '../../../shared/evidence/record.ts';
import { formatNano, formatNanoDifference } from '../../../shared/money/money.ts';
import { plural } from '../../../shared/text/texts.ts';

/** Evidence as a self-contained page: no script, nothing loaded, all text escaped, since models, gateways and users wrote it. */

/** Text for an element or a quoted attribute. Bidirectional controls are shown, not applied. */
const escapeHtml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase()}]`);

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 1000px; margin: 32px auto; padding: 0 16px; }
h1 { font-size: 20px; } h2 { font-size: 16px; margin-top: 32px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid #8884; }
td, code { overflow-wrap: anywhere; } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: 12px/1.5 ui-monospace, monospace; } .odd { font-weight: 600; }
`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;

/** The first paragraph is the addressee, the second the subject. */
export function letterHtml([to = '', heading = '', ...rest]: readonly string[]): string {
  const paragraphs = rest.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return page(heading, `<p>${escapeHtml(to)}</p>\n<h1>${escapeHtml(heading)}</h1>\n${paragraphs}`);
}

const orDash = (nano: number | null | undefined): string =>
  nano === null || nano === undefined ? '–' : formatNano(nano);

function row(cells: readonly string[], disagrees = false): string {
  return `<tr${disagrees ? ' class="odd"' : ''}>${cells.join('')}</tr>`;
}
const td = (text: string): string => `<td>${escapeHtml(text)}</td>`;
const tdn = (text: string): string => `<td class="n">${escapeHtml(text)}</td>`;
const heads = (names: readonly string[]): string =>
  `<thead><tr>${names.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')}</tr></thead>`;

const TURN = 50;

export async function evidenceHtml(document: EvidenceDocument, [, heading = '']: readonly string[]): Promise<string> {
  const { sums, gateway, jobs, takenOut } = document;
  const made = momentOf(document.at);
  const parts = [
    `<h1>${escapeHtml(heading)}</h1>`,
    `<p>Evidence for ${escapeHtml(gateway.name)} (${escapeHtml(gateway.host)}), made by ${escapeHtml(document.by)} on ${made.day} at ${made.clock} ${made.zone}.</p>`,
    `<table>${heads(['Requested', 'Due', 'Stated', 'Billed', 'Refund due'])}<tbody>${row([
      tdn(formatNano(sums.orderedNano)),
      tdn(formatNano(sums.dueNano)),
      tdn(orDash(sums.statedNano)),
      tdn(orDash(sums.billedNano)),
      tdn(formatNano(sums.askedBackNano)),
    ])}</tbody></table>`,
    takenOut.length === 0 ? '' : `<p>Taken out: ${takenOut.map((one) => OUT[one]).join(', ')}.</p>`,
    `<h2>${plural(jobs.length, 'job')}</h2>`,
    `<table>${heads(['Job', 'Model', 'Requested', 'Made', 'Stated', 'Billed', 'Apart'])}<tbody>${jobs.map(jobRow).join('\n')}</tbody></table>`,
  ];
  for (const [index, job] of jobs.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    if (job.records.length > 0) parts.push(recordsTable(job));
  }
  return page(heading, parts.filter((part) => part !== '').join('\n'));
}

const OUT = { words: 'words', names: 'names', seeds: 'seeds and references' } as const;

function jobRow(job: EvidenceJob): string {
  const { figures } = job;
  const apart = differenceNano(figures);
  return row(
    [
      td(job.name ?? job.job),
      td(figures.model ?? figures.kind),
      tdn(orDash(figures.ordered?.nano)),
      td(madeWords(figures)),
      tdn(figures.stated?.nano === undefined ? (figures.stated?.as ?? '–') : formatNano(figures.stated.nano)),
      tdn(orDash(figures.billedNano)),
      tdn(apart === 0 ? '–' : formatNanoDifference(apart)),
    ],
    !agrees(figures),
  );
}

const recordsTable = (job: EvidenceJob): string =>
  `<h2>Records of ${escapeHtml(job.name ?? job.job)}</h2>
<table>${heads(['When', 'Item', 'Info'])}<tbody>${job.records.map(recordRow).join('\n')}</tbody></table>`;

function recordRow({ at, what, facts }: EvidenceRecord): string {
  const { day, clock, zone } = momentOf(at);
  const lines = Object.entries(facts).map(
    ([name, fact]) => `${escapeHtml(name)}: <code>${escapeHtml(JSON.stringify(fact))}</code>`,
  );
  return row([td(`${day} ${clock} ${zone}`), td(what), `<td>${lines.join('<br>')}</td>`]);
}
