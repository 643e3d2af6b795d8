import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const TIME = Type.String({ format: 'date-time' });
const SHA256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const ReceiptParams = Type.Object({ receipt_id: Type.String() });

const MaybeText = Type.Union([Type.String(), Type.Null()]);
const Correction = Type.Object(
  {
    correction_id: Type.String(),
    field: Type.String(),
    also: Type.Array(Type.String(), { description: 'Other names of the same value.' }),
    touches: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Fields that rest on what the source says, and say so in their notes.',
      }),
    ),
    dataset: Type.String(),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
    parcel_id: MaybeText,
    lat: Type.Number(),
    lng: Type.Number(),
    evidence_url: MaybeText,
    accepted_at: TIME,
  },
  closed,
);

/** A receipt as GET /v1/receipts/{receipt_id} answers it. */
export const ReceiptResponse = Type.Object(
  {
    receipt_id: Type.String(),
    created_at: TIME,
    service: Type.String({ description: 'The address of the service.' }),
    request: Type.Object(
      {
        method: Type.Literal('POST'),
        path: Type.String(),
        body: Type.Unknown({ description: 'As it was sent; null where it has more than 32,768 characters.' }),
        sha256: SHA256,
      },
      { ...closed, description: '`sha256` is of the canonical JSON of the body: names in order, no spaces.' },
    ),
    answer: Type.Object(
      {
        bytes: Type.Union([Type.Integer(), Type.Null()]),
        sha256: Type.Union([SHA256, Type.Null()], {
          description: 'Of the bytes of the answer as it was sent; null of an answer of a tool.',
        }),
        content_sha256: SHA256,
        depth: Type.Integer(),
        parts: Type.Record(Type.String(), Type.String()),
      },
      {
        ...closed,
        description:
          '`content_sha256` is of the canonical JSON of the answer without what differs from call to call (times of reading, the id of the request, cursors); `parts` has the first digits of the digest of each part, so that it can be said where another answer differs.',
      },
    ),
    release: Type.Object(
      {
        id: Type.String(),
        manifest_sha256: SHA256,
        layers: Type.Array(
          Type.Object(
            {
              layer: Type.String(),
              version: Type.String({ description: 'Hash over all files of the layer.' }),
              files: Type.Array(Type.Object({ path: Type.String(), sha256: SHA256 }, closed), {
                description: 'Partitions whose ground holds a place of the answer, 100 at most.',
              }),
            },
            closed,
          ),
        ),
        corrections: Type.Optional(
          Type.Object(
            { count: Type.Integer(), entries: Type.Array(Correction) },
            {
              ...closed,
              description:
                'Accepted corrections of names in the answer, the first 200 of `count`; left out where there are none.',
            },
          ),
        ),
      },
      { ...closed, description: 'The manifest has the SHA-256 of every file of the release.' },
    ),
    engine: Type.Object({ name: Type.Literal('plat'), version: Type.String() }, closed),
    key_id: Type.String({ description: '`kid` of its key at /.well-known/receipt-keys.json.' }),
    signature: Type.String({
      description: 'Ed25519 over the canonical JSON of the receipt without `signature`, in base64url.',
    }),
  },
  closed,
);
