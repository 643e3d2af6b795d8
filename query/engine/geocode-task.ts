import type { TaskEnvironment } from '../evaluate/environment.ts';
import { geocode } from '../geocode/geocode.ts';
import type { Geocoded } from '../geocode/match.ts';
import { type Failure, failureOf } from './failure.ts';

/** Looks an address up. Never throws but Interrupted. */
export const geocodeTask = (
  { address }: { readonly address: string },
  environment: TaskEnvironment,
): Promise<Geocoded | Failure> =>
  geocode(address, environment).catch((error: unknown) => failureOf(error, environment.deadline));
