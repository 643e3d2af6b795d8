import type { Settings } from '../../query/engine/settings.ts';

/** Aerial pictures of another server that the map may show. */
export interface Imagery {
  /** With {z}, {x} and {y}. */
  readonly tiles: string;
  /** Of the only other server that pages may ask. */
  readonly origin: string;
  /** Whom the map names for them; empty for nobody. */
  readonly credit: string;
}

/** The pictures that the settings name; null where they name none. */
export function imageryOf({ imagery, imageryCredit }: Pick<Settings, 'imagery' | 'imageryCredit'>): Imagery | null {
  return imagery === '' ? null : { tiles: imagery, origin: new URL(imagery).origin, credit: imageryCredit };
}
