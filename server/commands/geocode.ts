import { type Command, UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';

/** The interface's limit. */
const LONGEST = 256;
/** Room for the street names of the states that one address leads to. */
const CACHE_MB = 256;
const LIMIT_MS = 60_000;

/** `plat geocode`: what POST /v1/geocode answers from the current release, without a server. */
export const geocodeCommand: Command = {
  name: 'geocode',
  example: 'plat geocode "73 Harlow St, Bangor, ME"',
  summary: 'Find an address in the current release and print its geocode block as JSON.',
  args: ['[address]'],
  options: [],
  async run([address], _options, terminal) {
    if (address === undefined || address.trim() === '' || address.length > LONGEST)
      throw new UsageError(`geocode: expected an address of 1 to ${LONGEST} characters, in quotes`);
    const [
      { unsupportedForm },
      { geocode },
      { createCache },
      { openRelease },
      { ServiceError },
      { blockOf },
      { localAnswer },
      { requireMatch },
    ] = await Promise.all([
      import('../../query/geocode/address/unsupported-form.ts'),
      import('../../query/geocode/geocode.ts'),
      import('../../query/release/cache.ts'),
      import('../../query/release/open-release.ts'),
      import('../errors/registry.ts'),
      import('../geocoder/block.ts'),
      import('../geocoder/local-tier.ts'),
      import('../geocoder/verdict.ts'),
    ]);
    const form = unsupportedForm(address);
    try {
      if (form !== null) throw new ServiceError('address_form_unsupported', { ...form });
      const release = openRelease(readSettings(process.env).home);
      const deadline = Date.now() + LIMIT_MS;
      const found = await geocode(address, { release, cache: createCache(CACHE_MB), deadline, stopped: () => false });
      if (found.uncovered)
        throw new ServiceError('geocode_unconfigured', { reason: 'the release holds no layer that answers addresses' });
      const block = blockOf(requireMatch(localAnswer(found), address), 'other');
      terminal.out(terminal.json ? JSON.stringify(block) : JSON.stringify(block, null, 2));
      return 0;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (terminal.json) terminal.out(JSON.stringify({ error: error.code, message: error.message }));
      terminal.err(`${error.code}: ${error.message}`);
      return 1;
    }
  },
};
