// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** What a text that is being typed may mean */
export interface Suggest {
  readonly input: {
    /** What was typed so far. It is written to no log. */
    readonly q: string;
    /** With `lng`: what is near comes first, WGS84 degrees. */
    readonly lat?: string;
    readonly lng?: string;
    /** What is looked for, with commas between: address, parcel, owner, street, place. All by default. */
    readonly kinds?: string;
    /** 1 to 10; 5 by default. */
    readonly limit?: string;
  };
  readonly answer: {
    /** The best first. */
    readonly suggestions: readonly {
      readonly kind: 'address' | 'parcel' | 'owner' | 'street' | 'place';
      readonly text: string;
      readonly lat: number;
      readonly lng: number;
      /** As enrichment answers it there; absent where no one parcel is meant. */
      readonly parcel_id?: string;
      /** Identifier of the product that names it. */
      readonly source: string;
    }[];
  };
}
