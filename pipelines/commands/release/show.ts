import { groundText, groundTotal } from '../../../datasets/place/ground-kind.ts';
import type { Command } from '../../../query/engine/command.ts';
import { chosenRelease } from '../chosen-release.ts';

/** `plat release show [release]`: prints layers, partitions, provenance and counts of a release. */
export const releaseShowCommand: Command = {
  name: 'release show',
  example: 'plat release show --html > release.html',
  summary: 'Show the layers, sources and row counts of a release (by default the current one).',
  args: ['[release]'],
  options: [
    {
      flags: '--html',
      description:
        'Print one self-contained HTML page: counts, vintages, coverage map, quality, changes, sizes and times.',
    },
  ],
  async run([id], { html }, terminal) {
    const { home, releases, manifest } = await chosenRelease(id);
    if (html) {
      const { releaseReport } = await import('../../report/release-report.ts');
      terminal.out(await releaseReport(home, releases, manifest));
      return 0;
    }
    if (terminal.json) {
      terminal.out(JSON.stringify(manifest));
      return 0;
    }
    terminal.out(
      `${manifest.id}  created ${manifest.createdAt}  as of ${manifest.asOf}  after ${manifest.previous ?? 'none'}`,
    );
    for (const [dataset, layers] of Object.entries(manifest.datasets))
      for (const [layer, { partitions, version }] of Object.entries(layers)) {
        terminal.out(`${dataset}:${layer}  version ${version}`);
        for (const p of partitions)
          terminal.out(
            `  ${p.key}  ${p.place}  ${p.rows} rows  ${p.files.map(f => f.role).join(' ')}  ${p.provenance.source}, ${p.provenance.vintage}${p.provenance.synthetic ? ' (synthetic)' : ''}`,
          );
      }
    for (const c of manifest.ingests)
      terminal.out(
        `${c.place}  ${c.dataset}:${c.layer}  ${c.file}: ${c.read} read = ${c.written} written + ${c.skipped} skipped + ${c.rejected} rejected${c.ground ? ` + ${groundTotal(c.ground)} no parcels (${groundText(c.ground)})` : ''}; ${c.repaired} repaired${c.dissolvedTo === null ? '' : `; dissolved to ${c.dissolvedTo}`}`,
      );
    for (const a of manifest.accepted ?? []) terminal.out(`accepted on ${a.on}: ${a.key}: ${a.what}`);
    return 0;
  },
};
