import Type from 'typebox';
import { PROTOCOLS } from '../protocol.ts';
import { closed, name, optional, said } from './place-source-definition.ts';

/** Where a file of a place is published. */
export const published = Type.Object(
  {
    dataset: optional(Type.String(said('Dataset of the catalog that declares where its files are (catalog.md).'))),
    layer: optional(Type.String(said('Layer of that dataset; needed where its layers are different files.'))),
    url: optional(
      name(
        'Address of your own instead, with placeholders as in catalog.md: `{st}`, `{ST}`, `{fips}`, `{county}`, `{year}`, …',
      ),
    ),
    via: optional(Type.Enum([...PROTOCOLS], said('What answers at that address; by default http.'))),
    where: optional(Type.String(said('Feature services: condition of the rows that are taken, in their SQL.'))),
    ground: optional(
      Type.Number({
        minimum: 0,
        maximum: 2000,
        description: 'Map servers: only what meets the box of the county, widened by so many kilometers.',
      }),
    ),
    resource: optional(Type.String(said("CKAN: pattern of the resource's name or address."))),
    vintage: optional(
      Type.Union(
        [
          Type.Object(
            {
              newest: Type.Enum(['year', 'month'], said('Placeholders that are tried from today back.')),
              back: Type.Integer({ minimum: 1, maximum: 60, description: 'How often.' }),
            },
            closed,
          ),
          Type.Object(
            {
              index: name('Page that names the files.'),
              link: name('Pattern of their names; its first group is the vintage.'),
              base: optional(name('What they are relative to; by default the page.')),
            },
            closed,
          ),
        ],
        said('How the newest vintage is found.'),
      ),
    ),
    cadence: optional(
      name(
        "How often the publisher has something new, in words as in catalog.md (`daily`, `weekly`, `quarterly`, `annual`), instead of the dataset's.",
      ),
    ),
    optional: optional(
      Type.Literal(
        true,
        said(
          'Where its publisher has no such file, the layers that read it are left out, the ingest says so, and what else fills ' +
            'these layers is not `whole` any more. Otherwise the ingest fails.',
        ),
      ),
    ),
    state: optional(Type.String(said("State of the file; by default the place's."))),
    county: optional(Type.String(said("County of the file; by default the place's."))),
    with: optional(
      Type.Record(Type.String(), Type.String(), said('Other placeholders of the address, with their values.')),
    ),
  },
  { ...closed, ...said('Where a file of the place is published: by a dataset of the catalog, or at a `url`.') },
);
