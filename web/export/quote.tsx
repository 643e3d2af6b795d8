import type { AnswerOf } from '../../client/client.ts';
import type { Answer } from '../api/answer.ts';
import { Failed } from '../shell/states.tsx';

/** The price of a file and its rows, as the service says them. */
export type Quote = AnswerOf<'quoteExport'>;

/** Forms of a file, as programs and as people call them. */
const FORMATS = [
  ['csv', 'Spreadsheet (CSV)'],
  ['geojsonseq', 'GeoJSON'],
  ['geoparquet', 'GeoParquet'],
  ['flatgeobuf', 'FlatGeobuf'],
] as const;
export const FIRST_FORMAT: string = FORMATS[0][0];

/** A number of rows in words. */
export const rowsText = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;

/** A price in words. */
const creditsText = (count: number) =>
  count === 0 ? 'free' : `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`;

/** The choice of a form. */
export function FormatChoice({
  format,
  onChosen,
}: {
  readonly format: string;
  readonly onChosen: (format: string) => void;
}) {
  return (
    <label class="field">
      As
      <select value={format} onChange={event => onChosen(event.currentTarget.value)}>
        {FORMATS.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The price in words, once it is there. */
export function Price({ quote, again }: { readonly quote: Answer<Quote>; readonly again: () => void }) {
  if (quote.is === 'failed') return <Failed error={quote.error} again={again} />;
  if (quote.is === 'waiting')
    return (
      <p class="note" role="status">
        Looking up its price…
      </p>
    );
  if (quote.is !== 'here') return null;
  const { locations, credits_total: credits, allowance } = quote.value;
  return (
    <p role="status">
      {rowsText(locations)}: <strong>{creditsText(credits)}</strong>
      {allowance.would_be_blocked && '. That is more than the account has left'}.
    </p>
  );
}
