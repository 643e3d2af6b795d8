import { FLOOD, type SitingTemplate, USUAL } from './template.ts';

/** Ground-mounted panels: slopes that trackers take, roads and lines kept clear of shade and of their rights of way. */
export default {
  name: 'solar',
  title: 'Ground-mounted solar',
  exclusions: [
    FLOOD,
    ...USUAL,
    { layer: 'census_tiger:roads', setbackM: 15 },
    { layer: 'eia_atlas:transmission_lines', setbackM: 30 },
    { layer: 'fema_usa_structures', setbackM: 30 },
  ],
  boundarySetbackM: 15,
  maxSlopePercent: 10,
  minWidthM: 20,
  minPieceAcres: 2,
} satisfies SitingTemplate;
