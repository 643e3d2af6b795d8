import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { outputNames } from '../../../query/search/request/surface.ts';
import { nearestFields } from '../../errors/name-advice.ts';
import { fieldCatalog } from '../../meta/operation.ts';
import type { Resource } from '../resource.ts';

/** One entry of GET /v1/meta/fields. */
export const fieldResource: Resource = {
  name: 'field',
  title: 'A field',
  description: 'Everything that the catalog says of one name: meaning, source, license, vintage, price, operators.',
  mimeType: 'application/json',
  uri: 'service://fields/{name}',
  async read(ctx, name) {
    const { fields, further_names: further } = await fieldCatalog(ctx);
    const found = fields.find(field => field.name === name) ?? further.find(field => field.name === name);
    return found ? JSON.stringify(found) : null;
  },
  nearest({ catalog }, wrong) {
    const names = [...catalog.fields.keys(), ...enrichCatalogOf(catalog).fields.keys(), ...outputNames(catalog)];
    return nearestFields(catalog, wrong, new Set(names));
  },
};
