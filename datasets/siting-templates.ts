/** Ground that a kind of project keeps clear of. */
export interface SitingExclusion {
  /** As programs name it: `dataset:layer`, or the dataset alone for its main layer. */
  readonly layer: string;
  /** Condition on its columns, in the grammar of the catalog; left out: all features. */
  readonly where?: string;
  readonly setbackM: number;
}

/**
 * What a kind of project is usually sited by: where developers begin, and no law. Rules of a county or a state may ask for more, and a
 * caller overrides each of them.
 */
export interface SitingTemplate {
  readonly name: string;
  readonly title: string;
  readonly exclusions: readonly SitingExclusion[];
  readonly boundarySetbackM: number;
  /** Null for any slope. */
  readonly maxSlopePercent: number | null;
  readonly minWidthM: number;
  readonly minPieceAcres: number;
}

/** Exclusions that every template has: what is under water, drawn wet, protected, or under lines and pipes. */
const USUAL: readonly SitingExclusion[] = [
  { layer: 'usfws_nwi', setbackM: 30 },
  { layer: 'usgs_nhdplus_hr:NHDWaterbody', setbackM: 30 },
  { layer: 'usgs_padus', setbackM: 0 },
  { layer: 'eia_atlas:natural_gas_pipelines', setbackM: 15 },
];

/** Special flood hazard areas (44 CFR 59.1). */
const FLOOD: SitingExclusion = { layer: 'fema_nfhl:S_FLD_HAZ_AR', where: "SFHA_TF = 'T'", setbackM: 0 };

/** Ground-mounted panels: slopes that trackers take, roads and lines kept clear of shade and of their rights of way. */
const solar: SitingTemplate = {
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
};

/** Turbines: a tip height and a tenth, some 165 m, from roads, lines and boundaries; three times as much from houses. */
const wind: SitingTemplate = {
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
};

/** Battery storage: level ground, 30 m (100 feet) from houses and boundaries (NFPA 855, remote installations). */
const storage: SitingTemplate = {
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
};

/** The flood of 500 years is kept out too: zone X of its lower chance. */
const RARE_FLOOD: SitingExclusion = { layer: FLOOD.layer, where: "ZONE_SUBTY like '0.2 PCT%'", setbackM: 0 };

/** Data centers: large level pads out of every mapped flood. */
const dataCenter: SitingTemplate = {
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
};

/** Houses: usual yards, slopes that a street can climb. */
const housing: SitingTemplate = {
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
};

/** All templates of siting, by name. */
export const SITING_TEMPLATES: ReadonlyMap<string, SitingTemplate> = new Map(
  [solar, wind, storage, dataCenter, housing].map(template => [template.name, template]),
);
