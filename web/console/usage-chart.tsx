import { useAnswer } from '../api/answer.ts';
import { isSession, useToken } from '../shell/session.ts';
import { endpointWords } from './endpoint-words.ts';
import { GRANTS, type Grant } from './grant-list.tsx';

interface Sums {
  readonly requests: number;
  readonly credits: number;
}

/** The answer of GET /v1/users/me/usage. */
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
  readonly by_token: readonly (Sums & { readonly id: string | null })[];
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

/** Credits by day as bars. A table has the same numbers for screen readers. */
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
        <span>highest bar: {number(usage.by_day.length > 0 ? most : 0)} credits in a day</span>
        <span>{days.at(-1)}</span>
      </figcaption>
    </figure>
  );
}

/** Sums by what people call it, the dearest first. */
function byWords(endpoints: Usage['by_endpoint']): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const { endpoint, requests, credits } of endpoints) {
    const name = endpointWords(endpoint);
    const before = rows.get(name) ?? { key: name, name, requests: 0, credits: 0 };
    rows.set(name, { key: name, name, requests: before.requests + requests, credits: before.credits + credits });
  }
  return [...rows.values()].sort((a, b) => b.credits - a.credits);
}

/** Names of the tokens and agents that may act for the account now; none for a page that was opened with a token. */
function useGrantNames(): ReadonlyMap<string, string> {
  const token = useToken();
  const [answer] = useAnswer<{ readonly grants: readonly Grant[] }>(token !== null && isSession(token) ? GRANTS : null);
  if (answer.is !== 'here') return new Map();
  return new Map(
    answer.value.grants.map(({ id, kind, name }) => [id, name ?? (kind === 'mcp' ? 'An agent' : 'A token')]),
  );
}

/** What is said of one that was revoked, or whose name only its owner sees. */
const unnamed = (id: string) => `Token ${id.slice(0, 8)}…`;

/** The account's usage this month, by day, by endpoint and by token. */
export function UsageChart({ usage }: { readonly usage: Usage }) {
  const { plan, credits_used: used, effective_limit: limit, resets_at: resets } = usage;
  const names = useGrantNames();
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
      <p class="note">Requests that cost nothing, such as searches and enrichment, are not counted here.</p>
      <div class="tables">
        <UsageTable
          caption="By what was asked"
          first="What"
          rows={byWords(usage.by_endpoint)}
          none="Nothing that costs was asked yet."
        />
        <UsageTable
          caption="By token"
          first="Token, agent or device"
          rows={usage.by_token.map(({ id, ...used }) => ({
            key: id ?? '',
            name: id === null ? 'The console and other pages' : (names.get(id) ?? unnamed(id)),
            ...used,
          }))}
          none="Nothing that costs was asked yet."
        />
        <UsageTable
          caption="By day"
          first="Day (UTC)"
          rows={usage.by_day.toReversed().map(({ date, ...used }) => ({ key: date, name: date, ...used }))}
          none="No day yet."
        />
      </div>
    </section>
  );
}

interface UsageRow extends Sums {
  readonly key: string;
  readonly name: string;
}

function UsageTable({
  caption,
  first,
  rows,
  none,
}: {
  readonly caption: string;
  /** Heading of the names. */
  readonly first: string;
  readonly rows: readonly UsageRow[];
  /** Shown when there are no rows. */
  readonly none: string;
}) {
  const most = Math.max(1, ...rows.map(({ credits }) => credits));
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col" class="number">
            Requests
          </th>
          <th scope="col" class="number">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, requests, credits }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              <span class="usage-bar" aria-hidden="true">
                <span style={{ width: `${(100 * credits) / most}%` }} />
              </span>
            </th>
            <td class="number">{number(requests)}</td>
            <td class="number">{number(credits)}</td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={3} class="note">
              {none}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
