import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { timesFloor } from './floor/distance.ts';
import { watchHost } from './stolen-time.ts';

const stolen = watchHost();

/** One measured case; `ratio` > 1 means Plat is better than the peer, null where there is no peer. */
export interface BenchRow {
  readonly case: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly ratio: number | null;
}

/** First line a program prints for its version, or null when it is not installed. */
export function versionOf(program: string, flag = '--version'): string | null {
  try {
    return execFileSync(program, [flag], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')[0]!
      .trim();
  } catch {
    return null;
  }
}

/** The p-th percentile (0–100) of a list, by nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((p / 100) * sorted.length) - 1))]!;
}

function significant(value: number | null): string {
  if (value === null) return '–';
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}

/**
 * Prints a bench as a table on stdout and writes bench/results/<name>.json; without a name it only prints. The last column is the
 * distance to what the machine allows, by the newest run of bench-floor.
 */
export function report(name: string | null, versions: Record<string, string>, rows: readonly BenchRow[]): void {
  const measured = rows.map(row => ({ ...row, floor: name && timesFloor(name, row.case, row.unit, row.ours) }));
  const cells = measured.map(row => [
    row.case,
    row.unit,
    ...[row.ours, row.peer, row.ratio, row.floor || null].map(significant),
  ]);
  const table = [['case', 'unit', 'ours', 'peer', 'ratio', '× floor'], ...cells];
  const widths = table[0]!.map((_, column) => Math.max(...table.map(line => line[column]!.length)));
  for (const line of table)
    process.stdout.write(`${line.map((c, i) => (i < 2 ? c.padEnd(widths[i]!) : c.padStart(widths[i]!))).join('  ')}\n`);
  const stolenPercent = Number(stolen().toFixed(1));
  process.stdout.write(`The host of the machine took ${stolenPercent} % of its cores' time during the run.\n`);
  if (name === null) return;
  const folder = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    stolenPercent,
  };
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify({ name, machine, versions, rows: measured }, null, 2)}\n`);
}
