import type { Catalog } from '../datasets/catalog.ts';
import type { Expression } from '../datasets/expression.ts';
import type { Context } from './context.ts';
import type { Finding } from './finding.ts';
import type { Layers } from './layer.ts';

/** Everything an operator's bulk form sees: many points of one release, near one another (Hilbert order). */
export interface Batch {
  readonly catalog: Catalog;
  readonly layers: Layers;
  /** One context a point: its own memo, so that both forms share what was found. Points are `contexts[i].point`. */
  readonly contexts: readonly Context[];
  /** lng,lat box of all points: west, south, east, north in degrees. */
  readonly box: readonly [number, number, number, number];
  /** As Context.check. */
  check(): void;
  /** The first computation under a key, kept for the batch; faults are kept too. */
  memo<T>(key: string, compute: () => Promise<T>): Promise<T>;
  /** Tells every point what its own memo would find under a key; undefined leaves a point to find out. */
  tell(key: string, values: readonly unknown[]): void;
  /** Another field at every point. Never rejects but with Interrupted. */
  field(name: string): Promise<readonly Finding[]>;
  /** A nested call at every point. Never rejects but with Interrupted. */
  call(call: Expression): Promise<readonly Finding[]>;
}
