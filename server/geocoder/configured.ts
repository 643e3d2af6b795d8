import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { accountGate } from '../lease/gate.ts';
import type { GeocodeRecords } from '../state/geocodes.ts';
import { createGeocoder, type Geocoder } from './geocoder.ts';
import { createHttpTier } from './http-tier.ts';
import { createLocalTier } from './local-tier.ts';
import type { GeocodeTier } from './tier.ts';

function tierOf(settings: Settings, engine: Engine): GeocodeTier {
  if (settings.geocoder === 'local') return createLocalTier(engine, Date.now);
  const { geocodeUrl: url, geocodeKey: key } = settings;
  const fallbackUrl = settings.geocodeFallback === 'on' ? settings.geocodeFallbackUrl : null;
  return createHttpTier({ url, key, fallbackUrl, now: Date.now });
}

/** Makes the geocoder that the settings name, with its gate and budget. */
export function configuredGeocoder(settings: Settings, engine: Engine, records: GeocodeRecords): Geocoder {
  return createGeocoder({
    tier: tierOf(settings, engine),
    records,
    clock: Date,
    gate: accountGate(settings.geocodeConcurrency),
    budget: settings.geocodeBudget || null,
  });
}
