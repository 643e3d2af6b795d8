import type { Option, Terminal } from '../../../query/engine/command.ts';
import { StepRefused } from '../../field-requests/building/steps.ts';
import { recordOf } from '../../field-requests/reading.ts';
import { commandLine } from '../../state/audit.ts';
import type { FieldRequestRow } from '../../state/field-requests/row.ts';
import type { StateStore } from '../../state/store.ts';
import { withState } from '../open-state.ts';

/** Who did it and why, as every step is written down. */
export const STEP_OPTIONS: readonly Option[] = [
  { flags: '--by <name>', description: 'Name of the person who takes the step; by default the user of the shell.' },
  { flags: '--reason <text>', description: 'Reason, kept with the step.' },
];

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** A flag's text; undefined when it was not given or is blank. */
export const textOf = (options: Given, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** What every step of an operator says of itself. */
export const signed = (id: string, options: Given, reason: string) => ({
  id,
  by: textOf(options, 'by') ?? commandLine(),
  reason: textOf(options, 'reason') ?? reason,
  now: Date.now(),
});

/**
 * Works on a request; a step that may not be taken is one line, exit code 1.
 * @throws whatever else the work throws.
 */
export async function onRequest(terminal: Terminal, work: (state: StateStore) => Promise<number>): Promise<number> {
  try {
    return await withState(work);
  } catch (error) {
    if (!(error instanceof StepRefused)) throw error;
    if (terminal.json) terminal.out(JSON.stringify({ error: 'step_refused', message: error.message }));
    terminal.err(error.message);
    return 1;
  }
}

/** Says where a request is now. */
export function told(terminal: Terminal, row: FieldRequestRow): number {
  if (terminal.json) terminal.out(JSON.stringify(recordOf(row)));
  else terminal.out(`${row.id} is ${row.status}`);
  return 0;
}
