import type { FETCH_PRESETS } from '../../../datasets/catalog.ts';

type Preset = (typeof FETCH_PRESETS)[number];

/** Ways to ask for everything about a matter rather than for one value. */
const BROAD =
  'overview|summary|summarize|summarise|profile|everything|all about|all the|full|complete|report|rundown|lay of the land|tell me about the|describe|resumen|perfil|todo sobre|what do (?:you|we) know about';
/** Ways to ask whether a place suits a purpose. */
const FIT =
  'good|suitab\\w*|siting|site|sites|viab\\w*|feasib\\w*|worth|work for|fit for|right (?:place|spot|location)|candidate|develop\\w*|build|put|install|host|project|evaluate|assess|screen|buen[oa]?|adecuad\\w*|apto|construir|instalar';

const broad = (matter: string) =>
  new RegExp(
    `\\b(?:${BROAD})\\b[^:;?]{0,40}\\b(?:${matter})\\b|\\b(?:${matter})\\b[^:;?]{0,40}\\b(?:overview|summary|profile|report|rundown|checklist)\\b`,
    'i',
  );
const fit = (matter: string) =>
  new RegExp(`\\b(?:${FIT})\\b.*\\b(?:${matter})|(?:${matter})\\b.*\\b(?:${FIT})\\b`, 'i');

/** What is said to ask for a preset as a whole, more special matters first. */
const PATTERNS: readonly (readonly [Preset, readonly RegExp[]])[] = [
  ['data_center_siting', [fit('data ?cent(?:er|re)s?|server farm|hyperscale')]],
  [
    'storage_siting',
    [fit('battery storage|energy storage|bess|battery (?:farm|project|plant|site)|grid batter\\w*|storage project')],
  ],
  [
    'solar_siting',
    [
      fit(
        'solar (?:farm|plant|project|site|array|park|field|development|installation|facility)|utility.scale solar|granja solar|parque solar|solar siting',
      ),
    ],
  ],
  [
    'wind_siting',
    [fit('wind (?:farm|plant|project|site|park|turbines?|development|energy|power)|parque eolico|wind siting')],
  ],
  [
    'grid_interconnect',
    [
      /\b(?:interconnection|interconnect) (?:options?|overview|study|summary|potential|report|profile|feasibility|prospects?)\b/i,
      /\b(?:can|could|how (?:easily|hard)|easy|hard|feasible)\b.*\b(?:interconnect|connect to the grid|grid connection|hook up to the grid)\b/i,
      broad('interconnection|grid connection'),
    ],
  ],
  [
    'wildfire_underwrite',
    [
      /\bunderwrit\w*\b.*\b(?:wild)?fire\b|\b(?:wild)?fire\b.*\bunderwrit\w*\b/i,
      broad('(?:wild)?fire(?: risk)?|incendios?'),
    ],
  ],
  [
    'flood_risk',
    [
      broad('flood(?:ing)?(?: risk| hazard| exposure)?|inundacion(?:es)?'),
      /\bflood (?:risk )?(?:due diligence|assessment|underwriting)\b/i,
    ],
  ],
  [
    'natural_hazard',
    [
      /\b(?:all|any|what|which|every|natural|main|biggest|kinds? of)\b.*\b(?:natural )?(?:hazards|disasters|perils|dangers|catastrophes|desastres|peligros)\b/i,
      /\b(?:riesgos|peligros|desastres) naturales\b/i,
      /\bnatural (?:hazard|disaster) (?:risks?|exposure|overview|profile|summary)\b/i,
      broad('hazards?|disasters?'),
      /\b(?:biggest|main|greatest|worst|top|most serious|chief) (?:natural )?(?:risks?|hazards?|dangers?|threats?|perils?)(?: (?:here|there|of (?:the|this) \p{L}+))?\W*$/iu,
      /\b(?:tell me|know|worry) about (?:the )?(?:natural )?(?:hazards|dangers|perils|disasters)\b/i,
      /^(?:the |all |natural |list )*(?:hazards|perils)(?: here| there| of the (?:site|place|property))?$/i,
    ],
  ],
  ['terrain', [broad('terrain|topography|lay of the land|relief|terreno y pendiente'), /\blay of the land\b/i]],
  ['land_cover', [broad('land cover|vegetation|ground cover')]],
  ['building_lookup', [broad('buildings?|structures?')]],
  [
    'points_of_interest',
    [
      /\b(?:what'?s|what is|whats|what (?:amenities|services|shops|conveniences) are)\b(?: all| there)?(?: \p{L}+)? \b(?:around here|nearby|close by|in the neighborhood|in walking distance|within walking distance)\b/iu,
      /\bpoints of interest\b/i,
      broad('amenities|neighborhood amenities'),
    ],
  ],
  [
    'utilities',
    [
      /^(?!.*\bname of)(?!who\b)(?=.*\b(?:what|which|all|available|are there|list)\b).*\butilit(?:y|ies)\b(?!.*\b(?:scale|solar|name|company|type|outage|rate|saidi|id|number)\b)/i,
      broad('utilit(?:y|ies)'),
      /\bservicios publicos\b/i,
    ],
  ],
  [
    'boundaries',
    [
      broad('boundaries|jurisdictions?|administrative areas?|districts'),
      /\b(?:which|what) (?:jurisdictions?|administrative (?:areas|units|boundaries)|political boundaries)\b/i,
    ],
  ],
  [
    'site_selection',
    [
      /\bsite[- ]selection\b/i,
      /\bdue diligence\b/i,
      /\b(?:good|bad|nice|decent|suitable|right) (?:place|site|spot|location) (?:to|for) (?:build|buy|develop\w*|live|a house|a home|a warehouse|a factory|a business|a store|housing|industry|us|me)\b/i,
      /\bshould (?:i|we) (?:buy|build|invest|move)\b/i,
      /\b(?:tell me|know|give me|show me|see|want)\b(?: about)? (?:everything|anything|all)$|^(?:everything|anything|all|todo)$/i,
      /\b(?:everything|all) (?:you (?:know|have|got)|there is to know)\b|\btell me everything\b|\bgive me the (?:full )?rundown\b/i,
    ],
  ],
];

/** Asks for one value of a matter, and not for all of it. */
const ONE_VALUE =
  /\b(?:scores?|rat(?:ed|ings?)|index|percentile|annual loss(?:es)?|declar\w*|how many|number of|aal|eal)\b/i;

/** The preset that a question asks for as a whole, or null. */
export function presetOf(question: string): Preset | null {
  const text = question.normalize('NFKD').replace(/\p{M}/gu, '');
  if (ONE_VALUE.test(text) && !new RegExp(`\\b(?:${BROAD})\\b`, 'i').test(text)) return null;
  return PATTERNS.find(([, patterns]) => patterns.some(pattern => pattern.test(text)))?.[0] ?? null;
}
