import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { createGate } from '../geocode/gate.ts';
import type { StateStore } from '../state/store.ts';
import type { ProximityServices } from './operation.ts';
import { embeddedRouting } from './provider/embedded.ts';

/** What the settings say that drive times come from. */
export function configuredProximity(settings: Settings, engine: Engine, _state: StateStore): ProximityServices {
  return { routing: embeddedRouting(engine), gate: createGate(settings.proximityConcurrency) };
}
