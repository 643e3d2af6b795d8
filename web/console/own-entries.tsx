import type { ComponentChildren } from 'preact';
import { Failed, Waiting } from '../shell/states.tsx';
import type { OwnList } from './own-list.ts';

/** The entries of a list, with what is shown before, instead of and after them. */
export function OwnEntries<T>({
  list: { entries, error, more, next, again },
  what,
  none,
  row,
}: {
  readonly list: OwnList<T>;
  /** Such as `Runs`. */
  readonly what: string;
  /** Shown where there is none. */
  readonly none: string;
  readonly row: (entry: T) => ComponentChildren;
}) {
  return (
    <>
      {error && <Failed error={error} again={again} />}
      {entries === null && !error && <Waiting what={`${what} are being fetched`} />}
      {entries?.length === 0 && <p class="note">{none}</p>}
      {entries && entries.length > 0 && (
        <ul class="runs" aria-label={what}>
          {entries.map(row)}
        </ul>
      )}
      {more && (
        <button type="button" class="wide-button" onClick={next}>
          Older {what.toLowerCase()}
        </button>
      )}
    </>
  );
}
