import type { Engine } from '../../query/engine/engine-interface.ts';
import { unsupportedForm } from '../../query/geocode/address/unsupported-form.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Geocoder } from './geocoder.ts';
import { createLocalTier } from './local-tier.ts';

/** A geocoder over the layers of the release for a command: nobody waits for a turn, and nothing is kept. */
export function freeGeocoder(engine: Engine): Geocoder {
  const tier = createLocalTier(engine, Date.now);
  return {
    async open(_, address) {
      const form = unsupportedForm(address);
      if (form !== null) throw new ServiceError('address_form_unsupported', { ...form });
      return { key: address, repeat: false, answer: terms => tier.locate(address, terms) };
    },
  };
}
