import { groundOf } from '../../../server/docs/page/example-bodies.ts';
import { isWord, sampleOf } from '../../../server/operation/operation.ts';
import { OPERATIONS } from '../../../server/operations/registry.ts';

const PLACE = { lat: 44.8, lng: -68.77 };
const MAINE = [{ field: 'state', op: 'eq', value: 'ME' }];
/** Bodies of the operations of sets, which are one tool: their examples, and some that are refused. */
export const SETS: readonly (readonly [operation: string, path: string, body: object])[] = [
  ...OPERATIONS.filter(isWord).map(
    each => [each.tool.operation, each.route.slice('POST '.length), sampleOf(each, groundOf(null))] as const,
  ),
  ['count', '/v1/search/count', { filters: [], bound: 0 }],
  ['rank', '/v1/rank', { filters: MAINE }],
  ['aggregate', '/v1/aggregate', { filters: MAINE, measures: [] }],
  ['areas', '/v1/areas', PLACE],
  ['owner_parcels', '/v1/owners/parcels', { owner_id: 'own_' }],
  ['export_quote', '/v1/exports/quote', { search: { filters: MAINE }, fields: ['elevation'], format: 'csv' }],
  ['export', '/v1/exports', { search: { filters: MAINE }, format: 'shapefile' }],
  ['export', '/v1/exports', { format: 'csv' }],
];
