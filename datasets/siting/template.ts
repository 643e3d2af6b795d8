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
  readonly maxSlopePercent: number;
  readonly minWidthM: number;
  readonly minPieceAcres: number;
}

/** Exclusions that every template has: what is under water, drawn wet, protected, or under lines and pipes. */
export const USUAL: readonly SitingExclusion[] = [
  { layer: 'usfws_nwi', setbackM: 30 },
  { layer: 'usgs_nhdplus_hr:NHDWaterbody', setbackM: 30 },
  { layer: 'usgs_padus', setbackM: 0 },
  { layer: 'eia_atlas:natural_gas_pipelines', setbackM: 15 },
];

/** Special flood hazard areas (44 CFR 59.1). */
export const FLOOD: SitingExclusion = { layer: 'fema_nfhl:S_FLD_HAZ_AR', where: "SFHA_TF = 'T'", setbackM: 0 };
