import { UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';

/**
 * Reads the URL of the service, and the token for it, from the settings. The token is null when none is set.
 * @throws UsageError when PLAT_URL is not the URL of a service.
 */
export function serviceOf(command: string): { readonly service: string; readonly token: string | null } {
  const { serviceUrl, serviceToken } = readSettings(process.env);
  const url = URL.parse(serviceUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${command}: PLAT_URL is the address of a service, such as https://plat.example.org`);
  return { service: url.origin, token: serviceToken === '' ? null : serviceToken };
}
