import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { accountGate } from '../lease/gate.ts';
import type { StateStore } from '../state/store.ts';
import type { ProximityServices } from './operation.ts';
import { embeddedRouting } from './provider/embedded.ts';
import { httpRouting } from './provider/http.ts';
import { osrm } from './provider/osrm.ts';
import type { Routing } from './provider/provider.ts';
import { valhalla } from './provider/valhalla.ts';

function routingOf(settings: Settings, engine: Engine, state: Pick<StateStore, 'routing'>): Routing {
  const embedded = embeddedRouting(engine);
  if (settings.routing === 'embedded') return embedded;
  const { routingUrl: url, routingKey: key } = settings;
  const make = settings.routing === 'osrm' ? osrm : valhalla;
  return httpRouting({
    protocol: make(url, key === 'none' ? '' : key, { timeoutMs: settings.routingTimeout, now: Date.now }),
    url,
    key,
    records: state.routing,
    budget: settings.routingBudget || null,
    now: Date.now,
    embedded,
  });
}

/**
 * Makes the proximity services: the source of drive times that the settings name, and the limit on concurrent requests.
 */
export function configuredProximity(
  settings: Settings,
  engine: Engine,
  state: Pick<StateStore, 'routing'>,
): ProximityServices {
  return { routing: routingOf(settings, engine, state), gate: accountGate(settings.proximityConcurrency) };
}
