import { groundTotal } from '../../datasets/place/ground-kind.ts';
import type { IngestCount, Manifest, ReleaseFile } from '../../datasets/release.ts';
import { filesOf } from '../../query/release/home/store.ts';
import { escaped } from '../html-text.ts';
import type { RunState } from '../refresh/journal.ts';
import { qualityTable } from '../steps/quality/table.ts';
import { layersOf, type ReleaseChanges } from './report.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#222;--dim:#666;--line:#ddd;--ground:#fff;--mark:#0072B2}
@media (prefers-color-scheme:dark){:root{--ink:#ddd;--dim:#999;--line:#444;--ground:#181818;--mark:#56B4E9}}
body{margin:0 auto;max-width:1200px;padding:16px;font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
h1{font-size:22px;margin:0 0 4px}h2{font-size:17px;margin:28px 0 6px}p{margin:4px 0}small,.dim{color:var(--dim)}
div{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:3px 10px 3px 0;border-bottom:1px solid var(--line)}
th{font-weight:600}td.n,th.n{text-align:right;white-space:nowrap}td{overflow-wrap:anywhere}
svg{width:100%;max-height:80vh;border:1px solid var(--line)}
path{fill:var(--mark);fill-opacity:.12;stroke:var(--mark);stroke-width:1;fill-rule:evenodd}path:hover{fill-opacity:.4}
pre{white-space:pre-wrap;font:12px/1.4 ui-monospace,monospace}
`;

/** Content-Security-Policy of the page: it loads nothing from other servers. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const number = (n: number) => n.toLocaleString('en-US');
const size = (bytes: number) =>
  bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;

type Cell = string | number;

/** Returns a table in HTML; numbers are aligned right. */
function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isNumber = (at: number) => typeof rows[0]?.[at] === 'number';
  const head = heads.map((text, i) => `<th${isNumber(i) ? ' class="n"' : ''}>${escaped(text)}</th>`).join('');
  const body = rows.map(row => {
    const cells = row.map(cell =>
      typeof cell === 'number' ? `<td class="n">${number(cell)}</td>` : `<td>${escaped(cell)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div><table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

function layersSection(manifest: Manifest): string[] {
  const layers = layersOf(manifest);
  const heads = ['Layer', 'Rows', 'Partitions', 'KiB', 'Source', 'Vintage', 'License', 'Retrieved'];
  const rows = layers.map(l => [
    l.name,
    l.rows,
    l.partitions,
    Math.ceil(l.bytes / 1024),
    l.sources.join('; ') + (l.synthetic ? ' (synthetic)' : ''),
    l.vintages.join('; '),
    l.licences.join('; '),
    l.retrieved.slice(0, 10),
  ]);
  return ['<h2>Layers and vintages</h2>', table(heads, rows)];
}

function qualitySection({ ingests, accepted = [] }: Manifest): string[] {
  const count = (c: IngestCount) => [
    c.place,
    `${c.dataset}:${c.layer}`,
    c.file,
    c.read,
    c.written,
    c.skipped,
    c.rejected,
    groundTotal(c.ground),
    c.repaired,
  ];
  const heads = ['Place', 'Layer', 'File', 'Read', 'Written', 'Skipped', 'Rejected', 'No parcels', 'Repaired'];
  const byPlace = Map.groupBy(ingests, ({ place }) => place);
  const measured = [...byPlace].flatMap(([place, counts]) => [
    `<h3>${escaped(place)}</h3>`,
    `<pre>${escaped(qualityTable(counts).join('\n'))}</pre>`,
  ]);
  const taken = accepted.map(({ place, key, what, on }) => [place, key, what, on]);
  return [
    '<h2>Quality</h2>',
    '<p>Read = written + skipped + rejected + no parcels (roads, water and other ground of parcel files); repaired rows are among the written.</p>',
    table(heads, ingests.map(count)),
    ...measured,
    ...(taken.length > 0
      ? ['<h3>Expectations that are not met and were accepted</h3>', table(['Place', 'Measure', 'Found', 'On'], taken)]
      : []),
  ];
}

function changesSection(manifest: Manifest, changes: ReleaseChanges | null): string[] {
  const head = '<h2>Changes against the release before</h2>';
  if (!changes) {
    const why = manifest.previous === null ? 'It is the first release.' : `Release ${manifest.previous} is not kept.`;
    return [head, `<p>${escaped(why)}</p>`];
  }
  const { previous, layers, vintages, gaps, files, bytes, computed, calculations } = changes;
  const rows = layers.map(l => [`${l.dataset}:${l.layer}`, l.added, l.removed, l.changed]);
  const said = (list: readonly string[]) => list.join('; ') || 'not installed';
  const lost = gaps.map(g => [`${g.dataset}:${g.layer}`, g.partition, g.reason]);
  return [
    head,
    `<p>Against ${escaped(previous)}: ${number(files)} files were written anew, ${size(bytes)}; ${number(computed)} of ${number(calculations)} calculations of counties were made anew.</p>`,
    rows.length > 0 ? table(['Layer', 'Rows added', 'Removed', 'Changed'], rows) : '<p>No row differs.</p>',
    ...(vintages.length > 0
      ? [
          table(
            ['Layer', 'Vintage before', 'Vintage now'],
            vintages.map(v => [v.name, said(v.before), said(v.after)]),
          ),
        ]
      : []),
    ...(lost.length > 0 ? ['<h3>Not compared</h3>', table(['Layer', 'Partition', 'Why'], lost)] : []),
  ];
}

function sizesSection(manifest: Manifest, run: RunState | null): string[] {
  const byRole = Map.groupBy(filesOf(manifest), ({ role }) => role);
  const sum = (files: readonly ReleaseFile[]) => files.reduce((bytes, file) => bytes + file.bytes, 0);
  const rows = [...byRole].map(([role, files]) => [role, files.length, Math.ceil(sum(files) / 1024)]);
  const steps = (run?.steps ?? []).map(({ name, done, seconds }) => [name, done, seconds?.toFixed(1) ?? '']);
  const took = run ? (Date.parse(run.updatedAt) - Date.parse(run.startedAt)) / 1000 : 0;
  return [
    '<h2>Sizes and times</h2>',
    table(['Files', 'Number', 'KiB'], rows),
    run
      ? `<p>The ingest took ${took.toFixed(1)} s, from ${escaped(run.startedAt)}.</p>`
      : '<p>How long the ingest took was not kept.</p>',
    ...(steps.length > 0 ? [table(['Step', 'Rows', 'Seconds'], steps)] : []),
  ];
}

/** The content of a page beside the manifest. */
export interface ReportContent {
  /** SVG of the coverage; null if everything is national. */
  readonly map: string | null;
  /** Null if there is no release before, or it is not kept. */
  readonly changes: ReleaseChanges | null;
  /** State of the ingest; null if it was not kept. */
  readonly run: RunState | null;
}

/** Returns a release as one self-contained HTML page, which loads no script, style, font or tile. */
export function reportPage(manifest: Manifest, { map, changes, run }: ReportContent): string {
  const { id, createdAt, asOf, previous, overlays = {} } = manifest;
  const files = filesOf(manifest);
  const layers = layersOf(manifest);
  const fields = new Set(Object.values(overlays).flatMap(own => Object.values(own).flatMap(o => o.fields)));
  const parcels = layers.find(({ name }) => name === 'parcel_store:main')?.rows ?? 0;
  const rows = layers.reduce((sum, layer) => sum + layer.rows, 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>Release ${escaped(id)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Release ${escaped(id)}</h1>`,
    `<p class="dim">Made ${escaped(createdAt)}, as of ${escaped(asOf)}, after ${escaped(previous ?? 'none')}.</p>`,
    `<p>${number(layers.length)} layers, ${number(rows)} rows, ${number(parcels)} parcels with ${number(fields.size)} stored calculations; ${number(files.length)} files, ${size(bytes)}.</p>`,
    ...(layers.some(({ synthetic }) => synthetic) ? ['<p><strong>It holds synthetic data.</strong></p>'] : []),
    '<h2>Coverage</h2>',
    map ?? '<p>All of it is of the whole country.</p>',
    ...changesSection(manifest, changes),
    ...layersSection(manifest),
    ...qualitySection(manifest),
    ...sizesSection(manifest, run),
    '</body></html>',
    '',
  ].join('\n');
}
