import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import type { Resource } from '../resource.ts';

/** Every name, one line each: a twentieth of the size of GET /v1/meta/fields. */
export const catalogResource: Resource = {
  name: 'catalog',
  title: 'Catalog of fields',
  description: 'Every field, a line each, and the presets. Long: service_catalog finds fields by words.',
  mimeType: 'text/plain',
  uri: 'service://catalog',
  read({ catalog }) {
    const enrich = enrichCatalogOf(catalog);
    const fetch = [...catalog.fields.values()].map(
      ({ name, layer, unit, type, title }) => `${name}\t${layer}\t${unit ?? type}\t${title}`,
    );
    const rest = [...enrich.fields.values()]
      .filter(({ kind }) => kind !== 'fetch')
      .map(({ name, unit, type, description }) => `${name}\t${unit ?? type}\t${description}`);
    const presets = (all: Iterable<readonly [string, readonly string[]]>) =>
      [...all].map(([name, fields]) => `${name}\t${fields.join(' ')}`);
    return [
      `# ${fetch.length} fields of service_fetch and service_enrich`,
      ...fetch,
      `# ${rest.length} fields of service_enrich alone`,
      ...rest,
      '# Presets of service_fetch',
      ...presets(catalog.presets),
      '# Presets of service_enrich',
      ...presets(enrich.presets),
    ].join('\n');
  },
};
