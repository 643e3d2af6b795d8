import type { ErrorKind } from './error-kind.ts';

/** Error codes of search. */
export const SEARCH_ERRORS = {
  search_invalid_request: {
    status: 422,
    message: 'The search cannot be run: {count} wrong with it, see `issues`.',
    retryable: false,
    meaning:
      'No state is selected, or the shape, a name, an operator, an operand, an area or the cursor does not hold. Every entry of `issues` has `path`, `description` and `hint`; raw input is never echoed, and a name only where the catalog has it. All wrong names are listed, with the nearest ones for the first ten, and at most 50 other faults. Nothing was read.',
    example: { count: 'one thing is' },
    exampleContext: {
      issues: [
        {
          path: 'filters',
          description: 'No state is selected.',
          hint: 'Add a filter on `state` or `state2` with `eq` and a two-letter code, or `in` and a nonempty list of them.',
        },
      ],
      docs_url: '/v1/docs',
      request_id: '0b7a1f6e-6c53-4a76-9a0e-3f7b7c0f7a11',
    },
    origin: 'spec',
  },
  search_limit_exceeded: {
    status: 422,
    message: '`limit` is above {max}, which is never clamped: take further pages with `cursor`.',
    retryable: false,
    meaning: 'One page holds at most 100 matches.',
    example: { max: 100 },
    exampleContext: {
      issues: [{ path: 'limit', description: 'Expected 1 to 100.', hint: 'Take further pages with `cursor`.' }],
      docs_url: '/v1/docs',
      request_id: '0b7a1f6e-6c53-4a76-9a0e-3f7b7c0f7a11',
    },
    origin: 'spec',
  },
  groups_too_many: {
    status: 422,
    message: 'There are more than {max} groups: group by fewer things, by larger cells or by bins.',
    retryable: false,
    meaning:
      'An aggregate would have more than 10,000 groups, as one by parcel number. Which groups there are was not looked at to the end; nothing was charged.',
    example: { max: 10_000 },
    origin: 'plat',
  },
  area_too_large: {
    status: 422,
    message: 'No search takes that area: {why}.',
    retryable: false,
    meaning:
      'The area about a place would be larger, or have more vertices, than the areas of a search may, or its shape has too many edges. Ask for a shorter distance, or about a simpler shape.',
    example: { why: 'it has more than 1000000 square kilometers' },
    origin: 'plat',
  },
  parcel_not_found: {
    status: 404,
    message: 'This release has no such parcel: enrichment, lookup and ranks answer `parcel_id`.',
    retryable: false,
    meaning:
      'No county of the open release has a parcel of that id or at that place, or its parcels are not in it any more.',
    origin: 'plat',
  },
  owner_not_found: {
    status: 404,
    message: 'There is no such owner: POST /v1/owners answers `owner_id`.',
    retryable: false,
    meaning:
      'The id is none that owners have, or no parcel of the open release is theirs any more. Where the release has no owners at all, the answer is an empty page that is `partial`.',
    origin: 'plat',
  },
  search_unavailable: {
    status: 503,
    message: 'Searches cannot be run now: {reason}.',
    retryable: true,
    retryAfter: 3,
    meaning: 'No cursor signing secret is configured, or all workers are busy. Raised before any parcel is read.',
    example: { reason: 'no cursor signing secret is configured' },
    origin: 'spec',
  },
} as const satisfies Record<string, ErrorKind>;
