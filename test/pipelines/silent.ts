import type { Progress } from '../../pipelines/progress.ts';

/** Progress that nobody follows. */
export const SILENT: Progress = { expect() {}, start: () => ({ advance() {}, done() {} }), close() {} };
