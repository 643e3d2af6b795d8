import { useAnswer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';

interface Coverage {
  readonly counties: readonly {
    readonly state: string;
    readonly layers: readonly { readonly dataset: string }[];
  }[];
}

const REQUEST: ApiRequest = { method: 'GET', path: '/v1/meta/coverage', isPublic: true };

/** The states of which the release has parcels, as two letters; null until they are read. @param wanted false asks nothing. */
export function useParcelStates(wanted = true): readonly string[] | null {
  const [coverage] = useAnswer<Coverage>(wanted ? REQUEST : null);
  if (coverage.is !== 'here') return null;
  const withParcels = coverage.value.counties.filter(({ layers }) =>
    layers.some(({ dataset }) => dataset === 'parcel_store'),
  );
  return [...new Set(withParcels.map(({ state }) => state))];
}
