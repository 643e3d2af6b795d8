import type { AppServices } from '../../../server/app-services.ts';

/** Services whose asynchronous calls end at gates. */
export interface Gates {
  /** Puts gates around what is built of services. */
  readonly between: (services: AppServices) => AppServices;
  /** Puts gates around one service. */
  readonly around: <T extends object>(service: T) => T;
  /** What happens at a gate, before whoever waits for the call goes on; null while calls pass. */
  reached: (() => Promise<void> | undefined) | null;
  /** Calls that have not ended. */
  running: number;
}

/** What makes no asynchronous calls, or is looked into by its identity. */
const PLAIN: ReadonlySet<PropertyKey> = new Set([
  'catalog',
  'limits',
  'logger',
  'metrics',
  'memory',
  'clock',
  'outliving',
]);
const BUILT_IN: ReadonlySet<unknown> = new Set([Array, Map, Set, Date, Buffer, RegExp, Uint8Array, URL, AbortSignal]);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isService = (value: unknown): value is object => isObject(value) && !BUILT_IN.has(value.constructor);
/** An object with functions of its own, such as an address that was opened. */
const isAnswering = (value: unknown): value is object =>
  isObject(value) && value.constructor === Object && Object.values(value).some(one => typeof one === 'function');

/** Makes gates: a promise that a service gives out settles when `reached` has said so, and so does each step of an iteration. */
export function openGates(): Gates {
  const ended = async <T>(work: PromiseLike<T>): Promise<T> => {
    gates.running++;
    try {
      return through(await work) as T;
    } finally {
      await gates.reached?.();
      gates.running--;
    }
  };
  async function* stepped(steps: AsyncIterable<unknown>) {
    for await (const step of steps) {
      await gates.reached?.();
      yield step;
    }
  }
  const through = (result: unknown): unknown => {
    if (!isObject(result)) return result;
    if ('then' in result) return ended(result as PromiseLike<unknown>);
    if (Symbol.asyncIterator in result) return stepped(result as AsyncIterable<unknown>);
    return isAnswering(result) ? gated(result) : result;
  };
  const seen = new WeakMap<object, object>();
  const gated = <T extends object>(target: T): T => {
    const proxy =
      seen.get(target) ??
      new Proxy(target, {
        get(_, key) {
          const value: unknown = Reflect.get(target, key, target);
          if (typeof value === 'function') return (...args: unknown[]) => through(Reflect.apply(value, target, args));
          return isService(value) ? gated(value) : value;
        },
      });
    seen.set(target, proxy);
    return proxy as T;
  };
  const gates: Gates = {
    between: services =>
      Object.fromEntries(
        Object.entries(services).map(([name, one]) => [name, isService(one) && !PLAIN.has(name) ? gated(one) : one]),
      ) as unknown as AppServices,
    around: gated,
    reached: null,
    running: 0,
  };
  return gates;
}
