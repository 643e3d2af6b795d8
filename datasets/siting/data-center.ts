import { FLOOD, type SitingExclusion, type SitingTemplate, USUAL } from './template.ts';

/** The flood of 500 years is kept out too: zone X of its lower chance. */
const RARE_FLOOD: SitingExclusion = { layer: FLOOD.layer, where: "ZONE_SUBTY like '0.2 PCT%'", setbackM: 0 };

/** Data centers: large level pads out of every mapped flood. */
export default {
  name: 'data_center',
  title: 'Data center',
  exclusions: [
    FLOOD,
    RARE_FLOOD,
    ...USUAL,
    { layer: 'census_tiger:roads', setbackM: 15 },
    { layer: 'eia_atlas:transmission_lines', setbackM: 30 },
  ],
  boundarySetbackM: 30,
  maxSlopePercent: 8,
  minWidthM: 60,
  minPieceAcres: 5,
} satisfies SitingTemplate;
