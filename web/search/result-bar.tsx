import { change } from '../shell/address.ts';

/** How matches are shown, as addresses and as people say it. */
const WAYS = [
  ['', 'List'],
  ['table', 'Table'],
  ['map', 'Groups'],
] as const;

/** What is done with all matches, as addresses and as people say it. */
const DEEDS = [
  ['file', 'Save as a file'],
  ['watch', 'Watch'],
] as const;

/** How matches are shown, and what can be done with all of them. @param state what the address says. */
export function ResultBar({ state }: { readonly state: Readonly<Record<string, string>> }) {
  return (
    <div class="row between">
      <fieldset class="segments ways">
        <legend class="visually-hidden">Shown as</legend>
        {WAYS.map(([way, text]) => (
          <button
            key={text}
            type="button"
            aria-pressed={way === (state.as ?? '')}
            onClick={() => change({ as: way, p: '' })}
          >
            {text}
          </button>
        ))}
      </fieldset>
      <div class="row">
        {DEEDS.map(([deed, text]) => (
          <button
            key={deed}
            type="button"
            class="small"
            aria-expanded={state[deed] !== undefined}
            onClick={() => change({ [deed]: state[deed] === undefined ? 'new' : '' })}
          >
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}
