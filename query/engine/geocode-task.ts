import type { TaskEnvironment } from '../evaluate/environment.ts';
import { geocode } from '../geocode/geocode.ts';
import type { Geocoded } from '../geocode/match.ts';
import { Interrupted } from '../release/fault.ts';

/** What crosses from the worker: the answer, or why there is none. */
export type GeocodeOutcome =
  | { readonly geocoded: Geocoded }
  | { readonly failed: string /** Whether only the time was up. */; readonly late: boolean };

/** The local geocoder could not read what it needs, or not in time. */
export class GeocodeFailed extends Error {
  override readonly name = 'GeocodeFailed';
  readonly late: boolean;
  constructor(reason: string, late: boolean) {
    super(reason);
    this.late = late;
  }
}

/** Looks an address up. Never throws but Interrupted. */
export async function geocodeTask(
  { address }: { readonly address: string },
  environment: TaskEnvironment,
): Promise<GeocodeOutcome> {
  try {
    return { geocoded: await geocode(address, environment) };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return { failed: (error as Error).message, late: Date.now() > environment.deadline };
  }
}
