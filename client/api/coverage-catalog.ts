// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** By county: which layers, from whom, how old */
export interface CoverageCatalog {
  readonly input: {
    /** Two-letter code: this state alone. */
    readonly state?: string;
    /** FIPS code: this county alone. */
    readonly county?: string;
    /** This dataset alone. */
    readonly dataset?: string;
    /** `next_after` of the page before. */
    readonly after?: string;
    /** Counties of a page, 1 to 100; 100 by default. */
    readonly limit?: string;
  };
  readonly answer: {
    readonly release: string | null;
    /** Files of the whole country. */
    readonly national: readonly {
      readonly dataset: string;
      readonly layer: string;
      /** Place whose file it is. */
      readonly place: string;
      /** The product, as `source` of records names it. */
      readonly source: string;
      readonly title: string;
      readonly publisher: string;
      readonly url: string | null;
      readonly licence: string;
      readonly vintage: string;
      readonly retrieved_at: string;
      /** Days since it was retrieved. */
      readonly age_days: number;
      readonly rows: number;
      /** Rows of a parcel file that are roads, water or other ground and no parcels; not among the rows. */
      readonly ground?: number;
      /** Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped. */
      readonly coverage: 'polygon' | 'extent' | 'everywhere';
      /** West, south, east, north of what it holds; null for a table. */
      readonly box: readonly number[] | null;
      /** Where the file was cut to the county: west, south, east, north of the box about it in which everything is held. Beyond it the nearest of a place is not known. */
      readonly reach?: readonly number[];
      /** Why another product answers, or that the data is synthetic. */
      readonly note: string | null;
      readonly synthetic: boolean;
    }[];
    readonly statewide: readonly {
      readonly state: string;
      readonly dataset: string;
      readonly layer: string;
      /** Place whose file it is. */
      readonly place: string;
      /** The product, as `source` of records names it. */
      readonly source: string;
      readonly title: string;
      readonly publisher: string;
      readonly url: string | null;
      readonly licence: string;
      readonly vintage: string;
      readonly retrieved_at: string;
      /** Days since it was retrieved. */
      readonly age_days: number;
      readonly rows: number;
      /** Rows of a parcel file that are roads, water or other ground and no parcels; not among the rows. */
      readonly ground?: number;
      /** Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped. */
      readonly coverage: 'polygon' | 'extent' | 'everywhere';
      /** West, south, east, north of what it holds; null for a table. */
      readonly box: readonly number[] | null;
      /** Where the file was cut to the county: west, south, east, north of the box about it in which everything is held. Beyond it the nearest of a place is not known. */
      readonly reach?: readonly number[];
      /** Why another product answers, or that the data is synthetic. */
      readonly note: string | null;
      readonly synthetic: boolean;
    }[];
    /** By FIPS code. */
    readonly counties: readonly {
      readonly county_fips: string;
      readonly state: string;
      readonly places: readonly string[];
      readonly layers: readonly {
        readonly dataset: string;
        readonly layer: string;
        /** Place whose file it is. */
        readonly place: string;
        /** The product, as `source` of records names it. */
        readonly source: string;
        readonly title: string;
        readonly publisher: string;
        readonly url: string | null;
        readonly licence: string;
        readonly vintage: string;
        readonly retrieved_at: string;
        /** Days since it was retrieved. */
        readonly age_days: number;
        readonly rows: number;
        /** Rows of a parcel file that are roads, water or other ground and no parcels; not among the rows. */
        readonly ground?: number;
        /** Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped. */
        readonly coverage: 'polygon' | 'extent' | 'everywhere';
        /** West, south, east, north of what it holds; null for a table. */
        readonly box: readonly number[] | null;
        /** Where the file was cut to the county: west, south, east, north of the box about it in which everything is held. Beyond it the nearest of a place is not known. */
        readonly reach?: readonly number[];
        /** Why another product answers, or that the data is synthetic. */
        readonly note: string | null;
        readonly synthetic: boolean;
      }[];
      /** Parcels that were left out when the county was ingested, by reason: no search finds them. Null where they could not be counted. */
      readonly parcels_rejected:
        | readonly {
            readonly reason: string;
            readonly parcels: number;
          }[]
        | null;
    }[];
    /** Null on the last page. */
    readonly next_after: string | null;
  };
}
