import { useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { ask } from '../api/request.ts';
import { REACHES } from '../area/near.ts';
import { change } from '../shell/address.ts';
import { Failed } from '../shell/states.tsx';
import { useUnits } from '../values/units.ts';
import { type Portfolio, uploadOf } from './portfolio.ts';
import '../style/desk.css';

/** Asks what of a list of places shall be added up, and within how far. */
export function AccumulationForm({
  portfolio,
  onBegun,
}: {
  readonly portfolio: Portfolio;
  readonly onBegun: () => void;
}) {
  const units = useUnits();
  const [column, setColumn] = useState(portfolio.columns[0]!);
  const [far, setFar] = useState(units === 'us' ? '500' : '150');
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const metres = Number(far.replaceAll(',', '')) * REACHES[units === 'us' ? 'feet' : 'meters'];
  const isRight = metres >= 1;
  const begin = () => {
    setSending(true);
    setError(null);
    ask<{ readonly upload_id: string }>({
      method: 'POST',
      path: '/v1/uploads',
      file: { type: 'text/csv', text: uploadOf(portfolio, column) },
    })
      .then(({ upload_id: upload }) => {
        change({ sum: JSON.stringify({ upload, column, metres: Math.round(metres * 10) / 10 }) });
        onBegun();
      }, setError)
      .finally(() => setSending(false));
  };
  return (
    <fieldset class="area">
      <legend>Where do values add up?</legend>
      <div class="row">
        <label class="field grow">
          Add up
          <select value={column} onChange={event => setColumn(event.currentTarget.value)}>
            {portfolio.columns.map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Within, in {units === 'us' ? 'feet' : 'meters'}
          <input
            class="short"
            inputMode="decimal"
            value={far}
            aria-invalid={!isRight}
            onInput={event => setFar(event.currentTarget.value)}
          />
        </label>
      </div>
      <p class="note">For this the places and that column are sent to the server, which keeps them for a day.</p>
      {error && <Failed error={error} />}
      <div class="row end">
        <button type="button" disabled={!isRight || sending} onClick={begin}>
          {sending ? 'Sending…' : 'Find the worst circle'}
        </button>
      </div>
    </fieldset>
  );
}
