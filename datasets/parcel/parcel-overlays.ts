import type { PARCEL_ATTRIBUTES } from './parcel-attributes.ts';

/** How an attribute of stored parcels is computed where its source does not publish it. */
export interface ParcelOverlay {
  /** Operator expression (docs/operators.md); `over=parcel` measures over the parcel itself. */
  readonly expression: string;
  /** As of fields. */
  readonly confidence: string;
  /** What a value is answered as, where the expression gives another. */
  readonly labels?: Readonly<Record<string, string>>;
}

const KEY = { confidence: 'const(high)' } as const;
const OVER = { confidence: 'const(medium)' } as const;

/** Square feet of a square metre (international foot). */
const SQUARE_FEET = 10.763910416709722;

/**
 * The overlays among the stored attributes: computed from the layers of a release for every parcel whose source leaves
 * them out. Where a source publishes one, the published value stands.
 */
export const PARCEL_OVERLAYS: Readonly<Partial<Record<keyof typeof PARCEL_ATTRIBUTES, ParcelOverlay>>> = {
  address_count: { ...OVER, expression: 'polygon_attr(usdot_nad, UUID, over=parcel, stat=count)' },
  zoning: { ...OVER, expression: 'polygon_attr(local_zoning, ZONE, over=parcel, stat=majority)' },
  zoning_source_date: { ...OVER, expression: 'polygon_attr(local_zoning, ZONE, over=parcel, stat=vintage)' },
  census_tract: { ...KEY, expression: 'polygon_attr(census_tiger:tract, GEOID)' },
  census_blockgroup: { ...KEY, expression: 'polygon_attr(census_tiger:bg, GEOID)' },
  census_block: { ...KEY, expression: 'polygon_attr(census_tiger:tabblock20, GEOID20)' },
  census_zcta: { ...KEY, expression: 'polygon_attr(census_tiger:zcta520, ZCTA5CE20)' },
  census_place: { ...KEY, expression: 'polygon_attr(census_tiger:place, GEOID)' },
  census_subdivision: { ...KEY, expression: 'polygon_attr(census_tiger:cousub, GEOID)' },
  census_unified_school_district: { ...KEY, expression: 'polygon_attr(census_tiger:unsd, GEOID)' },
  census_elementary_school_district: { ...KEY, expression: 'polygon_attr(census_tiger:elsd, GEOID)' },
  census_secondary_school_district: { ...KEY, expression: 'polygon_attr(census_tiger:scsd, GEOID)' },
  parcel_fema_flood_zone: {
    ...OVER,
    expression: 'polygon_attr(fema_nfhl:S_FLD_HAZ_AR, FLD_ZONE, over=parcel, stat=majority)',
  },
  parcel_fema_flood_zone_raw: {
    ...OVER,
    expression: 'polygon_attr(fema_nfhl:S_FLD_HAZ_AR, FLD_ZONE, over=parcel, stat=shares)',
  },
  parcel_fema_flood_zone_date: { ...KEY, expression: 'polygon_attr(fema_nfhl:S_FIRM_PAN, EFF_DATE)' },
  parcel_fema_nri_risk_rating: { ...KEY, expression: 'area_key_attr(fema_nri:tract, key=tract_geoid, RISK_RATNG)' },
  qoz: {
    ...KEY,
    expression: 'polygon_within(cdfi_opportunity_zones)',
    labels: { true: 'Yes', false: 'No' },
  },
  qoz_tract: { ...KEY, expression: 'polygon_attr(cdfi_opportunity_zones, GEOID10)' },
  padus_public_access: { ...OVER, expression: 'polygon_attr(usgs_padus, Pub_Access, over=parcel, stat=majority)' },
  cdl_majority_category: {
    ...OVER,
    expression: 'raster_zonal(usda_cdl, 1, stat=majority, over=parcel, map=cdl_classes)',
  },
  cdl_majority_percent: { ...OVER, expression: 'raster_zonal(usda_cdl, 1, stat=share, over=parcel, scale=100)' },
  cdl_date: { ...KEY, expression: 'raster_zonal(usda_cdl, 1, stat=vintage, over=parcel)' },
  highest_parcel_elevation: { ...KEY, expression: 'raster_zonal(usgs_3dep, 1, stat=max, over=parcel)' },
  lowest_parcel_elevation: { ...KEY, expression: 'raster_zonal(usgs_3dep, 1, stat=min, over=parcel)' },
  mean_parcel_slope_percent: {
    ...KEY,
    expression: 'raster_terrain(usgs_3dep, slope_percent, window_m=30, stat=mean, over=parcel)',
  },
  bldg_count: { ...OVER, expression: 'polygon_attr(fema_usa_structures, BUILD_ID, over=parcel, stat=count)' },
  bldg_footprint_sqft: {
    ...OVER,
    expression: `polygon_attr(fema_usa_structures, BUILD_ID, over=parcel, stat=area, scale=${SQUARE_FEET})`,
  },
};
