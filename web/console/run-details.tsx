import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { type Failure, failureWords } from '../api/error-words.ts';
import { send } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { useSeen } from '../shell/seen.ts';
import { Failed, Waiting } from '../shell/states.tsx';

type Location = { readonly lat: number; readonly lng: number } | { readonly address: string };

interface WholeRun {
  readonly request: {
    readonly locations: readonly Location[];
    readonly preset?: string | null;
    readonly fields?: readonly string[] | null;
  };
  readonly result: {
    readonly results: readonly (
      | { readonly index: number; readonly ok: true }
      | { readonly index: number; readonly ok: false; readonly error: Failure }
    )[];
  } | null;
}

const placeOf = (location: Location | undefined) =>
  location === undefined ? '' : 'address' in location ? location.address : `${location.lat}, ${location.lng}`;

const credits = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`;

/** Places that failed, by the reason. */
function failuresOf({ request, result }: WholeRun): [reason: string, places: string[]][] {
  const failures = new Map<string, string[]>();
  for (const entry of result?.results ?? [])
    if (!entry.ok) {
      const message = failureWords(entry.error);
      failures.set(message, [...(failures.get(message) ?? []), placeOf(request.locations[entry.index])]);
    }
  return [...failures];
}

/** What a run asked for, which of its places failed and why, and what it cost. @param id of a run that has ended. @param name for people. */
export function RunDetails({ id, name, open }: { readonly id: string; readonly name: string; readonly open: boolean }) {
  const [shown, setShown] = useState(open);
  const [details, isSeen] = useSeen<HTMLDetailsElement>();
  const [run, setRun] = useState<(WholeRun & { readonly cost: string | null }) | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    if (!shown || !isSeen || run) return;
    const gone = new AbortController();
    send({ method: 'GET', path: `/v1/runs/${id}` }, gone.signal)
      .then(async answer => {
        const whole = (await answer.json()) as WholeRun;
        setRun({ ...whole, cost: answer.headers.get('x-service-run-credits') });
      })
      .catch((problem: ApiError) => gone.signal.aborted || setError(problem));
    return () => gone.abort();
  }, [id, shown, isSeen]);
  const failures = run ? failuresOf(run) : [];
  const failed = failures.reduce((sum, [, places]) => sum + places.length, 0);
  return (
    <details class="run-details" ref={details} open={open} onToggle={event => setShown(event.currentTarget.open)}>
      <summary>
        What it asked, what failed, what it cost<span class="visually-hidden"> of {name}</span>
      </summary>
      {error && <Failed error={error} />}
      {shown && !run && !error && <Waiting what="The run is being fetched" />}
      {run && (
        <>
          <p>
            Asked for{' '}
            {[
              ...(run.request.preset ? [`the topic ${wordsOf(run.request.preset)}`] : []),
              ...(run.request.fields ?? []).map(wordsOf),
            ].join(', ')}
            . {run.cost !== null && `It cost ${credits(Number(run.cost))}.`}
          </p>
          {run.result &&
            (failed === 0 ? (
              <p>No place failed.</p>
            ) : (
              <>
                <p class="warn">
                  {failed} of {run.request.locations.length} {run.request.locations.length === 1 ? 'place' : 'places'}{' '}
                  failed.
                </p>
                <ul>
                  {failures.map(([reason, places]) => (
                    <li key={reason}>
                      {places.join('; ')}: {reason}
                    </li>
                  ))}
                </ul>
              </>
            ))}
        </>
      )}
    </details>
  );
}
