import { failureOf, type PlaceState, type RefreshState } from '../../query/release/home/place-states.ts';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { PlacesResponse } from './schema.ts';

/** What operators are shown. */
export interface OperatorServices {
  /** Reads how the places of the home stand, by name. */
  readonly places?: () => Readonly<Record<string, PlaceState>>;
}

const shown = ({ askedAt, newAt, failedSince, why }: RefreshState) => ({
  ...{ asked_at: askedAt, new_at: newAt, failed_since: failedSince, why },
});

/** GET /v1/operator/places: how the refresh of each place and file stands. @throws ServiceError operator_only. */
export async function operatorPlaces(ctx: Ctx, { places = () => ({}) }: OperatorServices): Promise<PlacesResponse> {
  if (!(await ctx.state.accountRecords.isOperator(accountOf(ctx).id))) throw new ServiceError('operator_only');
  const rankOf = ([name, state]: [string, PlaceState]) => `${failureOf(state)?.since ?? '~'} ${name}`;
  const states = Object.entries(places()).sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  return {
    places: states.map(([place, state]) => ({
      place,
      ...shown(state),
      files: Object.entries(state.files).map(([file, of]) => ({ file, ...shown(of) })),
    })),
  };
}
