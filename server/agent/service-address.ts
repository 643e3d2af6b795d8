import { UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';

/**
 * The service that the settings name, and the token that they give for it; null without one.
 * @throws UsageError when PLAT_URL is not the address of a service.
 */
export function serviceOf(command: string): { readonly service: string; readonly token: string | null } {
  const { serviceUrl, serviceToken } = readSettings(process.env);
  const url = URL.parse(serviceUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${command}: PLAT_URL is the address of a service, such as https://plat.example.org`);
  return { service: url.origin, token: serviceToken === '' ? null : serviceToken };
}
