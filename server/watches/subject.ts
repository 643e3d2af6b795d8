import type { SearchServices } from '../search/operation.ts';

/** How many parcels a question of sets may judge, and how large its areas may be. */
export type SetLimits = Omit<SearchServices, 'cursors'>;

/** What a watch is about, as JSON that is stored with it: nothing of it is looked up or driven for again. */
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
