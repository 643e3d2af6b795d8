import { FLOOD, type SitingTemplate, USUAL } from './template.ts';

/** Houses: usual yards, slopes that a street can climb. */
export default {
  name: 'housing',
  title: 'Housing',
  exclusions: [
    FLOOD,
    ...USUAL,
    { layer: 'census_tiger:roads', setbackM: 10 },
    { layer: 'eia_atlas:transmission_lines', setbackM: 30 },
  ],
  boundarySetbackM: 5,
  maxSlopePercent: 15,
  minWidthM: 12,
  minPieceAcres: 0.1,
} satisfies SitingTemplate;
