import { UsageError } from '../../query/engine/command.ts';

/** One `@`, no spaces: whether mail arrives is not ours to judge. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** The e-mail address that `--account` gives. @throws UsageError naming the command. */
export function requireEmail(command: string, given: unknown): string {
  if (typeof given !== 'string' || !EMAIL.test(given))
    throw new UsageError(`${command}: expected --account with an e-mail address`);
  return given;
}
