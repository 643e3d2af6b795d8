import { CDL_CLASSES } from './cdl-classes.ts';

/** Published code → published label. Keys are codes as text. */
type CodeMap = Readonly<Record<string, string>>;

const numbered = (prefix: string, first: number, count: number): CodeMap =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [String(first + i), `${prefix}${i + 1}`]));

/** Köppen-Geiger classes 1 to 30 in the legend order of Beck et al. (2018, 2023). */
const KOPPEN: readonly (readonly [string, string])[] = [
  ['Af', 'Tropical, rainforest'],
  ['Am', 'Tropical, monsoon'],
  ['Aw', 'Tropical, savannah'],
  ['BWh', 'Arid, desert, hot'],
  ['BWk', 'Arid, desert, cold'],
  ['BSh', 'Arid, steppe, hot'],
  ['BSk', 'Arid, steppe, cold'],
  ['Csa', 'Temperate, dry summer, hot summer'],
  ['Csb', 'Temperate, dry summer, warm summer'],
  ['Csc', 'Temperate, dry summer, cold summer'],
  ['Cwa', 'Temperate, dry winter, hot summer'],
  ['Cwb', 'Temperate, dry winter, warm summer'],
  ['Cwc', 'Temperate, dry winter, cold summer'],
  ['Cfa', 'Temperate, no dry season, hot summer'],
  ['Cfb', 'Temperate, no dry season, warm summer'],
  ['Cfc', 'Temperate, no dry season, cold summer'],
  ['Dsa', 'Cold, dry summer, hot summer'],
  ['Dsb', 'Cold, dry summer, warm summer'],
  ['Dsc', 'Cold, dry summer, cold summer'],
  ['Dsd', 'Cold, dry summer, very cold winter'],
  ['Dwa', 'Cold, dry winter, hot summer'],
  ['Dwb', 'Cold, dry winter, warm summer'],
  ['Dwc', 'Cold, dry winter, cold summer'],
  ['Dwd', 'Cold, dry winter, very cold winter'],
  ['Dfa', 'Cold, no dry season, hot summer'],
  ['Dfb', 'Cold, no dry season, warm summer'],
  ['Dfc', 'Cold, no dry season, cold summer'],
  ['Dfd', 'Cold, no dry season, very cold winter'],
  ['ET', 'Polar, tundra'],
  ['EF', 'Polar, frost'],
];

/** What `map=` in an expression names: each publisher's own labels, whole, so that an unknown code is a mismatch. */
const MAPS: Readonly<Record<string, CodeMap>> = {
  /** MRLC, NLCD class legend (Alaska-only classes included). */
  nlcd_classes: {
    11: 'Open Water',
    12: 'Perennial Ice/Snow',
    21: 'Developed, Open Space',
    22: 'Developed, Low Intensity',
    23: 'Developed, Medium Intensity',
    24: 'Developed, High Intensity',
    31: 'Barren Land',
    41: 'Deciduous Forest',
    42: 'Evergreen Forest',
    43: 'Mixed Forest',
    51: 'Dwarf Scrub',
    52: 'Shrub/Scrub',
    71: 'Grassland/Herbaceous',
    72: 'Sedge/Herbaceous',
    73: 'Lichens',
    74: 'Moss',
    81: 'Pasture/Hay',
    82: 'Cultivated Crops',
    90: 'Woody Wetlands',
    95: 'Emergent Herbaceous Wetlands',
  },
  cdl_classes: CDL_CLASSES,
  /** Census Bureau, MAF/TIGER feature class codes of roads. */
  mtfcc: {
    S1100: 'Primary Road',
    S1200: 'Secondary Road',
    S1400: 'Local Neighborhood Road, Rural Road, City Street',
    S1500: 'Vehicular Trail (4WD)',
    S1630: 'Ramp',
    S1640: 'Service Drive usually along a limited access highway',
    S1710: 'Walkway/Pedestrian Trail',
    S1720: 'Stairway',
    S1730: 'Alley',
    S1740: 'Private Road for service vehicles (logging, oil fields, ranches, etc.)',
    S1750: 'Internal U.S. Census Bureau use',
    S1780: 'Parking Lot Road',
    S1810: 'Winter Trail',
    S1820: 'Bike Path or Trail',
    S1830: 'Bridle Path',
    S2000: 'Road Median',
  },
  /** USGS PAD-US, domain of Mang_Name. */
  padus_manager: {
    TVA: 'Tennessee Valley Authority',
    BLM: 'Bureau of Land Management',
    BOEM: 'Bureau of Ocean Energy Management',
    USBR: 'Bureau of Reclamation',
    FWS: 'U.S. Fish and Wildlife Service',
    USFS: 'Forest Service',
    DOD: 'Department of Defense',
    USACE: 'Army Corps of Engineers',
    DOE: 'Department of Energy',
    NPS: 'National Park Service',
    NRCS: 'Natural Resources Conservation Service',
    ARS: 'Agricultural Research Service',
    BIA: 'Bureau of Indian Affairs',
    NOAA: 'National Oceanic and Atmospheric Administration',
    OTHF: 'Other or Unknown Federal Land',
    TRIB: 'American Indian Lands',
    SPR: 'State Park and Recreation',
    SDC: 'State Department of Conservation',
    SLB: 'State Land Board',
    SFW: 'State Fish and Wildlife',
    SDNR: 'State Department of Natural Resources',
    SDOL: 'State Department of Land',
    OTHS: 'Other or Unknown State Land',
    REG: 'Regional Agency Land',
    RWD: 'Regional Water Districts',
    CITY: 'City Land',
    CNTY: 'County Land',
    UNKL: 'Other or Unknown Local Government',
    NGO: 'Non-Governmental Organization',
    PVT: 'Private',
    JNT: 'Joint',
    TERR: 'Territorial',
    UNK: 'Unknown',
  },
  /** USDA Forest Service, Wildfire Hazard Potential, classified. */
  whp_classes: {
    1: 'Very Low',
    2: 'Low',
    3: 'Moderate',
    4: 'High',
    5: 'Very High',
    6: 'Non-burnable',
    7: 'Water',
  },
  /** LANDFIRE, the 40 Scott and Burgan fire behavior fuel models. */
  fbfm40_codes: {
    91: 'NB1',
    92: 'NB2',
    93: 'NB3',
    98: 'NB8',
    99: 'NB9',
    ...numbered('GR', 101, 9),
    ...numbered('GS', 121, 4),
    ...numbered('SH', 141, 9),
    ...numbered('TU', 161, 5),
    ...numbered('TL', 181, 9),
    ...numbered('SB', 201, 4),
  },
  koppen_codes: Object.fromEntries(KOPPEN.map(([code], i) => [String(i + 1), code])),
  koppen_names: Object.fromEntries(KOPPEN.map(([, name], i) => [String(i + 1), name])),
  /** U.S. Drought Monitor. */
  usdm_categories: { 0: 'D0', 1: 'D1', 2: 'D2', 3: 'D3', 4: 'D4' },
};

/**
 * The published label of a code. `wrc_exposure` is a fraction in the published raster: 0 is not exposed, 1 direct
 * and anything between indirect (USDA Forest Service, Wildfire Risk to Communities).
 * @returns null when the map has no such code.
 * @throws RangeError when there is no such map.
 */
export function labelOf(map: string, code: string | number | boolean): string | null {
  if (map === 'wrc_exposure') {
    const fraction = Number(code);
    if (!(fraction >= 0 && fraction <= 1)) return null;
    return fraction === 0 ? 'Not exposed' : fraction === 1 ? 'Direct' : 'Indirect';
  }
  const labels = Object.hasOwn(MAPS, map) ? MAPS[map]! : null;
  if (!labels) throw new RangeError(`No code map ${map}; maps: ${[...Object.keys(MAPS), 'wrc_exposure'].join(', ')}`);
  const key = String(code).trim();
  return Object.hasOwn(labels, key) ? labels[key]! : null;
}

/** The labels of a map, each once, in the publisher's order of codes. @throws RangeError when there is no such map. */
export function labelsOf(map: string): string[] {
  if (map === 'wrc_exposure') return ['Not exposed', 'Indirect', 'Direct'];
  if (!Object.hasOwn(MAPS, map)) throw new RangeError(`No code map ${map}`);
  return [...new Set(Object.values(MAPS[map]!))];
}
