// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

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
  /** Sentences that no cited record supports. */
  readonly dropped: readonly {
    readonly text: string;
    readonly reason: string;
  }[];
};

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

export type DataGap = {
  readonly field: string;
  readonly status: 'absent' | 'failed';
  readonly reason: string;
};

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
  readonly status: 'ok' | 'absent' | 'failed';
  /** Only on failed entries. */
  readonly error?: string;
  /** Only on failed entries: whether trying again can help. */
  readonly retryable?: boolean;
  readonly interpretation_hints: string;
};

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
  readonly vintage: string | null;
  /** Whether the open release holds every layer it reads. */
  readonly installed: boolean;
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
  readonly billing: {
    readonly group: string;
    /** Plan → credits. */
    readonly credits: { readonly [name: string]: number };
    readonly charged: string;
  };
};

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
  readonly status: 'ok' | 'absent' | 'failed';
  /** Only on failed entries. */
  readonly error?: string;
  /** Only on failed entries: whether trying again can help. */
  readonly retryable?: boolean;
};

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

export type ParcelMatch = {
  readonly status: 'matched' | 'ambiguous' | 'no_match' | 'unavailable';
  readonly parcel: MatchedParcel | null;
  /** When ambiguous: by area, then key. */
  readonly candidates: readonly MatchedParcel[];
  readonly reason: string | null;
};

export type PartialFailure = {
  readonly field: string;
  readonly source: string;
  readonly error: string;
  readonly retryable: boolean;
};

export type ResolvedLocation = {
  readonly lat: number;
  readonly lng: number;
  readonly source: 'coordinate' | 'address';
};

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

/** Every code that a refusal may have. */
export type ErrorCode =
  | 'access_denied'
  | 'account_store_misconfigured'
  | 'address_form_unsupported'
  | 'address_not_found'
  | 'address_too_coarse'
  | 'ask_answer_incomplete'
  | 'ask_busy'
  | 'ask_question_refused'
  | 'ask_timeout'
  | 'ask_upstream_error'
  | 'ask_upstream_rate_limited'
  | 'ask_upstream_unreachable'
  | 'auth_expired'
  | 'auth_invalid'
  | 'auth_malformed'
  | 'auth_method_not_allowed'
  | 'auth_missing'
  | 'auth_revoked'
  | 'authorization_pending'
  | 'batch_in_progress'
  | 'body_too_large'
  | 'changes_cursor_invalid'
  | 'changes_unavailable'
  | 'connect_code_expired'
  | 'connect_code_not_found'
  | 'connect_code_used'
  | 'context_blob_too_large'
  | 'coord_out_of_bounds'
  | 'credits_exhausted'
  | 'device_login_unavailable'
  | 'device_logins_limited'
  | 'email_unverified'
  | 'expired_token'
  | 'fetch_busy'
  | 'field_request_not_found'
  | 'field_requests_unavailable'
  | 'fields_too_many'
  | 'fields_unknown'
  | 'geocode_budget_exhausted'
  | 'geocode_busy'
  | 'geocode_forbidden'
  | 'geocode_timeout'
  | 'geocode_unconfigured'
  | 'geocode_upstream_error'
  | 'headers_too_large'
  | 'idempotency_key_reused'
  | 'invalid_geometry'
  | 'invalid_locator'
  | 'invalid_payload'
  | 'invalid_request'
  | 'location_out_of_bounds'
  | 'location_unresolved'
  | 'malformed_request'
  | 'no_fields_requested'
  | 'no_road'
  | 'not_ready'
  | 'onboarding_attempt_not_found'
  | 'provider_not_allowed'
  | 'proximity_budget_exhausted'
  | 'proximity_busy'
  | 'proximity_data_unavailable'
  | 'proximity_deadline_exceeded'
  | 'proximity_request_exceeds_budget_share'
  | 'proximity_unconfigured'
  | 'rate_limited'
  | 'release_not_kept'
  | 'request_timeout'
  | 'resolve_busy'
  | 'resolve_coord_bounds'
  | 'resolve_invalid_input'
  | 'resolve_timeout'
  | 'run_failed'
  | 'run_not_found'
  | 'run_not_ready'
  | 'search_invalid_request'
  | 'search_limit_exceeded'
  | 'search_unavailable'
  | 'shed_too_large'
  | 'sign_in_unavailable'
  | 'site_failed'
  | 'site_not_found'
  | 'site_not_ready'
  | 'sites_busy'
  | 'slow_down'
  | 'state_unavailable'
  | 'terms_outdated'
  | 'token_not_active'
  | 'token_not_found'
  | 'token_not_recoverable'
  | 'tokens_too_many'
  | 'unknown_set'
  | 'unresolvable_input'
  | 'unsupported_media_type'
  | 'upstream_auth'
  | 'upstream_error'
  | 'upstream_transient'
  | 'user_disabled'
  | 'worker_stopped';

/** What every operation takes and answers. */
export interface Operations {
  /** A question about one place, answered with citations */
  readonly ask: {
    readonly input: {
      /** In plain language, English or Spanish; answered in English. */
      readonly question: string;
      /** Latitude in WGS84 degrees; together with `lng`. */
      readonly lat?: number | null;
      /** Longitude in WGS84 degrees; together with `lat`. */
      readonly lng?: number | null;
      /** Street address, instead of a coordinate. */
      readonly address?: string | null;
      /** Adds `trace`; default false. */
      readonly include_trace?: boolean;
    };
    readonly answer: {
      readonly lat: number;
      readonly lng: number;
      readonly question: string;
      readonly answered_at: string;
      readonly answer: string;
      readonly confidence: 'high' | 'medium' | 'low';
      readonly citations: readonly Citation[];
      /** Fields with a value that the answer rests on. */
      readonly fields_used: readonly string[];
      /** Planned fields without a value, each with the reason. */
      readonly data_gaps: readonly DataGap[];
      readonly resolved_location: ResolvedLocation;
      readonly geocode?: GeocodeBlock;
      readonly trace?: AskTrace;
    };
  };
  /** A question about a registered site */
  readonly askSite: {
    readonly input: {
      /** Of POST /v1/sites. */
      readonly site_id: string;
      /** In plain language, English or Spanish; answered in English. */
      readonly question: string;
    };
    readonly answer: {
      readonly site_id: string;
      readonly question: string;
      readonly answered_at: string;
      readonly answer: string;
      readonly confidence: 'high' | 'medium' | 'low';
      readonly citations: readonly Citation[];
      /** Fields with a value that the answer rests on. */
      readonly fields_used: readonly string[];
      /** Planned fields without a value, each with the reason. */
      readonly data_gaps: readonly DataGap[];
    };
  };
  /** The same, as it is written */
  readonly askStream: {
    readonly input: {
      /** In plain language, English or Spanish; answered in English. */
      readonly question: string;
      /** Latitude in WGS84 degrees; together with `lng`. */
      readonly lat?: number | null;
      /** Longitude in WGS84 degrees; together with `lat`. */
      readonly lng?: number | null;
      /** Street address, instead of a coordinate. */
      readonly address?: string | null;
      /** Adds `trace`; default false. */
      readonly include_trace?: boolean;
    };
    readonly answer: string;
  };
  /** Accept the terms and get a connect code for an agent */
  readonly beginOnboarding: {
    readonly input: {
      readonly terms_version: string;
      readonly terms_sha256: string;
    };
    readonly answer: {
      readonly attempt_id: string;
      /** A secret, good once within 15 minutes. It is in this answer alone. */
      readonly connect_code: string;
      /** Of the code. */
      readonly expires_at: string;
    };
  };
  /** Set what the account may spend a month */
  readonly change_settings: {
    readonly input: {
      /** Credits a month that the account allows itself; it tightens the plan's allowance and never widens it. 0 stops all that costs, null takes the limit off. */
      readonly monthly_credit_limit: number | null;
    };
    readonly answer: {
      readonly settings: {
        /** Credits a month that the account allows itself; it tightens the plan's allowance and never widens it. 0 stops all that costs, null takes the limit off. */
        readonly monthly_credit_limit: number | null;
      };
    };
  };
  /** What changed since a release */
  readonly changes: {
    readonly input: {
      /** A release that is kept: `release` of an answer from then, or one that `release_not_kept` lists. */
      readonly since: string;
      /** Two-letter code: what is of this state, and of the country. */
      readonly state?: string;
      /** Attributes and calculations of parcels with commas between, 50 at most. Without them only layers are told. */
      readonly fields?: string;
      /** Parcels of a page, 1 to 1000; 100 by default. */
      readonly limit?: string;
      /** `next_cursor` of the page before; valid one hour. */
      readonly cursor?: string;
    };
    readonly answer: {
      readonly since: string;
      /** The later release: `since` of the next time. */
      readonly release: string;
      /** Layers whose rows differ, once each over all pages. */
      readonly layers: readonly {
        readonly dataset: string;
        readonly layer: string;
        readonly added: number;
        readonly removed: number;
        /** Rows of the same key with other values or another shape. A raster counts as one row. */
        readonly changed: number;
      }[];
      readonly parcels: readonly {
        /** Never given to another parcel. */
        readonly parcel_key: string;
        readonly state: string;
        readonly county_fips: string;
        readonly change: 'added' | 'removed' | 'changed';
        /** The fields that differ. Null on the side whose release does not have the parcel. */
        readonly fields: {
          readonly [name: string]: {
            readonly before: {
              /** Null unless the status is `ok`. */
              readonly value: unknown;
              readonly status: 'ok' | 'absent' | 'failed';
            } | null;
            readonly after: {
              /** Null unless the status is `ok`. */
              readonly value: unknown;
              readonly status: 'ok' | 'absent' | 'failed';
            } | null;
          };
        };
      }[];
      /** What could not be compared, and why. */
      readonly gaps: readonly {
        readonly dataset: string;
        readonly layer: string;
        readonly partition: string;
        readonly field: string | null;
        readonly reason: string;
      }[];
      readonly next_cursor: string | null;
    };
  };
  /** By county: which layers, from whom, how old */
  readonly coverageCatalog: {
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
        /** Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped. */
        readonly coverage: 'polygon' | 'extent' | 'everywhere';
        /** West, south, east, north of what it holds; null for a table. */
        readonly box: readonly number[] | null;
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
        /** Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped. */
        readonly coverage: 'polygon' | 'extent' | 'everywhere';
        /** West, south, east, north of what it holds; null for a table. */
        readonly box: readonly number[] | null;
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
          /** Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped. */
          readonly coverage: 'polygon' | 'extent' | 'everywhere';
          /** West, south, east, north of what it holds; null for a table. */
          readonly box: readonly number[] | null;
          /** Why another product answers, or that the data is synthetic. */
          readonly note: string | null;
          readonly synthetic: boolean;
        }[];
      }[];
      /** Null on the last page. */
      readonly next_after: string | null;
    };
  };
  /** Create an API token */
  readonly create_token: {
    readonly input: {
      /** What it is for. No control characters. */
      readonly name?: string;
      /** Default 90. */
      readonly expires_in_days?: number;
    };
    readonly answer: {
      readonly id: string;
      readonly name: string | null;
      readonly created_at: string;
      readonly expires_at: string;
      /** Noted every ten seconds; null before the first use. */
      readonly last_used_at: string | null;
      /** Whether it can be shown again: not after the secret that signs tokens was changed. */
      readonly recoverable: boolean;
      readonly status: 'active' | 'expired' | 'revoked';
      /** Keep it secret: it can do what the account can. */
      readonly token: string;
    };
  };
  /** Everything known of one parcel */
  readonly enrich: {
    readonly input: {
      /** Latitude in WGS84 degrees; together with `lng`. */
      readonly lat?: number | null;
      /** Longitude in WGS84 degrees; together with `lat`. */
      readonly lng?: number | null;
      /** Street address, instead of a coordinate. */
      readonly address?: string | null;
      /** Enrich field ids; as many as are wanted. */
      readonly fields?: readonly string[] | null;
      /** A named list of fields; `fields` are added to it. Without either all fields are answered. */
      readonly preset?:
        | 'parcel'
        | 'zoning'
        | 'buildings'
        | 'valuation'
        | 'legal'
        | 'power'
        | 'access'
        | 'water'
        | 'terrain'
        | 'environment'
        | 'climate'
        | 'hazards'
        | 'market'
        | 'constraints'
        | null;
    };
    readonly answer: {
      readonly lat: number;
      readonly lng: number;
      readonly fetched_at: string;
      readonly resolved_location: ResolvedLocation;
      readonly geocode?: GeocodeBlock;
      readonly analysis_point: {
        readonly lat: number;
        readonly lng: number;
        readonly method: 'stored_parcel_centroid' | 'input_fallback';
        readonly source: string;
      } | null;
      readonly parcel_match: ParcelMatch;
      /** In the order of the presets, whatever the order of the request. Empty unless the parcel matched. */
      readonly fields: { readonly [name: string]: EnrichRecord };
      readonly partial_failures: readonly PartialFailure[];
    };
  };
  /** Exchange a connect code for an API token */
  readonly exchangeConnectCode: {
    readonly input: {
      readonly connect_code: string;
    };
    readonly answer: {
      readonly attempt_id: string;
      /** An API token of the account. */
      readonly token: string;
      readonly token_id: string;
      /** Of the token. */
      readonly expires_at: string;
    };
  };
  /** Named fields at one location */
  readonly fetch: {
    readonly input: {
      /** Latitude in WGS84 degrees; together with `lng`. */
      readonly lat?: number | null;
      /** Longitude in WGS84 degrees; together with `lat`. */
      readonly lng?: number | null;
      /** Street address, instead of a coordinate. */
      readonly address?: string | null;
      /** Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion. */
      readonly fields?: readonly string[] | null;
      /** A named list of fields; expanded before `fields` are added. */
      readonly preset?:
        | 'terrain'
        | 'flood_risk'
        | 'wildfire_underwrite'
        | 'land_cover'
        | 'site_selection'
        | 'building_lookup'
        | 'points_of_interest'
        | 'utilities'
        | 'boundaries'
        | 'solar_siting'
        | 'wind_siting'
        | 'storage_siting'
        | 'data_center_siting'
        | 'grid_interconnect'
        | 'natural_hazard'
        | null;
    };
    readonly answer: {
      readonly lat: number;
      readonly lng: number;
      readonly fetched_at: string;
      readonly fields: { readonly [name: string]: FieldRecord };
      readonly partial_failures: readonly PartialFailure[];
      readonly resolved_location: ResolvedLocation;
      readonly geocode?: GeocodeBlock;
    };
  };
  /** Named fields at 1 to 25 locations */
  readonly fetchBatch: {
    readonly input: {
      /** Places, each as `lat` and `lng` or as `address`. */
      readonly locations: readonly {
        /** Latitude in WGS84 degrees; together with `lng`. */
        readonly lat?: number | null;
        /** Longitude in WGS84 degrees; together with `lat`. */
        readonly lng?: number | null;
        /** Street address, instead of a coordinate. */
        readonly address?: string | null;
      }[];
      /** Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion. */
      readonly fields?: readonly string[] | null;
      /** A named list of fields; expanded before `fields` are added. */
      readonly preset?:
        | 'terrain'
        | 'flood_risk'
        | 'wildfire_underwrite'
        | 'land_cover'
        | 'site_selection'
        | 'building_lookup'
        | 'points_of_interest'
        | 'utilities'
        | 'boundaries'
        | 'solar_siting'
        | 'wind_siting'
        | 'storage_siting'
        | 'data_center_siting'
        | 'grid_interconnect'
        | 'natural_hazard'
        | null;
    };
    readonly answer: {
      readonly fetched_at: string;
      /** `results[i]` answers `locations[i]`. */
      readonly results: readonly (
        | {
            readonly index: number;
            readonly ok: true;
            readonly lat: number;
            readonly lng: number;
            readonly fetched_at: string;
            readonly fields: { readonly [name: string]: FieldRecord };
            readonly partial_failures: readonly PartialFailure[];
            readonly resolved_location: ResolvedLocation;
            readonly geocode?: GeocodeBlock;
          }
        | {
            readonly index: number;
            readonly ok: false;
            readonly error: {
              readonly error: string;
              readonly message: string;
              readonly retryable: boolean;
            };
          }
      )[];
      /** Only on a stored result; it costs nothing. */
      readonly replayed?: true;
    };
  };
  /** What a fetch or batch would cost */
  readonly fetchQuote: {
    readonly input: {
      /** Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion. */
      readonly fields?: readonly string[] | null;
      /** A named list of fields; expanded before `fields` are added. */
      readonly preset?:
        | 'terrain'
        | 'flood_risk'
        | 'wildfire_underwrite'
        | 'land_cover'
        | 'site_selection'
        | 'building_lookup'
        | 'points_of_interest'
        | 'utilities'
        | 'boundaries'
        | 'solar_siting'
        | 'wind_siting'
        | 'storage_siting'
        | 'data_center_siting'
        | 'grid_interconnect'
        | 'natural_hazard'
        | null;
      /** How many locations, a count and not a list; 1 when it is not given. */
      readonly locations?: number;
    };
    readonly answer: {
      /** Resolved names: the preset, then `fields`, each once. */
      readonly fields: readonly string[];
      readonly field_count: number;
      readonly preset: string | null;
      readonly locations: number;
      readonly plan: string;
      readonly credits_per_location: number;
      readonly credits_total: number;
      readonly breakdown: {
        readonly per_field: {
          /** Fields a location that are charged one by one. */
          readonly fields: number;
          readonly credits_each: number;
          /** Over all locations. */
          readonly credits: number;
        };
        readonly metered_groups: {
          readonly parcel_record: {
            /** Fields a location that are charged as a group. */
            readonly fields: number;
            /** Over all locations. */
            readonly credits: number;
            /** Whether the group is part of the total. */
            readonly billed: boolean;
          };
        };
      };
      readonly allowance: {
        /** Of the plan, a calendar month. */
        readonly credits_included: number;
        /** With what running requests have reserved. */
        readonly credits_used: number;
        /** Of the included ones. */
        readonly credits_remaining: number;
        readonly self_imposed_limit: number | null;
        /** The tighter of the plan's and the account's own limit. */
        readonly effective_limit: number;
        /** The 1st of next month, 00:00 UTC. */
        readonly resets_at: string;
        /** The total is more than `credits_remaining`. */
        readonly would_exceed_allowance: boolean;
        /** The total is more than the effective limit leaves: a fetch would be refused, a batch answered in part or refused. */
        readonly would_be_blocked: boolean;
        /** Which limit blocks; `self` when it is the tighter one. */
        readonly limited_by: 'plan' | 'self' | 'none';
      };
      readonly notes: readonly string[];
    };
  };
  /** Every field with its type, source, presets and price */
  readonly fieldCatalog: {
    readonly input: object;
    readonly answer: {
      readonly release: string | null;
      /** Fetch fields. */
      readonly count: number;
      /** Names that each surface accepts. */
      readonly counts: {
        readonly fetch: number;
        readonly enrich: number;
        readonly filter: number;
        readonly output: number;
      };
      readonly layers: readonly {
        readonly name: string;
        readonly count: number;
      }[];
      readonly presets: readonly {
        readonly name: string;
        readonly fields: readonly string[];
      }[];
      readonly enrich_presets: readonly {
        readonly name: string;
        readonly fields: readonly string[];
      }[];
      readonly price_list: {
        readonly currency: string;
        readonly default: {
          /** Plan → credits. */
          readonly credits: { readonly [name: string]: number };
          readonly charged: string;
        };
        readonly groups: {
          readonly [name: string]: {
            /** Plan → credits. */
            readonly credits: { readonly [name: string]: number };
            readonly charged: string;
            readonly fields: readonly string[];
          };
        };
      };
      readonly fields: readonly FieldMeta[];
      /** Names beside the fetch fields: stored parcel attributes and what only enrichment or search knows. */
      readonly further_names: readonly {
        readonly name: string;
        /** parcel_attribute, enrich_only or search_only. */
        readonly kind: string;
        readonly type: string;
        readonly unit: string | null;
        /** Step that its numbers are rounded to, in its unit; null where it is no number, or a whole one. */
        readonly precision: number | null;
        readonly description: string;
        readonly hint: string | null;
        /** Everyday words for it; questions are matched with them. */
        readonly terms: readonly string[];
        readonly dataset: string;
        readonly enrich_presets: readonly string[];
        readonly surfaces: readonly string[];
        readonly filter_operators: readonly string[];
      }[];
    };
  };
  /** A field request, whatever became of it */
  readonly fieldRequest: {
    readonly input: {
      readonly request_id: string;
    };
    readonly answer: {
      readonly request_id: string;
      readonly status:
        | 'received'
        | 'screening'
        | 'matched'
        | 'awaiting_confirm'
        | 'rejected'
        | 'queued'
        | 'claimed'
        | 'building'
        | 'in_review'
        | 'approved'
        | 'publishing'
        | 'live'
        | 'blocked'
        | 'expired';
      /** Whom it waits for. */
      readonly waiting_on: 'requester' | 'operator' | null;
      /** Reserved. */
      readonly phase: null;
      /** 1 is next, 0 is worked on; null without a build ticket. */
      readonly queue_position: number | null;
      /** Promised when it was accepted, never changed. */
      readonly estimated_ready_at: string | null;
      readonly resolved_locations: readonly {
        readonly index: number;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        };
        readonly resolved_address?: string;
      }[];
      readonly disposition: readonly {
        readonly ask: string;
        readonly disposition: 'matched' | 'near_miss' | 'clarify' | 'accepted_new' | 'refused';
        /** The catalog field, where there is one. */
        readonly field_id: string | null;
        /** While it is to be built. */
        readonly estimated_ready_at: string | null;
        /** The call that gives the value. */
        readonly resume: {
          readonly method: 'POST';
          readonly url: string;
          /** A fetch request, as it stands. */
          readonly body: { readonly [name: string]: unknown };
        } | null;
        readonly explanation: string;
        readonly values?: readonly { readonly [name: string]: unknown }[];
        readonly candidates?: readonly {
          readonly field_id: string;
          readonly title: string;
        }[];
        readonly code?: string;
        readonly suggestion?: string;
        readonly confidence?: string;
        /** Must travel with a citation of the value. */
        readonly caveat?: string | null;
      }[];
      /** The first one of `disposition`. */
      readonly resume: {
        readonly method: 'POST';
        readonly url: string;
        /** A fetch request, as it stands. */
        readonly body: { readonly [name: string]: unknown };
      } | null;
      /** As it was sent first. */
      readonly context_blob: string | null;
      readonly created_at: string;
      readonly updated_at: string;
    };
  };
  /** Ask for a data point that the catalog lacks */
  readonly fileFieldRequest: {
    readonly input: {
      /** What the value says, in plain language. */
      readonly description: string;
      /** Where you need it; each exactly one of `address`, `lat` with `lng`, `polygon`. */
      readonly example_locations: readonly {
        /** A street address. */
        readonly address?: string;
        /** WGS84, with `lng`. */
        readonly lat?: number;
        /** WGS84, with `lat`. */
        readonly lng?: number;
        /** A GeoJSON Polygon or MultiPolygon, as of a site. */
        readonly polygon?: { readonly [name: string]: unknown };
        /** What the value is there, if you know it. */
        readonly claimed_value?: string;
        readonly note?: string;
      }[];
      /** What it is for. */
      readonly use_case?: string;
      /** The value at which you decide otherwise. */
      readonly decision_threshold?: string;
      /** When you need it. */
      readonly deadline?: string;
      readonly area_of_interest?: {
        /** States, counties, cities. */
        readonly names?: readonly string[];
      };
      readonly expected_volume?: {
        /** Locations you will ask about. */
        readonly locations?: number;
        /** Where they lie. */
        readonly geography?: string;
      };
      readonly freshness?: {
        /** How old a value may be, such as `30 days` or `1 year`. */
        readonly max_staleness?: string;
        /** How often it changes in the world. */
        readonly changes_how_often?: string;
      };
      readonly constraints?: {
        /** Catalog fields, or descriptions, that are not what is asked for. */
        readonly must_not_be?: readonly string[];
        /** What you have. */
        readonly already_have?: readonly string[];
        /** Catalog fields, or descriptions, that would do. */
        readonly acceptable_substitutes?: readonly string[];
      };
      readonly known_sources?: {
        /** Where it may be found. */
        readonly suggested?: readonly {
          readonly name?: string;
          readonly url?: string;
          readonly note?: string;
          readonly why?: string;
        }[];
        /** What may not be used. */
        readonly excluded?: readonly {
          readonly name?: string;
          readonly url?: string;
          readonly note?: string;
          readonly why?: string;
        }[];
      };
      readonly output_preference?: {
        /** Such as `miles` or `USD`. */
        readonly units?: string;
        readonly buckets_ok?: boolean;
      };
      /** The values, where there are several. */
      readonly requested_fields?: readonly {
        /** One value, in plain language. */
        readonly ask: string;
      }[];
      /** The same request again under the same key is that request. Keys do not expire. */
      readonly idempotency_key?: string;
      readonly callback?: {
        /** https, at a public address. */
        readonly webhook_url?: string;
        readonly email?: string;
      };
      /** Comes back as it is; at most 8 KB of UTF-8. */
      readonly context_blob?: string;
    };
    readonly answer: {
      readonly request_id: string;
      readonly status:
        | 'received'
        | 'screening'
        | 'matched'
        | 'awaiting_confirm'
        | 'rejected'
        | 'queued'
        | 'claimed'
        | 'building'
        | 'in_review'
        | 'approved'
        | 'publishing'
        | 'live'
        | 'blocked'
        | 'expired';
      /** Path of the request. */
      readonly poll: string;
    };
  };
  /** The place of an address */
  readonly geocode: {
    readonly input: {
      /** Street address in the United States. */
      readonly address: string;
    };
    readonly answer: GeocodeBlock;
  };
  /** Whether the process runs */
  readonly health: {
    readonly input: object;
    readonly answer: {
      readonly status: 'ok';
    };
  };
  /** API tokens of the account */
  readonly list_tokens: {
    readonly input: object;
    readonly answer: {
      /** Newest first, 1,000 at most. */
      readonly tokens: readonly Token[];
    };
  };
  /** The join keys of a place */
  readonly lookup: {
    readonly input: {
      /** An address, a `lat,lng` pair or a parcel number. */
      readonly input: string;
      /** Default true; false skips the parcel. */
      readonly include_parcel?: boolean;
      /** What `input` is; told from its shape when omitted. */
      readonly kind?: 'address' | 'coord' | 'apn';
    };
    readonly answer:
      | {
          readonly disposition: 'resolved';
          readonly lat: number;
          readonly lng: number;
          readonly resolved_address: string | null;
          readonly resolved_location: ResolvedLocation;
          readonly county_fips: string | null;
          readonly county: string | null;
          readonly tract_geoid: string | null;
          readonly state_fips: string | null;
          readonly state: string | null;
          readonly block_group_geoid: string | null;
          readonly block_geoid: string | null;
          readonly congressional_district: string | null;
          readonly cbsa_name: string | null;
          readonly cbsa_code: string | null;
          readonly elevation_m: number | null;
          readonly fema_flood_zone: string | null;
          readonly within_floodplain: boolean | null;
          readonly coastal_high_hazard: boolean | null;
          readonly county_market: {
            readonly population: number | null;
            readonly population_growth_1yr_pct: number | null;
            readonly net_domestic_migration: number | null;
            readonly building_permits_total_annual: number | null;
            readonly building_permits_sf_annual: number | null;
            readonly building_permits_yoy_pct: number | null;
            readonly hpi_yoy_pct: number | null;
            readonly employment_total: number | null;
            readonly employment_yoy_pct: number | null;
            readonly median_household_income_usd: number | null;
          };
          readonly in_opportunity_zone: boolean | null;
          readonly opportunity_zone_tract_geoid: string | null;
          readonly timezone: string | null;
          readonly parcel?: {
            /** Stable from release to release. */
            readonly parcel_id: string;
            readonly apn: string | null;
            readonly address: string | null;
            /** Geodesic square metres. */
            readonly area_m2: number;
            /** GeoJSON. */
            readonly geometry: unknown;
            readonly geometry_wkt: string | null;
            readonly owner: string | null;
            readonly zoning: string | null;
            readonly land_use: string | null;
            readonly assessed_value_usd: number | null;
            readonly last_sale_date: string | null;
            readonly last_sale_price_usd: number | null;
            readonly transaction_count: number | null;
            readonly match_type: string;
            readonly match_distance_m: number;
            /** How far the nearest parcel may lie. */
            readonly match_radius_m: number;
            readonly source: string;
          };
          /** The parcels could not be asked, or that of the place was rejected when it was loaded: `parcel_unavailable_reason` says which. */
          readonly parcel_unavailable: boolean;
          readonly parcel_unavailable_reason: string | null;
          /** `coordinate`, or how the coordinate of the address was derived: its `accuracy_type`. */
          readonly match_method: string;
          /** Similarity of the matched address, 0 to 1; 1 for a coordinate. The fallback gives none: then that of the two texts. */
          readonly confidence: number;
        }
      | {
          readonly disposition: 'clarify';
          /** Places that fit alike, best first. None of them is picked. */
          readonly candidates: readonly {
            readonly resolved_address: string | null;
            readonly lat: number;
            readonly lng: number;
            readonly confidence: number;
          }[];
        }
      | {
          readonly disposition: 'no_match';
          readonly reason: 'unaddressed_or_no_match' | 'address_too_coarse' | 'apn_not_supported_in_v1';
          /** What to send instead. */
          readonly hint: string;
        };
  };
  /** How far an attempt has come */
  readonly onboardingAttempt: {
    readonly input: {
      readonly attempt_id: string;
    };
    readonly answer: {
      readonly attempt_id: string;
      /** `connected` once the code was exchanged; `complete` with clients, skill, the stage `verified` and a first call. */
      readonly status: 'waiting' | 'connected' | 'complete';
      /** When `installed` was told first. */
      readonly installed_at: string | null;
      /** When `verified` was told first. */
      readonly verified_at: string | null;
      /** When a fetch of this attempt first gave a value. */
      readonly first_call_at: string | null;
      readonly clients: readonly string[];
      readonly skill_installed: boolean;
      /** What it asked and where the values came from; never the values. */
      readonly first_call: {
        readonly fields: readonly string[];
        readonly source_urls: readonly string[];
      } | null;
      /** Of the connect code. */
      readonly expires_at: string;
    };
  };
  /** The terms in force */
  readonly onboardingTerms: {
    readonly input: object;
    readonly answer: {
      readonly version: string;
      /** Of the document at `url`, byte by byte, in hexadecimal. */
      readonly sha256: string;
      readonly url: string;
      readonly privacy_url: string;
      /** What to show beside the button. */
      readonly notice: string;
    };
  };
  /** This description, OpenAPI 3.1 */
  readonly openapi: {
    readonly input: object;
    readonly answer: { readonly [name: string]: unknown };
  };
  /** Plans and credit prices */
  readonly planCatalog: {
    readonly input: object;
    readonly answer: {
      readonly plans: readonly {
        readonly plan: string;
        readonly credits_included: number;
        readonly requests_per_minute: number;
        readonly parcel_record_credits: number;
      }[];
      readonly prices: readonly {
        readonly endpoint: string;
        readonly credits: number | null;
        readonly unit: string;
      }[];
      readonly resets: string;
    };
  };
  /** The API token of a login, once it is approved */
  readonly pollDeviceLogin: {
    readonly input: {
      readonly device_code: string;
    };
    readonly answer: {
      /** An API token of the account that approved. It is in this answer alone. */
      readonly token: string;
      readonly token_id: string;
      readonly expires_at: string;
    };
  };
  /** Drive times, nearest places, screens, labor sheds */
  readonly proximity: {
    readonly input:
      | {
          readonly operation: 'matrix';
          /** At most 3,500 pairs with `destinations`. */
          readonly origins: readonly {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          }[];
          /** At most 3,500 pairs with `origins`. */
          readonly destinations: readonly {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          }[];
        }
      | {
          readonly operation: 'nearest';
          /** Exactly one of `lat` with `lng`, and `address`. */
          readonly origin: {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          };
          /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
          readonly candidates:
            | string
            | readonly {
                /** WGS84 degrees, with `lng`. */
                readonly lat?: number;
                /** WGS84 degrees, with `lat`. */
                readonly lng?: number;
                /** Street address in the United States. */
                readonly address?: string;
                /** Comes back as it is. */
                readonly id?: string;
              }[];
          /** How many are wanted; 5 by default. */
          readonly k?: number;
          /** `drive_time` by default. */
          readonly by?: 'drive_time' | 'straight_line';
          /** Farther ones are left out; only by drive time. */
          readonly max_minutes?: number;
          /** Farther ones in a straight line are left out. */
          readonly max_km?: number;
        }
      | {
          readonly operation: 'screen';
          /** Places that are screened. */
          readonly candidates: readonly {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          }[];
          readonly rules: readonly {
            readonly name?: string;
            /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
            readonly to:
              | string
              | readonly {
                  /** WGS84 degrees, with `lng`. */
                  readonly lat?: number;
                  /** WGS84 degrees, with `lat`. */
                  readonly lng?: number;
                  /** Street address in the United States. */
                  readonly address?: string;
                  /** Comes back as it is. */
                  readonly id?: string;
                }[];
            /** Minutes of driving; either this or `within_km`. */
            readonly within_minutes?: number;
            /** Kilometres in a straight line; either this or `within_minutes`. */
            readonly within_km?: number;
            /** How many must be so near; 1 by default. */
            readonly min_count?: number;
          }[];
          /** How many rules must hold; `all` by default. */
          readonly match?: 'all' | 'any';
        }
      | {
          readonly operation: 'labor_shed';
          /** Exactly one of `lat` with `lng`, and `address`. */
          readonly origin: {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          };
          /** Tracts nearer than this are left out; 0 by default. */
          readonly min_minutes?: number;
          /** Minutes of driving; more than `min_minutes`. */
          readonly max_minutes: number;
        }
      | {
          readonly operation: 'isochrone';
          /** Exactly one of `lat` with `lng`, and `address`. */
          readonly origin: {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          };
          /** Minutes of driving, an area each. */
          readonly minutes: readonly number[];
        };
    readonly answer:
      | {
          readonly operation: 'matrix';
          readonly origins: readonly {
            readonly index: number;
            readonly id?: string;
            readonly resolved_location: {
              readonly lat: number;
              readonly lng: number;
              readonly source: 'coordinate' | 'address';
            } | null;
            readonly snapped_m: number | null;
          }[];
          readonly destinations: readonly {
            readonly index: number;
            readonly id?: string;
            readonly resolved_location: {
              readonly lat: number;
              readonly lng: number;
              readonly source: 'coordinate' | 'address';
            } | null;
            readonly snapped_m: number | null;
          }[];
          /** Rows by origin; null where no way leads or a place has no road. */
          readonly minutes: readonly (readonly (number | null)[])[];
          /** Length of the fastest way. */
          readonly meters: readonly (readonly (number | null)[])[];
          /** Locators that have no place on a road; everything about them is null. */
          readonly unresolved: readonly {
            readonly role: string;
            readonly index: number;
            readonly id?: string;
            readonly error: string;
            readonly message: string;
          }[];
          /** Null where nothing was driven. */
          readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          readonly note: string | null;
          readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
          /** Driving calculations that were made and charged. */
          readonly calculations: number;
        }
      | {
          readonly operation: 'nearest';
          readonly origin: {
            readonly index: number;
            readonly id?: string;
            readonly resolved_location: {
              readonly lat: number;
              readonly lng: number;
              readonly source: 'coordinate' | 'address';
            } | null;
            readonly snapped_m: number | null;
          };
          readonly by: 'drive_time' | 'straight_line';
          readonly set: string | null;
          readonly results: readonly {
            /** Place in the list that was given. */
            readonly index?: number;
            readonly id?: string;
            readonly name: string | null;
            readonly lat: number;
            readonly lng: number;
            readonly minutes: number | null;
            readonly meters: number | null;
            readonly straight_line_m: number;
            readonly source: string | null;
            readonly source_url: string | null;
            readonly dataset_vintage: string | null;
          }[];
          /** Locators that have no place on a road; everything about them is null. */
          readonly unresolved: readonly {
            readonly role: string;
            readonly index: number;
            readonly id?: string;
            readonly error: string;
            readonly message: string;
          }[];
          /** Null where nothing was driven. */
          readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          readonly note: string | null;
          readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
          /** Driving calculations that were made and charged. */
          readonly calculations: number;
        }
      | {
          readonly operation: 'screen';
          readonly match: 'all' | 'any';
          readonly results: readonly {
            readonly index: number;
            readonly id?: string;
            readonly resolved_location: {
              readonly lat: number;
              readonly lng: number;
              readonly source: 'coordinate' | 'address';
            } | null;
            readonly snapped_m: number | null;
            /** Null where it cannot be said. */
            readonly passed: boolean | null;
            readonly rules: readonly {
              readonly name: string | null;
              readonly passed: boolean | null;
              readonly count: number | null;
              readonly nearest: {
                /** Place in the list that was given. */
                readonly index?: number;
                readonly id?: string;
                readonly name: string | null;
                readonly lat: number;
                readonly lng: number;
                readonly minutes: number | null;
                readonly meters: number | null;
                readonly straight_line_m: number;
                readonly source: string | null;
                readonly source_url: string | null;
                readonly dataset_vintage: string | null;
              } | null;
              readonly distances: 'driving' | 'straight_line';
            }[];
          }[];
          /** Locators that have no place on a road; everything about them is null. */
          readonly unresolved: readonly {
            readonly role: string;
            readonly index: number;
            readonly id?: string;
            readonly error: string;
            readonly message: string;
          }[];
          /** Null where nothing was driven. */
          readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          readonly note: string | null;
          readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
          /** Driving calculations that were made and charged. */
          readonly calculations: number;
        }
      | {
          readonly operation: 'labor_shed';
          readonly origin: {
            readonly index: number;
            readonly id?: string;
            readonly resolved_location: {
              readonly lat: number;
              readonly lng: number;
              readonly source: 'coordinate' | 'address';
            } | null;
            readonly snapped_m: number | null;
          };
          readonly min_minutes: number;
          readonly max_minutes: number;
          /** Nearest first. */
          readonly tracts: readonly {
            readonly geoid: string;
            readonly minutes: number;
          }[];
          readonly totals: {
            readonly population: {
              readonly value: number | null;
              readonly unit: string;
              readonly source: string | null;
              readonly source_url: string | null;
              readonly dataset_vintage: string | null;
              /** Tracts of the shed that the source has no number of. */
              readonly tracts_without: number;
              readonly note: string | null;
            };
            readonly labor_force: {
              readonly value: number | null;
              readonly unit: string;
              readonly source: string | null;
              readonly source_url: string | null;
              readonly dataset_vintage: string | null;
              /** Tracts of the shed that the source has no number of. */
              readonly tracts_without: number;
              readonly note: string | null;
            };
            readonly employed_residents: {
              readonly value: number | null;
              readonly unit: string;
              readonly source: string | null;
              readonly source_url: string | null;
              readonly dataset_vintage: string | null;
              /** Tracts of the shed that the source has no number of. */
              readonly tracts_without: number;
              readonly note: string | null;
            };
            readonly unemployed: {
              readonly value: number | null;
              readonly unit: string;
              readonly source: string | null;
              readonly source_url: string | null;
              readonly dataset_vintage: string | null;
              /** Tracts of the shed that the source has no number of. */
              readonly tracts_without: number;
              readonly note: string | null;
            };
            readonly jobs: {
              readonly value: number | null;
              readonly unit: string;
              readonly source: string | null;
              readonly source_url: string | null;
              readonly dataset_vintage: string | null;
              /** Tracts of the shed that the source has no number of. */
              readonly tracts_without: number;
              readonly note: string | null;
            };
            readonly workers_by_sector: {
              readonly [name: string]: {
                readonly value: number | null;
                readonly unit: string;
                readonly source: string | null;
                readonly source_url: string | null;
                readonly dataset_vintage: string | null;
                /** Tracts of the shed that the source has no number of. */
                readonly tracts_without: number;
                readonly note: string | null;
              };
            };
            readonly average_weekly_wage: {
              readonly value: number | null;
              readonly unit: string;
              readonly source: string | null;
              readonly source_url: string | null;
              readonly dataset_vintage: string | null;
              /** Tracts of the shed that the source has no number of. */
              readonly tracts_without: number;
              readonly note: string | null;
            };
          };
          readonly coverage: {
            readonly tracts: number;
            readonly tracts_considered: number;
            readonly tracts_without_road: number;
            readonly tracts_outside_roads: number;
            readonly note: string;
          };
          /** Null where nothing was driven. */
          readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          readonly note: string | null;
          readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
          /** Driving calculations that were made and charged. */
          readonly calculations: number;
        }
      | {
          readonly operation: 'isochrone';
          readonly type: 'FeatureCollection';
          /** Widest first. */
          readonly features: readonly {
            readonly type: 'Feature';
            readonly properties: {
              readonly minutes: number;
            };
            readonly geometry: {
              readonly type: 'MultiPolygon';
              readonly coordinates: readonly (readonly (readonly (readonly number[])[])[])[];
            };
          }[];
          readonly origin: {
            readonly index: number;
            readonly id?: string;
            readonly resolved_location: {
              readonly lat: number;
              readonly lng: number;
              readonly source: 'coordinate' | 'address';
            } | null;
            readonly snapped_m: number | null;
          };
          /** Null where nothing was driven. */
          readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          readonly note: string | null;
          readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
          /** Driving calculations that were made and charged. */
          readonly calculations: number;
        };
  };
  /** Areas within minutes of driving */
  readonly proximity_isochrone: {
    readonly input: {
      /** Exactly one of `lat` with `lng`, and `address`. */
      readonly origin: {
        /** WGS84 degrees, with `lng`. */
        readonly lat?: number;
        /** WGS84 degrees, with `lat`. */
        readonly lng?: number;
        /** Street address in the United States. */
        readonly address?: string;
        /** Comes back as it is. */
        readonly id?: string;
      };
      /** Minutes of driving, an area each. */
      readonly minutes: readonly number[];
    };
    readonly answer: {
      readonly operation: 'isochrone';
      readonly type: 'FeatureCollection';
      /** Widest first. */
      readonly features: readonly {
        readonly type: 'Feature';
        readonly properties: {
          readonly minutes: number;
        };
        readonly geometry: {
          readonly type: 'MultiPolygon';
          readonly coordinates: readonly (readonly (readonly (readonly number[])[])[])[];
        };
      }[];
      readonly origin: {
        readonly index: number;
        readonly id?: string;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        } | null;
        readonly snapped_m: number | null;
      };
      /** Null where nothing was driven. */
      readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
      readonly source: string | null;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
      readonly note: string | null;
      readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
      /** Driving calculations that were made and charged. */
      readonly calculations: number;
    };
  };
  /** Who lives and works within a drive */
  readonly proximity_labor_shed: {
    readonly input: {
      /** Exactly one of `lat` with `lng`, and `address`. */
      readonly origin: {
        /** WGS84 degrees, with `lng`. */
        readonly lat?: number;
        /** WGS84 degrees, with `lat`. */
        readonly lng?: number;
        /** Street address in the United States. */
        readonly address?: string;
        /** Comes back as it is. */
        readonly id?: string;
      };
      /** Tracts nearer than this are left out; 0 by default. */
      readonly min_minutes?: number;
      /** Minutes of driving; more than `min_minutes`. */
      readonly max_minutes: number;
    };
    readonly answer: {
      readonly operation: 'labor_shed';
      readonly origin: {
        readonly index: number;
        readonly id?: string;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        } | null;
        readonly snapped_m: number | null;
      };
      readonly min_minutes: number;
      readonly max_minutes: number;
      /** Nearest first. */
      readonly tracts: readonly {
        readonly geoid: string;
        readonly minutes: number;
      }[];
      readonly totals: {
        readonly population: {
          readonly value: number | null;
          readonly unit: string;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          /** Tracts of the shed that the source has no number of. */
          readonly tracts_without: number;
          readonly note: string | null;
        };
        readonly labor_force: {
          readonly value: number | null;
          readonly unit: string;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          /** Tracts of the shed that the source has no number of. */
          readonly tracts_without: number;
          readonly note: string | null;
        };
        readonly employed_residents: {
          readonly value: number | null;
          readonly unit: string;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          /** Tracts of the shed that the source has no number of. */
          readonly tracts_without: number;
          readonly note: string | null;
        };
        readonly unemployed: {
          readonly value: number | null;
          readonly unit: string;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          /** Tracts of the shed that the source has no number of. */
          readonly tracts_without: number;
          readonly note: string | null;
        };
        readonly jobs: {
          readonly value: number | null;
          readonly unit: string;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          /** Tracts of the shed that the source has no number of. */
          readonly tracts_without: number;
          readonly note: string | null;
        };
        readonly workers_by_sector: {
          readonly [name: string]: {
            readonly value: number | null;
            readonly unit: string;
            readonly source: string | null;
            readonly source_url: string | null;
            readonly dataset_vintage: string | null;
            /** Tracts of the shed that the source has no number of. */
            readonly tracts_without: number;
            readonly note: string | null;
          };
        };
        readonly average_weekly_wage: {
          readonly value: number | null;
          readonly unit: string;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          /** Tracts of the shed that the source has no number of. */
          readonly tracts_without: number;
          readonly note: string | null;
        };
      };
      readonly coverage: {
        readonly tracts: number;
        readonly tracts_considered: number;
        readonly tracts_without_road: number;
        readonly tracts_outside_roads: number;
        readonly note: string;
      };
      /** Null where nothing was driven. */
      readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
      readonly source: string | null;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
      readonly note: string | null;
      readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
      /** Driving calculations that were made and charged. */
      readonly calculations: number;
    };
  };
  /** Drive times and lengths between places */
  readonly proximity_matrix: {
    readonly input: {
      /** At most 3,500 pairs with `destinations`. */
      readonly origins: readonly {
        /** WGS84 degrees, with `lng`. */
        readonly lat?: number;
        /** WGS84 degrees, with `lat`. */
        readonly lng?: number;
        /** Street address in the United States. */
        readonly address?: string;
        /** Comes back as it is. */
        readonly id?: string;
      }[];
      /** At most 3,500 pairs with `origins`. */
      readonly destinations: readonly {
        /** WGS84 degrees, with `lng`. */
        readonly lat?: number;
        /** WGS84 degrees, with `lat`. */
        readonly lng?: number;
        /** Street address in the United States. */
        readonly address?: string;
        /** Comes back as it is. */
        readonly id?: string;
      }[];
    };
    readonly answer: {
      readonly operation: 'matrix';
      readonly origins: readonly {
        readonly index: number;
        readonly id?: string;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        } | null;
        readonly snapped_m: number | null;
      }[];
      readonly destinations: readonly {
        readonly index: number;
        readonly id?: string;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        } | null;
        readonly snapped_m: number | null;
      }[];
      /** Rows by origin; null where no way leads or a place has no road. */
      readonly minutes: readonly (readonly (number | null)[])[];
      /** Length of the fastest way. */
      readonly meters: readonly (readonly (number | null)[])[];
      /** Locators that have no place on a road; everything about them is null. */
      readonly unresolved: readonly {
        readonly role: string;
        readonly index: number;
        readonly id?: string;
        readonly error: string;
        readonly message: string;
      }[];
      /** Null where nothing was driven. */
      readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
      readonly source: string | null;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
      readonly note: string | null;
      readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
      /** Driving calculations that were made and charged. */
      readonly calculations: number;
    };
  };
  /** The nearest of a set, or of given places */
  readonly proximity_nearest: {
    readonly input: {
      /** Exactly one of `lat` with `lng`, and `address`. */
      readonly origin: {
        /** WGS84 degrees, with `lng`. */
        readonly lat?: number;
        /** WGS84 degrees, with `lat`. */
        readonly lng?: number;
        /** Street address in the United States. */
        readonly address?: string;
        /** Comes back as it is. */
        readonly id?: string;
      };
      /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
      readonly candidates:
        | string
        | readonly {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          }[];
      /** How many are wanted; 5 by default. */
      readonly k?: number;
      /** `drive_time` by default. */
      readonly by?: 'drive_time' | 'straight_line';
      /** Farther ones are left out; only by drive time. */
      readonly max_minutes?: number;
      /** Farther ones in a straight line are left out. */
      readonly max_km?: number;
    };
    readonly answer: {
      readonly operation: 'nearest';
      readonly origin: {
        readonly index: number;
        readonly id?: string;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        } | null;
        readonly snapped_m: number | null;
      };
      readonly by: 'drive_time' | 'straight_line';
      readonly set: string | null;
      readonly results: readonly {
        /** Place in the list that was given. */
        readonly index?: number;
        readonly id?: string;
        readonly name: string | null;
        readonly lat: number;
        readonly lng: number;
        readonly minutes: number | null;
        readonly meters: number | null;
        readonly straight_line_m: number;
        readonly source: string | null;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
      }[];
      /** Locators that have no place on a road; everything about them is null. */
      readonly unresolved: readonly {
        readonly role: string;
        readonly index: number;
        readonly id?: string;
        readonly error: string;
        readonly message: string;
      }[];
      /** Null where nothing was driven. */
      readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
      readonly source: string | null;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
      readonly note: string | null;
      readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
      /** Driving calculations that were made and charged. */
      readonly calculations: number;
    };
  };
  /** Which places are near enough to what is named */
  readonly proximity_screen: {
    readonly input: {
      /** Places that are screened. */
      readonly candidates: readonly {
        /** WGS84 degrees, with `lng`. */
        readonly lat?: number;
        /** WGS84 degrees, with `lat`. */
        readonly lng?: number;
        /** Street address in the United States. */
        readonly address?: string;
        /** Comes back as it is. */
        readonly id?: string;
      }[];
      readonly rules: readonly {
        readonly name?: string;
        /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
        readonly to:
          | string
          | readonly {
              /** WGS84 degrees, with `lng`. */
              readonly lat?: number;
              /** WGS84 degrees, with `lat`. */
              readonly lng?: number;
              /** Street address in the United States. */
              readonly address?: string;
              /** Comes back as it is. */
              readonly id?: string;
            }[];
        /** Minutes of driving; either this or `within_km`. */
        readonly within_minutes?: number;
        /** Kilometres in a straight line; either this or `within_minutes`. */
        readonly within_km?: number;
        /** How many must be so near; 1 by default. */
        readonly min_count?: number;
      }[];
      /** How many rules must hold; `all` by default. */
      readonly match?: 'all' | 'any';
    };
    readonly answer: {
      readonly operation: 'screen';
      readonly match: 'all' | 'any';
      readonly results: readonly {
        readonly index: number;
        readonly id?: string;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        } | null;
        readonly snapped_m: number | null;
        /** Null where it cannot be said. */
        readonly passed: boolean | null;
        readonly rules: readonly {
          readonly name: string | null;
          readonly passed: boolean | null;
          readonly count: number | null;
          readonly nearest: {
            /** Place in the list that was given. */
            readonly index?: number;
            readonly id?: string;
            readonly name: string | null;
            readonly lat: number;
            readonly lng: number;
            readonly minutes: number | null;
            readonly meters: number | null;
            readonly straight_line_m: number;
            readonly source: string | null;
            readonly source_url: string | null;
            readonly dataset_vintage: string | null;
          } | null;
          readonly distances: 'driving' | 'straight_line';
        }[];
      }[];
      /** Locators that have no place on a road; everything about them is null. */
      readonly unresolved: readonly {
        readonly role: string;
        readonly index: number;
        readonly id?: string;
        readonly error: string;
        readonly message: string;
      }[];
      /** Null where nothing was driven. */
      readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
      readonly source: string | null;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
      readonly note: string | null;
      readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
      /** Driving calculations that were made and charged. */
      readonly calculations: number;
    };
  };
  /** Whether it can answer: release, datasets and workers */
  readonly readiness: {
    readonly input: object;
    readonly answer: {
      /** `degraded`: it answers, and something of the release cannot be used; see `damaged`. */
      readonly status: 'ready' | 'degraded';
      /** Id of the release that answers. */
      readonly release: string;
      /** Dataset → layer → what is installed. */
      readonly datasets: {
        readonly [name: string]: {
          readonly [name: string]: {
            readonly rows: number;
            readonly vintages: readonly string[];
            readonly sources: readonly string[];
          };
        };
      };
      readonly workers: {
        readonly size: number;
        readonly ready: number;
      };
      /** Layers that every worker has opened, and those that are opened when they are first asked for. */
      readonly warm: {
        readonly loaded: readonly string[];
        readonly on_demand: readonly string[];
      };
      /** Layers of which a file cannot be used. */
      readonly damaged: readonly string[];
      /** What cannot be used and why; the file `current` names the release. */
      readonly damage: readonly {
        readonly file: string;
        readonly layers: readonly string[];
        readonly problem: string;
      }[];
    };
  };
  /** Register a polygon, to be screened once */
  readonly registerSite: {
    readonly input: {
      /** A GeoJSON Polygon or MultiPolygon in WGS84 with `type` and `coordinates` alone: positions [longitude, latitude], rings closed and valid, no altitude, no Feature around it. At most 200,000 acres and 20,000 vertices. */
      readonly site: unknown;
    };
    readonly answer: {
      /** The same for polygons that differ only in how they are written. */
      readonly site_id: string;
      readonly status: 'building' | 'ready' | 'failed';
      readonly message: string;
    };
  };
  /** Show an active API token again */
  readonly reveal_token: {
    readonly input: {
      /** Id of a token. */
      readonly id: string;
    } & object;
    readonly answer: {
      readonly id: string;
      readonly token: string;
    };
  };
  /** Revoke an API token */
  readonly revoke_token: {
    readonly input: {
      /** Id of a token. */
      readonly id: string;
    };
    readonly answer: never;
  };
  /** A run */
  readonly run: {
    readonly input: {
      readonly run_id: string;
    };
    readonly answer: {
      readonly run_id: string;
      readonly kind: 'fetch_batch';
      readonly status: 'queued' | 'running' | 'done' | 'failed';
      readonly created_at: string;
      readonly updated_at: string;
      readonly expires_at: string;
      readonly progress: {
        readonly done: number;
        readonly total: number;
      };
      /** `fields` and `preset` apply to every location; at least one of them is needed. */
      readonly request: {
        /** Places, each as `lat` and `lng` or as `address`. */
        readonly locations: readonly {
          /** Latitude in WGS84 degrees; together with `lng`. */
          readonly lat?: number | null;
          /** Longitude in WGS84 degrees; together with `lat`. */
          readonly lng?: number | null;
          /** Street address, instead of a coordinate. */
          readonly address?: string | null;
        }[];
        /** Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion. */
        readonly fields?: readonly string[] | null;
        /** A named list of fields; expanded before `fields` are added. */
        readonly preset?:
          | 'terrain'
          | 'flood_risk'
          | 'wildfire_underwrite'
          | 'land_cover'
          | 'site_selection'
          | 'building_lookup'
          | 'points_of_interest'
          | 'utilities'
          | 'boundaries'
          | 'solar_siting'
          | 'wind_siting'
          | 'storage_siting'
          | 'data_center_siting'
          | 'grid_interconnect'
          | 'natural_hazard'
          | null;
      };
      /** Once it is done what POST /v1/fetch/batch would have answered; null before. */
      readonly result: {
        readonly fetched_at: string;
        /** `results[i]` answers `locations[i]`. */
        readonly results: readonly (
          | {
              readonly index: number;
              readonly ok: true;
              readonly lat: number;
              readonly lng: number;
              readonly fetched_at: string;
              readonly fields: { readonly [name: string]: FieldRecord };
              readonly partial_failures: readonly PartialFailure[];
              readonly resolved_location: ResolvedLocation;
              readonly geocode?: GeocodeBlock;
            }
          | {
              readonly index: number;
              readonly ok: false;
              readonly error: {
                readonly error: string;
                readonly message: string;
                readonly retryable: boolean;
              };
            }
        )[];
        /** Only on a stored result; it costs nothing. */
        readonly replayed?: true;
      } | null;
      readonly error: {
        readonly error: string;
        readonly message: string;
        readonly retryable: boolean;
      } | null;
    };
  };
  /** The answers of a run as CSV or GeoJSON */
  readonly runArtifact: {
    readonly input: {
      readonly run_id: string;
      readonly fmt: 'csv' | 'geojson';
    };
    readonly answer: unknown;
  };
  /** The events of a run */
  readonly runEvents: {
    readonly input: {
      readonly run_id: string;
    };
    readonly answer: string;
  };
  /** Parcels that pass every filter */
  readonly search: {
    readonly input: {
      /** All must hold. One selects states: `state` or `state2` with `eq` or `in`. */
      readonly filters: readonly {
        /** A name of the search catalog. */
        readonly field: string;
        /** Text and booleans take eq, ne, in; numbers and dates eq, ne, lt, lte, gt, gte, in, between; `geometry` takes intersects (any shared area or boundary point) and within (the whole parcel, shared boundary allowed). GET /v1/meta/fields lists them by field as `filter_operators`. */
        readonly op: string;
        /** By the type of the field, never null: text, true or false, or a JSON number. Dates are `2024-05-31`, timestamps UTC with milliseconds at most: `2024-05-31T12:00:00.000Z`; a date is its midnight UTC. A nonempty list for `in`, two ascending bounds for `between`, both included. For `state` and `state2` a two-letter code; for `county` a name, or a five-digit FIPS code as text. For `geometry` a GeoJSON Polygon or MultiPolygon in WGS84 with `type` and `coordinates` alone: rings closed and valid, without altitude, split at longitude 180 where it crosses the antimeridian. All areas together have at most 10,000 vertices (PLAT_SEARCH_MAX_VERTICES), and each at most 1,000,000 square kilometres (PLAT_SEARCH_MAX_KM2). */
        readonly value: unknown;
      }[];
      /** Further outputs; they never affect what matches. */
      readonly fields?: readonly string[];
      /** Whether each match gains everything known of its parcel. Default false. */
      readonly enrich?: boolean;
      /** Default 10. */
      readonly limit?: number;
      /** `next_cursor` of the page before; valid one hour. */
      readonly cursor?: string;
    };
    readonly answer: {
      readonly matches: readonly {
        readonly apn: string | null;
        readonly address: string | null;
        readonly state: string;
        readonly county: string | null;
        readonly city: string | null;
        readonly acreage: number | null;
        readonly source: string;
        readonly analysis_point: {
          readonly lat: number;
          readonly lng: number;
          readonly method: string;
        };
        readonly fields: { readonly [name: string]: unknown };
        readonly field_status: { readonly [name: string]: 'ok' | 'absent' | 'failed' };
        /** Only with `enrich: true`. */
        readonly enrichment?: {
          readonly fetched_at: string;
          readonly analysis_point: {
            readonly lat: number;
            readonly lng: number;
            readonly method: string;
            readonly source: string;
          };
          /** Records as POST /v1/enrich answers them, in the same order. */
          readonly fields: { readonly [name: string]: unknown };
          readonly partial_failures: readonly {
            readonly field: string;
            readonly source: string;
            readonly error: string;
            readonly retryable: boolean;
          }[];
        };
      }[];
      readonly status: 'complete' | 'limited' | 'partial';
      readonly completion_reason:
        | 'exhausted'
        | 'limit_reached'
        | 'work_limit'
        | 'timeout'
        | 'field_data_unavailable'
        | 'source_unavailable';
      readonly request_id: string;
      readonly next_cursor: string | null;
    };
  };
  /** A registered site */
  readonly site: {
    readonly input: {
      readonly site_id: string;
    };
    readonly answer: {
      readonly site_id: string;
      readonly status: 'building' | 'ready' | 'failed';
      /** International acres. */
      readonly site_acres: number;
      /** Least longitude and latitude, greatest longitude and latitude. */
      readonly site_extent: readonly number[];
      /** When the screening was through; null before. */
      readonly built_at: string | null;
    };
  };
  /** Begin a login that a user approves in a browser */
  readonly startDeviceLogin: {
    readonly input: {
      /** Who asks, as the approval page shall show it. */
      readonly client_name?: string;
    };
    readonly answer: {
      /** A secret of who polls. */
      readonly device_code: string;
      /** What the user compares or types. */
      readonly user_code: string;
      readonly verification_uri: string;
      /** The same with the code in it. */
      readonly verification_uri_complete: string;
      /** Seconds. */
      readonly expires_in: number;
      /** Seconds between two polls. */
      readonly interval: number;
    };
  };
  /** A batch that is answered in the background */
  readonly submitRun: {
    readonly input: {
      readonly kind: 'fetch_batch';
      /** `fields` and `preset` apply to every location; at least one of them is needed. */
      readonly request: {
        /** Places, each as `lat` and `lng` or as `address`. */
        readonly locations: readonly {
          /** Latitude in WGS84 degrees; together with `lng`. */
          readonly lat?: number | null;
          /** Longitude in WGS84 degrees; together with `lat`. */
          readonly lng?: number | null;
          /** Street address, instead of a coordinate. */
          readonly address?: string | null;
        }[];
        /** Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion. */
        readonly fields?: readonly string[] | null;
        /** A named list of fields; expanded before `fields` are added. */
        readonly preset?:
          | 'terrain'
          | 'flood_risk'
          | 'wildfire_underwrite'
          | 'land_cover'
          | 'site_selection'
          | 'building_lookup'
          | 'points_of_interest'
          | 'utilities'
          | 'boundaries'
          | 'solar_siting'
          | 'wind_siting'
          | 'storage_siting'
          | 'data_center_siting'
          | 'grid_interconnect'
          | 'natural_hazard'
          | null;
      };
    };
    readonly answer: {
      readonly run_id: string;
      readonly status: 'queued';
      /** Path of the run. */
      readonly poll: string;
      /** Path of its events. */
      readonly events: string;
      readonly replayed?: true;
    };
  };
  /** Say how far the agent has come */
  readonly tellOnboardingProgress: {
    readonly input: {
      readonly attempt_id: string;
    } & {
      readonly stage: 'installed' | 'verified';
      /** Clients that the server was added to; those told before stay. */
      readonly clients?: readonly string[];
      readonly skill_installed?: boolean;
    };
    readonly answer: {
      readonly attempt_id: string;
      /** `connected` once the code was exchanged; `complete` with clients, skill, the stage `verified` and a first call. */
      readonly status: 'waiting' | 'connected' | 'complete';
      /** When `installed` was told first. */
      readonly installed_at: string | null;
      /** When `verified` was told first. */
      readonly verified_at: string | null;
      /** When a fetch of this attempt first gave a value. */
      readonly first_call_at: string | null;
      readonly clients: readonly string[];
      readonly skill_installed: boolean;
      /** What it asked and where the values came from; never the values. */
      readonly first_call: {
        readonly fields: readonly string[];
        readonly source_urls: readonly string[];
      } | null;
      /** Of the connect code. */
      readonly expires_at: string;
    };
  };
  /** Credits used this month */
  readonly usage: {
    readonly input: object;
    readonly answer: {
      readonly plan: string;
      /** `YYYY-MM`, UTC. */
      readonly period: string;
      /** Of the plan, a calendar month. */
      readonly credits_included: number;
      /** With what running requests have reserved. */
      readonly credits_used: number;
      /** Of the included ones. */
      readonly credits_remaining: number;
      readonly self_imposed_limit: number | null;
      /** The tighter of the plan's and the account's own limit. */
      readonly effective_limit: number;
      /** The 1st of next month, 00:00 UTC. */
      readonly resets_at: string;
      /** Adds up to `credits_used`. */
      readonly by_endpoint: readonly {
        readonly endpoint: string;
        /** Those that cost something, and those that run. */
        readonly requests: number;
        readonly credits: number;
      }[];
      /** By the day on which a request came, days without any left out. Adds up to `credits_used`. */
      readonly by_day: readonly {
        /** `YYYY-MM-DD`, UTC. */
        readonly date: string;
        /** Those that cost something, and those that run. */
        readonly requests: number;
        readonly credits: number;
      }[];
    };
  };
}

/** How every operation is sent. */
export const OPERATIONS = {
  ask: { method: 'POST', path: '/v1/ask', body: true },
  askSite: { method: 'POST', path: '/v1/ask-site', body: true },
  askStream: { method: 'POST', path: '/v1/ask/stream', body: true },
  beginOnboarding: { method: 'POST', path: '/v1/users/me/onboarding', body: true },
  change_settings: { method: 'PATCH', path: '/v1/users/me/settings', body: true },
  changes: { method: 'GET', path: '/v1/changes', query: ['since', 'state', 'fields', 'limit', 'cursor'] },
  coverageCatalog: {
    method: 'GET',
    path: '/v1/meta/coverage',
    query: ['state', 'county', 'dataset', 'after', 'limit'],
  },
  create_token: { method: 'POST', path: '/v1/users/me/tokens', body: true },
  enrich: { method: 'POST', path: '/v1/enrich', body: true },
  exchangeConnectCode: { method: 'POST', path: '/v1/onboarding/exchange', body: true },
  fetch: { method: 'POST', path: '/v1/fetch', body: true },
  fetchBatch: { method: 'POST', path: '/v1/fetch/batch', body: true, key: 'header' },
  fetchQuote: { method: 'POST', path: '/v1/fetch/quote', body: true },
  fieldCatalog: { method: 'GET', path: '/v1/meta/fields' },
  fieldRequest: { method: 'GET', path: '/v1/field-requests/{request_id}' },
  fileFieldRequest: { method: 'POST', path: '/v1/field-requests', body: true, key: 'body' },
  geocode: { method: 'POST', path: '/v1/geocode', body: true },
  health: { method: 'GET', path: '/healthz' },
  list_tokens: { method: 'GET', path: '/v1/users/me/tokens' },
  lookup: { method: 'POST', path: '/v1/lookup', body: true },
  onboardingAttempt: { method: 'GET', path: '/v1/users/me/onboarding/{attempt_id}' },
  onboardingTerms: { method: 'GET', path: '/v1/onboarding/terms' },
  openapi: { method: 'GET', path: '/v1/openapi.json' },
  planCatalog: { method: 'GET', path: '/v1/meta/plans' },
  pollDeviceLogin: { method: 'POST', path: '/v1/mcp/device/poll', body: true },
  proximity: { method: 'POST', path: '/v1/proximity', body: true },
  proximity_isochrone: { method: 'POST', path: '/v1/proximity/isochrone', body: true },
  proximity_labor_shed: { method: 'POST', path: '/v1/proximity/labor_shed', body: true },
  proximity_matrix: { method: 'POST', path: '/v1/proximity/matrix', body: true },
  proximity_nearest: { method: 'POST', path: '/v1/proximity/nearest', body: true },
  proximity_screen: { method: 'POST', path: '/v1/proximity/screen', body: true },
  readiness: { method: 'GET', path: '/readyz' },
  registerSite: { method: 'POST', path: '/v1/sites', body: true },
  reveal_token: { method: 'POST', path: '/v1/users/me/tokens/{id}/reveal', body: true },
  revoke_token: { method: 'DELETE', path: '/v1/users/me/tokens/{id}' },
  run: { method: 'GET', path: '/v1/runs/{run_id}' },
  runArtifact: { method: 'GET', path: '/v1/runs/{run_id}/artifacts/{fmt}' },
  runEvents: { method: 'GET', path: '/v1/runs/{run_id}/events' },
  search: { method: 'POST', path: '/v1/search', body: true },
  site: { method: 'GET', path: '/v1/sites/{site_id}' },
  startDeviceLogin: { method: 'POST', path: '/v1/mcp/device/start', body: true },
  submitRun: { method: 'POST', path: '/v1/runs', body: true, key: 'header' },
  tellOnboardingProgress: { method: 'POST', path: '/v1/onboarding/{attempt_id}/progress', body: true },
  usage: { method: 'GET', path: '/v1/users/me/usage' },
} as const;
