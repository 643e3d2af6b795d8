import { useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { ask } from '../api/request.ts';
import { Failed } from '../shell/states.tsx';
import type { Usage } from './usage-chart.tsx';

/** A form for the limit that an account sets itself. */
export function LimitForm({ usage, onChanged }: { readonly usage: Usage; readonly onChanged: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const save = (limit: number | null) =>
    ask({ method: 'PATCH', path: '/v1/users/me/settings', body: { monthly_credit_limit: limit } }).then(
      onChanged,
      setError,
    );
  const submit = (event: Event) => {
    event.preventDefault();
    const text = input.current!.value.trim();
    void save(text === '' ? null : Number(text));
  };
  const { self_imposed_limit: limit, credits_included: included } = usage;
  return (
    <section class="card" aria-labelledby="limit-title">
      <h2 id="limit-title">A limit of your own</h2>
      <p class="note">
        {limit === null
          ? `None: the plan's ${included.toLocaleString('en-US')} credits a month hold.`
          : `${limit.toLocaleString('en-US')} credits a month. It stops every token of the account within seconds.`}
      </p>
      {error && <Failed error={error} />}
      <form class="inline" onSubmit={submit}>
        <label class="field">
          Credits a month
          <input ref={input} type="number" min={0} step={1} defaultValue={limit === null ? '' : String(limit)} />
        </label>
        <button type="submit" class="primary">
          Save
        </button>
        {limit !== null && (
          <button type="button" onClick={() => void save(null)}>
            Take it off
          </button>
        )}
      </form>
    </section>
  );
}
