// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The way to an answer. */
export type AskTrace = {
  /** embedded, anthropic or openai. */
  readonly backend: string;
  /** What was planned, at most 15. */
  readonly fields_requested: readonly string[];
  readonly preset_expanded: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  /** Of the answer, each with the fields that it rests on. */
  readonly sentences: readonly {
    readonly text: string;
    readonly fields: readonly string[];
  }[];
  /** Sentences that no cited record supports, each with the reason; the answer says what the records say instead. */
  readonly dropped: readonly {
    readonly text: string;
    readonly reason: string;
  }[];
  /** Parts of the question, each with what became of it. */
  readonly parts: readonly {
    readonly text: string;
    /** `elsewhere`: it asks about another place or time, a set of places or a map. `unknown`: no field, or no value. */
    readonly status: 'answered' | 'unknown' | 'not_in_release' | 'elsewhere';
    /** Fields that answer it, best first. */
    readonly fields: readonly string[];
    /** Of the first of them that has one; null for none. */
    readonly value: unknown;
    readonly unit: string | null;
    readonly compared_to: {
      /** Share of these parcels whose value is smaller, at least. */
      readonly share: number;
      /** Share whose value is greater, at least. */
      readonly above: number;
      readonly of: 'county' | 'state' | 'release';
      readonly place: string | null;
      /** Parcels with a value. */
      readonly count: number;
      readonly citation: {
        readonly source: string;
        readonly source_url: string;
        readonly release: string;
      };
      /** The same in words: steeper than 84 percent of the parcels of the county. */
      readonly text: string;
    } | null;
    /** Words of it that no field is about. */
    readonly not_understood: readonly string[];
  }[];
  /** Up to three questions of the same matter that are answered for the same place. */
  readonly follow_ups: readonly string[];
  /** Requests that may answer what this answer does not; a body of null is left to the caller. */
  readonly next: readonly {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
  }[];
};

/** A source and what of the answer rests on it. */
export type Citation = {
  /** Identifier of the product that answered; each once. */
  readonly source: string;
  readonly source_url: string | null;
  readonly fields: readonly string[];
  /** When the oldest of its values was read or computed. */
  readonly fetched_at: string;
  /** The lowest of its records. */
  readonly confidence: string;
};

/** A planned field that has no value. */
export type DataGap = {
  readonly field: string;
  readonly status: 'absent' | 'failed';
  readonly reason: string;
};

/** A value of a parcel, with what it means for a decision. */
export type EnrichRecord = {
  /** Null when absent or failed. */
  readonly value: unknown;
  readonly unit: string | null;
  /** Identifier of the product that answered. */
  readonly source: string;
  readonly source_url: string | null;
  readonly confidence: string;
  /** When the value was read or computed; a cached value keeps its own. */
  readonly fetched_at: string;
  readonly dataset_vintage: string | null;
  /** How long a caller may keep an ok or absent entry. */
  readonly ttl_seconds: number;
  readonly notes: string | null;
  /** `ok`: there is a value; zero, false and an empty list are values. `absent`: the source has none here, `notes` says why. `failed`: it could not be read. */
  readonly status: 'ok' | 'absent' | 'failed';
  /** Only on failed entries. */
  readonly error?: string;
  /** Only on failed entries: whether trying again can help. */
  readonly retryable?: boolean;
  readonly interpretation_hints: string;
};

/** A refusal with its code, for programs, and a message for people. */
export type Error = {
  readonly detail: {
    readonly error: string;
    readonly message: string;
    readonly retryable: boolean;
  } & { readonly [name: string]: unknown };
};

/** A field of the catalog: what it means, where it comes from and what it costs. */
export type FieldMeta = {
  readonly name: string;
  readonly layer: string;
  readonly type: string;
  readonly unit: string | null;
  /** Step that its numbers are rounded to, in its unit; null where it is no number, or a whole one. */
  readonly precision: number | null;
  readonly title: string;
  readonly description: string;
  /** What the value means to someone who must act on it. */
  readonly hint: string;
  /** Everyday words for it; questions are matched with them. */
  readonly terms: readonly string[];
  readonly dataset: string;
  /** Every dataset it reads, directly or through other fields. */
  readonly datasets: readonly string[];
  readonly publisher: string;
  readonly licence: string;
  readonly source_url: string | null;
  /** The products that this release answers it from, as `source` of records names them; null for none. */
  readonly source: string | null;
  /** Of those products. */
  readonly vintage: string | null;
  /** Whether this release can answer it: every layer that it needs is there, and publishes what is read of it. */
  readonly installed: boolean;
  /** Why it cannot be answered, or why no parcel has a value; null elsewhere. */
  readonly why_not: string | null;
  /** Share of the parcels that have a value, 0 to 1, 4 decimals; null where nothing is stored for parcels, or where they are not counted yet. */
  readonly parcel_share: number | null;
  /** What the open release has of the layers it reads, 20 products at most; /v1/meta/coverage has all. */
  readonly in_release: readonly {
    /** `dataset:layer`. */
    readonly layer: string;
    /** The product itself, where it stands in for the layer. */
    readonly source: string;
    readonly publisher: string;
    readonly vintage: string;
    /** Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped. */
    readonly coverage: 'polygon' | 'extent' | 'everywhere';
    /** Why it stands in for the layer, or that it is synthetic. */
    readonly note: string | null;
    /** Places whose files it came with, 20 at most. */
    readonly places: readonly string[];
    readonly place_count: number;
  }[];
  /** The expression that computes it. */
  readonly operator: string;
  readonly ttl_seconds: number;
  /** Fetch presets that hold it. */
  readonly presets: readonly string[];
  readonly enrich_presets: readonly string[];
  /** Where the name is accepted: fetch, enrich, filter, output. */
  readonly surfaces: readonly string[];
  /** What its type allows in filters. */
  readonly filter_operators: readonly string[];
  /** Every value it can have, where the publisher has a closed list; null elsewhere. */
  readonly enum_values: readonly (string | number | boolean)[] | null;
  /** How its value decides a matter, as answers in words and the explorer judge; null for a field that decides none. Whatever the value, a mapped line nearer than the source is accurate puts it on the line: `notes` of the record says so. */
  readonly verdict: {
    /** Values that are a yes: `true`; `"any"` text; these classes; all but some; numbers from a limit on; numbers under one. All others are a no. */
    readonly yes:
      | true
      | 'any'
      | readonly (string | number)[]
      | {
          readonly except: readonly string[];
        }
      | {
          readonly from: number;
        }
      | {
          readonly under: number;
        };
    /** Values that leave it open, such as a zone that nobody has studied. */
    readonly open?: readonly (string | number)[];
    /** Numbers so near the limit are on the line, in the unit of the field. */
    readonly margin?: number;
    /** What is decided, as it follows "whether". Fields with the same matter decide the same. */
    readonly matter: string;
    /** Sentences that answer, without a full stop; `{value}` stands for the value with its unit. */
    readonly words: {
      readonly yes: string;
      readonly no: string;
    };
    /** What would settle it, as in "… would be needed to settle it". */
    readonly settled_by: string;
  } | null;
  readonly billing: {
    readonly group: string;
    /** Plan → credits. */
    readonly credits: { readonly [name: string]: number };
    readonly charged: string;
  };
};

/** One value with where it comes from, or why there is none. */
export type FieldRecord = {
  /** Null when absent or failed. */
  readonly value: unknown;
  readonly unit: string | null;
  /** Identifier of the product that answered. */
  readonly source: string;
  readonly source_url: string | null;
  readonly confidence: string;
  /** When the value was read or computed; a cached value keeps its own. */
  readonly fetched_at: string;
  readonly dataset_vintage: string | null;
  /** How long a caller may keep an ok or absent entry. */
  readonly ttl_seconds: number;
  readonly notes: string | null;
  /** `ok`: there is a value; zero, false and an empty list are values. `absent`: the source has none here, `notes` says why. `failed`: it could not be read. */
  readonly status: 'ok' | 'absent' | 'failed';
  /** Only on failed entries. */
  readonly error?: string;
  /** Only on failed entries: whether trying again can help. */
  readonly retryable?: boolean;
};

/** The way in which an address was found. */
export type GeocodeBlock = {
  readonly lat: number;
  readonly lng: number;
  /** Similarity 0 to 1, never below 0.8. Null from the fallback, which gives none. */
  readonly accuracy: number | null;
  /** How the coordinate was derived. */
  readonly accuracy_type: string;
  /** Further detail, such as `building_centroid`. */
  readonly match_type: string | null;
  /** The address that was matched: compare it with what was typed. */
  readonly normalized_address: string | null;
  /** Who answered: `other` is the geocoder of this installation. */
  readonly provider: 'commercial' | 'census' | 'other';
  /** Authority the coordinate came from. */
  readonly source: string | null;
  /** False when the coordinate is estimated on the street. */
  readonly parcel_grade: boolean;
  /** Only when `parcel_grade` is false. */
  readonly precision_note?: string;
};

/** A parcel that a location may be about. */
export type MatchedParcel = {
  /** Stays the same from release to release. */
  readonly parcel_id: string;
  readonly apn: string | null;
  readonly address: string | null;
  readonly source: string;
  readonly match_type: 'contains' | 'nearest' | 'address';
  /** From the location to the parcel; 0 inside it. */
  readonly match_distance_m: number;
};

/** The parcel that a location is about. */
export type ParcelMatch = {
  /** `matched`: one parcel. `ambiguous`: several, see `candidates`. `no_match`: none is there. `unavailable`: it is not known whether one is there, see `reason`. */
  readonly status: 'matched' | 'ambiguous' | 'no_match' | 'unavailable';
  readonly parcel: MatchedParcel | null;
  /** When ambiguous: by area, then key. */
  readonly candidates: readonly MatchedParcel[];
  readonly reason: string | null;
};

/** A field that could not be read. */
export type PartialFailure = {
  readonly field: string;
  readonly source: string;
  readonly error: string;
  readonly retryable: boolean;
};

/** The point that the answer is about. */
export type ResolvedLocation = {
  readonly lat: number;
  readonly lng: number;
  readonly source: 'coordinate' | 'address';
};

/** A request of the wrong shape: all its faults, each with its place. */
export type ShapeError = {
  readonly detail: readonly {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
    readonly input: unknown;
    readonly ctx: { readonly [name: string]: unknown };
  }[];
};

/** An API token, without its secret part. */
export type Token = {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  /** Noted every ten seconds; null before the first use. */
  readonly last_used_at: string | null;
  /** Whether it can be shown again: not after the secret that signs tokens was changed. */
  readonly recoverable: boolean;
  readonly status: 'active' | 'expired' | 'revoked';
};
