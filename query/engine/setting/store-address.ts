import type { Setting } from './setting.ts';

const ADDRESS = /^(?:s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[^?#]*)?|file:\/\/\/.*|(?![a-z][a-z0-9+.-]*:\/).+)$/i;

/**
 * The address of a store of releases; empty when it is not given.
 * @throws RangeError, when it is read, naming the variable and what was expected.
 */
export function storeAddress(variable: string, meaning: string): Setting<string> {
  return {
    variable,
    meaning,
    fallback: '',
    parse(value) {
      if (value === undefined || value === '' || ADDRESS.test(value)) return value ?? '';
      throw new RangeError(`${variable}=${value}: expected s3://bucket/prefix, file:///folder or the path of a folder`);
    },
  };
}
