import type { SearchServices } from '../search/operation.ts';

/** Bounds of a question of sets: parcels that it may judge, and the size of its areas. */
export type SetLimits = Omit<SearchServices, 'cursors'>;

/** Subject of a watch as the JSON that is stored with it. Nothing of it is looked up or driven for again. */
export type WatchSubject =
  | {
      readonly of: 'site';
      readonly siteId: string;
      /** GeoJSON text of its polygon: the watch goes on when the site has expired. */
      readonly geometry: string;
    }
  | {
      readonly of: 'parcels';
      /** Each with the key of its county. */
      readonly parcels: readonly { readonly id: string; readonly county: string }[];
      readonly limits: SetLimits;
    }
  | {
      readonly of: 'search';
      /** As they were sent, their areas made. */
      readonly filters: readonly unknown[];
      readonly limits: SetLimits;
    };
