/** A page of the documentation: a file of docs/ by its name without the ending, or one of the project's folder. */
interface SitePage {
  /** Its address below /docs/. */
  readonly name: string;
  /** The file, from the folder of the project. */
  readonly file: string;
}

/** A part of the documentation, in the order in which somebody reads. */
export interface SiteSection {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

const pages = (...names: readonly string[]): SitePage[] => names.map(name => ({ name, file: `docs/${name}.md` }));

/** Every page of docs/ stands in exactly one section. */
export const SECTIONS: readonly SiteSection[] = [
  { title: 'Start', pages: pages('start', 'county', 'faq') },
  { title: 'Concepts', pages: pages('concepts', 'glossary', 'operators', 'rejected', 'scorecard', 'stability') },
  {
    title: 'Guides',
    pages: pages(
      ...['flood-letter', 'site-selection', 'solar', 'underwriting', 'portfolio', 'agents', 'qgis', 'duckdb', 'python'],
      ...[
        'from-regrid',
        'from-geocodio',
        'from-arcgis',
        'ogc',
        'exports',
        'formats',
        'map',
        'field-requests',
        'watches',
        'corrections',
        'receipts',
        'pack',
      ],
      'catalogs',
    ),
  },
  {
    title: 'Reference',
    pages: pages(
      ...['fetch', 'lookup', 'geocoding', 'suggestions', 'enrich', 'search', 'sets', 'analysis', 'proximity', 'sites'],
      ...['runs', 'ask', 'changes', 'errors', 'plans', 'parcels', 'catalog'],
    ),
  },
  {
    title: 'Ingest',
    pages: pages(
      ...['place-init', 'places', 'place-columns', 'state-parcels', 'quality', 'overlays', 'refresh', 'orchestrators'],
    ),
  },
  {
    title: 'Operate',
    pages: pages(
      ...['operations', 'commands', 'settings', 'accounts', 'jobs', 'metrics', 'alerts', 'scale', 'geocode-providers'],
      ...['security', 'performance'],
    ),
  },
  {
    title: 'Project',
    pages: [
      { name: 'changelog', file: 'CHANGELOG.md' },
      { name: 'contributing', file: 'CONTRIBUTING.md' },
      ...pages('architecture', 'dependencies'),
    ],
  },
];
