interface Sums {
  readonly requests: number;
  readonly credits: number;
}

/** What GET /v1/users/me/usage answers. */
export interface Usage {
  readonly plan: string;
  /** `YYYY-MM`. */
  readonly period: string;
  readonly credits_included: number;
  readonly credits_used: number;
  readonly credits_remaining: number;
  readonly self_imposed_limit: number | null;
  readonly effective_limit: number;
  readonly resets_at: string;
  readonly by_endpoint: readonly (Sums & { readonly endpoint: string })[];
  readonly by_day: readonly (Sums & { readonly date: string })[];
}

const number = (value: number) => value.toLocaleString('en-US');

/** Every day of a month, `YYYY-MM-DD`. */
function daysOf(period: string): string[] {
  const [year, month] = period.split('-').map(Number);
  const count = new Date(Date.UTC(year!, month!, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => `${period}-${String(i + 1).padStart(2, '0')}`);
}

const HEIGHT = 96;

/** Credits by day, as bars; a table says the same to who cannot see them. */
function Days({ usage }: { readonly usage: Usage }) {
  const days = daysOf(usage.period);
  const used = new Map(usage.by_day.map(day => [day.date, day]));
  const most = Math.max(1, ...usage.by_day.map(day => day.credits));
  const width = 100 / days.length;
  return (
    <figure class="days">
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((date, i) => {
          const height = ((used.get(date)?.credits ?? 0) / most) * (HEIGHT - 4);
          return (
            <rect
              key={date}
              class={height > 0 ? 'used' : 'unused'}
              x={i * width + width * 0.12}
              width={width * 0.76}
              y={HEIGHT - Math.max(height, 1)}
              height={Math.max(height, 1)}
            >
              <title>{`${date}: ${number(used.get(date)?.credits ?? 0)} credits`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{days[0]}</span>
        <span>at most {number(usage.by_day.length > 0 ? most : 0)} credits a day</span>
        <span>{days.at(-1)}</span>
      </figcaption>
    </figure>
  );
}

/** What the account used this month, by day and by endpoint. */
export function UsageChart({ usage }: { readonly usage: Usage }) {
  const { plan, credits_used: used, effective_limit: limit, resets_at: resets } = usage;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    <section class="card" aria-labelledby="usage-title">
      <div class="row between">
        <h2 id="usage-title">Usage in {usage.period}</h2>
        <span class="note">
          Plan {plan}, resets {new Date(resets).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })}
        </span>
      </div>
      <p class="figure">
        {number(used)} <span class="note">of {number(limit)} credits</span>
      </p>
      <meter value={share} min={0} max={1} high={0.9} aria-label="Share of the credits used" />
      <Days usage={usage} />
      <div class="tables">
        <table>
          <caption>By endpoint</caption>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col" class="number">
                Requests
              </th>
              <th scope="col" class="number">
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {usage.by_endpoint.map(({ endpoint, requests, credits }) => (
              <tr key={endpoint}>
                <td>
                  <code>{endpoint}</code>
                </td>
                <td class="number">{number(requests)}</td>
                <td class="number">{number(credits)}</td>
              </tr>
            ))}
            {usage.by_endpoint.length === 0 && (
              <tr>
                <td colSpan={3} class="note">
                  Nothing that costs was asked yet.
                </td>
              </tr>
            )}
          </tbody>
        </table>
        <table>
          <caption>By day</caption>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col" class="number">
                Requests
              </th>
              <th scope="col" class="number">
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {usage.by_day.toReversed().map(({ date, requests, credits }) => (
              <tr key={date}>
                <td>{date}</td>
                <td class="number">{number(requests)}</td>
                <td class="number">{number(credits)}</td>
              </tr>
            ))}
            {usage.by_day.length === 0 && (
              <tr>
                <td colSpan={3} class="note">
                  No day yet.
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}
