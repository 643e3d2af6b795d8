import { FLOOD, type SitingTemplate, USUAL } from './template.ts';

/** Battery storage: level ground, 30 m (100 feet) from houses and boundaries (NFPA 855, remote installations). */
export default {
  name: 'storage',
  title: 'Battery storage',
  exclusions: [
    FLOOD,
    ...USUAL,
    { layer: 'census_tiger:roads', setbackM: 15 },
    { layer: 'eia_atlas:transmission_lines', setbackM: 15 },
    { layer: 'fema_usa_structures', setbackM: 30 },
  ],
  boundarySetbackM: 30,
  maxSlopePercent: 5,
  minWidthM: 30,
  minPieceAcres: 1,
} satisfies SitingTemplate;
