// Measures the memory of `plat world generate` and `plat ingest run` by number of parcels, one process at a time. It reads the
// resident set from /proc four times a second, and the peak of the kernel (VmHWM). Memory must not grow with the parcels, except
// for the index of the FlatGeobuf writer: 52 bytes for each feature of the one or two files that are being written.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchRow, report } from './report.ts';

const SIZES = (process.env.BENCH_PARCELS ?? '100000,300000,1000000,2000000').split(',').map(Number);
const plat = fileURLToPath(new URL('../plat', import.meta.url));

if (!existsSync('/proc/self/status')) {
  process.stderr.write('bench-world reads resident memory from /proc, which only Linux has.\n');
  process.exit(1);
}

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  /** Greatest resident set in each tenth of the run, MB. */
  readonly curve: readonly number[];
}

/** Runs a command of Plat and watches its memory. @throws Error with its last words when it fails. */
async function watch(args: readonly string[], home: string): Promise<Measured> {
  const started = performance.now();
  const child = spawn(plat, args, { env: { ...process.env, PLAT_HOME: home }, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', chunk => {
    words = (words + chunk).slice(-2000);
  });
  const samples: number[] = [];
  let peakMb = 0;
  const timer = setInterval(() => {
    let status: string;
    try {
      status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    } catch {
      return;
    }
    const kb = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    samples.push(kb('VmRSS'));
    peakMb = Math.max(peakMb, kb('VmHWM'));
  }, 250);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearInterval(timer);
  if (code !== 0) throw new Error(`plat ${args.join(' ')} ended with ${code}: ${words}`);
  const tenth = (i: number) => Math.floor((i * samples.length) / 10);
  const curve = Array.from({ length: 10 }, (_, i) => Math.round(Math.max(0, ...samples.slice(tenth(i), tenth(i + 1)))));
  return { seconds: (performance.now() - started) / 1000, peakMb, curve };
}

const rows: BenchRow[] = [];
for (const parcels of SIZES) {
  const folder = mkdtempSync(join(process.env.BENCH_SCRATCH ?? tmpdir(), 'plat-bench-world-'));
  const [world, home] = [join(folder, 'world'), join(folder, 'home')];
  try {
    for (const [name, args] of [
      ['generate', ['world', 'generate', '--parcels', String(parcels), '--out', world]],
      ['ingest', ['ingest', 'run', '--sources', world, '--place', 'synthetic']],
    ] as const) {
      const { seconds, peakMb, curve } = await watch(args, home);
      process.stdout.write(`${name} ${parcels}: ${seconds.toFixed(0)} s, resident MB by tenths ${curve.join(' ')}\n`);
      const peerless = { peer: null, ratio: null };
      rows.push({ case: `${name} ${parcels} parcels`, unit: 'MB peak RSS', ours: peakMb, ...peerless });
      rows.push({ case: `${name} ${parcels} parcels`, unit: 'parcels/s', ours: parcels / seconds, ...peerless });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
report('world', {}, rows);
