import { mixed, randomOf } from './scheduler.ts';
import { FIELDS } from './world.ts';

export const SERVERS = 3;
export const ACCOUNTS = 3;
/** One that publishes, and those that follow it. */
export const HOMES = 3;
/** Steps in which things go wrong. After them all is well, and everything has to come to its end. */
export const STORMY_STEPS = 1_000;

/** What becomes of a message and of its answer. */
export type Fate = 'arrives' | 'is lost' | 'is not answered' | 'arrives twice';

/** Something that a client wants. */
export interface Ask {
  /** Its number, which says where its places lie. */
  readonly n: number;
  readonly kind: 'batch' | 'run' | 'request' | 'export';
  readonly account: number;
  /** Idempotency key. Clients of different accounts use the same ones, and one uses some twice. */
  readonly key: string | null;
  readonly places: number;
  readonly fields: readonly string[];
}

/** Something that happens at a step. */
export type PlanEvent = { readonly step: number; readonly server: number } & (
  | { readonly what: 'ask'; readonly ask: Ask; readonly fates: readonly Fate[] }
  | { readonly what: 'balance'; readonly account: number }
  | { readonly what: 'peek'; readonly account: number; readonly nth: number }
  | { readonly what: 'block'; readonly nth: number }
  | { readonly what: 'release' | 'lost callbacks' }
  | { readonly what: 'kill of a home'; readonly home: number }
  | { readonly what: 'operator'; readonly nth: number; readonly does: 'cancel' | 'retry' | 'look' | 'add' }
  | { readonly what: 'kill' | 'pause' | 'full disk' | 'broken connection'; readonly steps: number }
  | { readonly what: 'stop'; readonly ms: number; readonly steps: number }
  | { readonly what: 'jump'; readonly ms: number; readonly steps: number }
  | { readonly what: 'leap'; readonly ms: number }
);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What a seed says, in the order in which it happens. */
export function planOf(seed: number): PlanEvent[] {
  const random = randomOf(mixed(seed, 0x9a));
  const below = (most: number) => Math.floor(random() * most);
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const chance = (p: number) => random() < p;
  const events: PlanEvent[] = [];
  const often = (most: number, make: (at: { step: number; server: number }) => PlanEvent) => {
    for (let left = 1 + below(most); left > 0; left--)
      events.push(make({ step: 60 + below(STORMY_STEPS - 200), server: below(SERVERS) }));
  };
  const wrong = (p: number, most: number, make: (at: { step: number; server: number }) => PlanEvent) => {
    if (chance(p)) often(most, make);
  };

  const messages = chance(0.5) ? 0.35 : 0;
  const fate = (): Fate => (chance(messages) ? one(['is lost', 'is not answered', 'arrives twice']) : 'arrives');
  for (let n = 0; n < 32; n++) {
    const kind = one(['batch', 'batch', 'run', 'run', 'request', 'request', 'export'] as const);
    const ask: Ask = {
      n,
      kind,
      account: below(ACCOUNTS),
      key: chance(0.75) ? `key-${String(chance(0.3) ? below(6) : 100 + n).padStart(8, '0')}` : null,
      places: 1 + below(3),
      fields: FIELDS.slice(0, 1 + below(FIELDS.length)),
    };
    const fates = [fate(), fate(), fate()];
    events.push({ step: 60 + below(STORMY_STEPS - 300), server: below(SERVERS), what: 'ask', ask, fates });
  }
  often(4, at => ({ ...at, what: 'balance', account: below(ACCOUNTS) }));
  often(4, at => ({ ...at, what: 'peek', account: below(ACCOUNTS), nth: below(50) }));
  for (let i = 0; i < 8; i++)
    events.push({ step: 400 + below(STORMY_STEPS - 450), server: below(SERVERS), what: 'block', nth: below(50) });
  often(3, at => ({ ...at, what: 'release' }));
  wrong(0.4, 4, at => ({ ...at, what: 'kill of a home', home: below(HOMES) }));
  wrong(0.3, 3, at => ({ ...at, what: 'operator', nth: below(50), does: one(['cancel', 'retry', 'look']) }));
  wrong(0.5, 4, at => ({ ...at, what: 'kill', steps: 10 + below(150) }));
  wrong(0.4, 3, at => ({ ...at, what: 'pause', steps: 20 + below(200) }));
  wrong(0.25, 2, at => ({ ...at, what: 'full disk', steps: 10 + below(80) }));
  wrong(0.25, 2, at => ({ ...at, what: 'broken connection', steps: 10 + below(80) }));
  wrong(0.4, 1, at => ({ ...at, what: 'lost callbacks' }));
  wrong(0.25, 2, at => ({
    ...at,
    what: 'jump',
    ms: one([-1, 1]) * one([5 * SECOND, 40 * SECOND, 10 * MINUTE, HOUR]),
    steps: 50 + below(400),
  }));
  wrong(0.5, 4, at => ({ ...at, what: 'leap', ms: one([5, 16, 31, 45, 100]) * SECOND }));
  wrong(0.15, 1, at => ({ ...at, what: 'leap', ms: one([1, 26]) * HOUR }));
  wrong(0.4, 3, at => ({ ...at, what: 'stop', ms: one([0, 500, 20 * SECOND]), steps: 10 + below(100) }));
  wrong(0.3, 4, at => ({ ...at, what: 'operator', nth: below(50), does: one(['add', 'add', 'look', 'retry']) }));
  // A server sleeps longer than it may hold credits, and the account spends them at another one meanwhile.
  if (chance(0.3)) {
    const [account, server, step] = [below(ACCOUNTS), below(SERVERS), 60 + below(STORMY_STEPS - 400)];
    const big = { kind: 'batch', account, places: 3, fields: FIELDS } as const;
    const held = { ...big, n: 32, key: 'key-of-a-sleeper' };
    events.push({ step, server, what: 'ask', ask: held, fates: ['arrives'] });
    events.push({ step: step + 20 + below(60), server, what: 'pause', steps: 200 });
    events.push({ step: step + 90, server, what: 'leap', ms: 160 * SECOND });
    for (let n = 33; n < 38; n++) {
      const ask = { ...big, n, key: null };
      events.push({ step: step + 91, server: (server + 1) % SERVERS, what: 'ask', ask, fates: ['arrives'] });
    }
  }
  return events.sort((a, b) => a.step - b.step);
}

/** An event in words. */
export function wordsOf(event: PlanEvent): string {
  const { step, server, what } = event;
  const at = `step ${step}, server ${server}: `;
  switch (what) {
    case 'ask': {
      const { n, kind, account, key, places, fields } = event.ask;
      const how = event.fates.filter(fate => fate !== 'arrives').join(', then ');
      return `${at}account ${account} sends ${kind} ${n} of ${places} places with ${fields.length} fields${key ? ` under ${key}` : ''}${how && `, which ${how}`}`;
    }
    case 'balance':
      return `${at}account ${event.account} asks for its credits`;
    case 'peek':
      return `${at}account ${event.account} asks for run ${event.nth} of anybody`;
    case 'block':
      return `${at}field request ${event.nth} is blocked`;
    case 'release':
      return `${at}a release is published`;
    case 'lost callbacks':
      return `${at}callbacks get lost from now on`;
    case 'kill of a home':
      return `${at}home ${event.home} is killed`;
    case 'operator':
      return `${at}an operator does this to job ${event.nth}: ${event.does}`;
    case 'stop':
      return `${at}it is stopped within ${event.ms} ms, and started after ${event.steps} steps`;
    case 'jump':
      return `${at}the clock jumps by ${event.ms} ms for ${event.steps} steps`;
    case 'leap':
      return `${at}${event.ms} ms pass for all of them`;
    default:
      return `${at}${what} for ${event.steps} steps`;
  }
}
