import { type SitingTemplate, USUAL } from './template.ts';

/** Turbines: a tip height and a tenth, some 165 m, from roads, lines and boundaries; three times as much from houses. */
export default {
  name: 'wind',
  title: 'Wind turbines',
  exclusions: [
    ...USUAL,
    { layer: 'census_tiger:roads', setbackM: 165 },
    { layer: 'eia_atlas:transmission_lines', setbackM: 165 },
    { layer: 'fema_usa_structures', setbackM: 500 },
  ],
  boundarySetbackM: 165,
  maxSlopePercent: 20,
  minWidthM: 30,
  minPieceAcres: 0.5,
} satisfies SitingTemplate;
