import { Worker } from 'node:worker_threads';
import { interruption } from '../../pipelines/commands/interruption.ts';

/** A call that does not come back, as one of GEOS or DuckDB seems to, and that no JavaScript of its thread interrupts. */
const CALL = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

const isAlone = process.argv[2] === 'alone';
const stop = interruption('stopped', isAlone);
console.log('ready');
if (isAlone) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
const worker = new Worker(CALL, { eval: true });
// A run waits for its threads.
await new Promise(resolve => worker.on('exit', resolve));
stop.end();
