import type { Terminal } from '../../query/engine/command.ts';
import type { LogFile } from '../log-file.ts';
import type { RunReport } from '../run.ts';
import { breachLines, flagOf, type QualityError } from '../steps/quality/breach.ts';
import { blankLines, qualityTable } from '../steps/quality/table.ts';
import { groundLines, joinLine, overlayLine, tilesLine, unaddressedLines } from './count-lines.ts';

/** Lines of one kind that are printed; the log has the rest. */
const OF_A_KIND = 2;
/** Lines of all breaches together. With the other lines they fill a screen of twenty. */
const OF_BREACHES = 16;

/** Returns the first lines, and a line that says how many more the log holds. */
function few(lines: readonly string[]): string[] {
  const more = lines.length - OF_A_KIND;
  return more > 1 ? [...lines.slice(0, OF_A_KIND), `… and ${more} more such lines in the log`] : [...lines];
}

/** Prints in at most a dozen lines how a run ended; the log gets all lines. */
export function tellRun(report: RunReport, log: LogFile, terminal: Terminal, isPublished = true): void {
  const { counts, samples, accepted, idleFlags, left, overlay, tiles, seconds } = report;
  const sum = (of: 'read' | 'rejected' | 'repaired') => counts.reduce((total, c) => total + c[of], 0);
  const rejects = samples.map(r => `${r.action}: ${r.file} row ${r.row}: ${r.reason}`);
  const ground = groundLines(counts);
  const unaddressed = unaddressedLines(counts);
  const blanks = blankLines(counts);
  const joins = counts.flatMap(count => count.joins ?? []);
  // What most rows join is no news, nor that a file has several rows of one key.
  const odd = joins.filter(({ joined, unjoined }) => joined < unjoined);
  const without = left.map(({ file, why }) => `left out: ${file}: ${why}`);
  const taken = accepted.map(({ key, what }) => `accepted: ${key}: ${what}`);
  const head = `${counts.length} layers, ${sum('read')} rows read, ${sum('rejected')} rejected, ${sum('repaired')} repaired, ${seconds.toFixed(1)} s`;
  const idle =
    idleFlags.length > 0
      ? [`no expectation was missed that ${idleFlags.map(key => flagOf({ key })).join(' ')} would accept`]
      : [];
  const computed = overlay?.written.length ? [overlayLine(overlay)] : [];
  const drawn = tilesLine(tiles);
  const outcome = isPublished
    ? `published ${report.release}`
    : `made ${report.release}; plat ingest publish publishes it`;
  const end = report.changed ? outcome : `nothing changed; ${report.release} stays`;
  log.add(
    '',
    ...qualityTable(counts),
    '',
    ...rejects,
    ...ground,
    ...unaddressed,
    ...joins.map(joinLine),
    ...blanks,
    ...taken,
    ...without,
    ...idle,
    head,
    drawn,
    ...computed,
    end,
  );
  for (const line of [
    ...few(rejects),
    ...few(ground),
    ...few(unaddressed),
    ...few(odd.map(joinLine)),
    ...few(blanks),
    ...few(taken),
    ...few(without),
    ...idle,
    head,
    ...computed,
    log.line,
  ])
    terminal.err(line);
  terminal.out(end);
}

/** Prints in at most twenty lines which expectations were not met; the log gets all lines. */
export function tellBreaches(error: QualityError, log: LogFile, terminal: Terminal): void {
  log.add('', error.message);
  const [head, ...lines] = error.message.split('\n');
  terminal.err(head!);
  // Print a breach with all its lines, or not at all.
  let shown = 0;
  let rows = 0;
  for (const breach of error.breaches) {
    rows += breachLines(breach).length;
    if (rows > OF_BREACHES) break;
    shown = rows;
  }
  for (const line of lines.slice(0, shown)) terminal.err(line);
  if (shown < lines.length) terminal.err(`… and ${lines.length - shown} more such lines in the log`);
  terminal.err(log.line);
}
