/** The text of the skill that teaches agents to use the service. */
export const SKILL = `---
name: plat
description: Cited answers about places in the United States (parcels, flood zones, terrain, utilities, zoning, hazards). Use when a question is about a coordinate, an address, a parcel or land that shall be found by its properties.
---

# Plat

1. Call \`service_catalog\` with everyday words to get exact field names. Do not guess names.
2. Land by properties: \`service_search\`. One filter is on \`state\`; the others come from \`service_catalog\` with \`surface: "filter"\`. Matches come in stored order, not ranked: read \`status\` and go on with \`next_cursor\`.
3. Values at a place: \`service_fetch\` (up to 50 fields), at several places \`service_fetch_batch\`. \`service_quote\` says before what it costs.
4. All of one parcel: \`service_enrich\`, with \`fields\` or \`preset\`, otherwise the answer is long.
5. How many, the best, sums and shares over all parcels that pass filters, and areas about a place: \`service_sets\`.
6. An address or what somebody typed: \`service_geocode\` finds its place, \`service_lookup\` its parcel and areas. Drive times and what is near: \`service_proximity\`.
7. A polygon of land: \`service_sites\` screens it, \`service_ask_site\` answers about it. Thousands of places: \`service_runs\`.
8. Where the words are all you have: \`service_ask\`. A field that is missing: \`service_field_requests\`.

Cite the source and vintage of each value. \`absent\` means that the source has no data there; \`failed\` says nothing and can be tried again where \`retryable\` is true. Compare \`normalized_address\` with the address that was asked about; where \`parcel_grade\` is false the point is only near it.
`;
