// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The receipt of an answer */
export interface Receipt {
  readonly input: {
    readonly receipt_id: string;
  };
  readonly answer: {
    readonly receipt_id: string;
    readonly created_at: string;
    /** The address of the service. */
    readonly service: string;
    /** `sha256` is of the canonical JSON of the body: names in order, no spaces. */
    readonly request: {
      readonly method: 'POST';
      readonly path: string;
      /** As it was sent; null where it has more than 32,768 characters. */
      readonly body: unknown;
      readonly sha256: string;
    };
    /** `content_sha256` is of the canonical JSON of the answer without what differs from call to call (times of reading, the id of the request, cursors); `parts` has the first digits of the digest of each part, so that it can be said where another answer differs. */
    readonly answer: {
      readonly bytes: number | null;
      /** Of the bytes of the answer as it was sent; null of an answer of a tool. */
      readonly sha256: string | null;
      readonly content_sha256: string;
      readonly depth: number;
      readonly parts: { readonly [name: string]: string };
    };
    /** The manifest has the SHA-256 of every file of the release. */
    readonly release: {
      readonly id: string;
      readonly manifest_sha256: string;
      readonly layers: readonly {
        readonly layer: string;
        /** Hash over all files of the layer. */
        readonly version: string;
        /** Partitions whose ground holds a place of the answer, 100 at most. */
        readonly files: readonly {
          readonly path: string;
          readonly sha256: string;
        }[];
      }[];
      /** Accepted corrections of names in the answer, the first 200 of `count`; left out where there are none. */
      readonly corrections?: {
        readonly count: number;
        readonly entries: readonly {
          readonly correction_id: string;
          readonly field: string;
          /** Other names of the same value. */
          readonly also: readonly string[];
          /** Fields that rest on what the source says, and say so in their notes. */
          readonly touches?: readonly string[];
          readonly dataset: string;
          readonly value: string | number | boolean;
          readonly parcel_id: string | null;
          readonly lat: number;
          readonly lng: number;
          readonly evidence_url: string | null;
          readonly accepted_at: string;
        }[];
      };
    };
    readonly engine: {
      readonly name: 'plat';
      readonly version: string;
    };
    /** `kid` of its key at /.well-known/receipt-keys.json. */
    readonly key_id: string;
    /** Ed25519 over the canonical JSON of the receipt without `signature`, in base64url. */
    readonly signature: string;
  };
}
