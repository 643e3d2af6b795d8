import { defineDataset } from '../dataset.ts';
import { NFHL_LAYERS } from '../nfhl/nfhl-layers.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'fema_nfhl',
  title: 'National Flood Hazard Layer',
  publisher: 'FEMA',
  url: 'https://msc.fema.gov/portal/advanceSearch (NFHL_{state}) or https://hazards.fema.gov/arcgis/rest/services/public/NFHL/MapServer',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'daily (loaded quarterly)',
  vintageRule:
    'Effective date of the FIRM panel (EFF_DATE); the download date of the state geodatabase where none is given.',
  notes:
    "Layers S_FLD_HAZ_AR, S_FIRM_PAN. No panel over the point means absent, not X; FLD_ZONE 'AREA NOT INCLUDED' counts as no panel. FLD_ZONE D is undetermined and has SFHA_TF F. STATIC_BFE -9999 means none; feet unless LEN_UNIT says metres.",
  acquire: {
    files: [
      {
        layers: ['S_FLD_HAZ_AR'],
        via: 'arcgis',
        url: 'https://hazards.fema.gov/arcgis/rest/services/public/NFHL/MapServer/28',
        ground: 2,
        note: 'By ground: maps are filed by county (DFIRM_ID 23019C) or by community (230102). The server sends 200 rows a page.',
        seen: 'public code',
      },
      {
        layers: ['S_FIRM_PAN'],
        via: 'arcgis',
        url: 'https://hazards.fema.gov/arcgis/rest/services/public/NFHL/MapServer/3',
        ground: 2,
        seen: 'public code',
      },
    ],
  },
  layers: NFHL_LAYERS,
  fields: {
    fema_flood_zone: {
      layer: 'hazards',
      type: 'string',
      title: 'FEMA flood zone',
      description: 'FEMA flood zone at the point, such as X, AE or VE.',
      expression: 'polygon_attr(fema_nfhl:S_FLD_HAZ_AR, FLD_ZONE)',
      confidence: 'edge_m(30)',
      ttlSeconds: 7_776_000,
      presets: {
        flood_risk: 1,
        site_selection: 5,
        building_lookup: 15,
        solar_siting: 8,
        wind_siting: 33,
        storage_siting: 7,
        data_center_siting: 11,
        natural_hazard: 3,
      },
      terms: phrases(`
        flood, flood zone, is it in a flood zone, floodplain, flood risk, zona de inundación, will it flood,
        flood insurance, zone ae, zone x, flood zone letter, a or v zone, ae or x, zone of the flood map, inundación,
        riesgo de inundación, flooding, flood risk here, underwater in a storm, will it go under, ae, zone a,
        flood zones, in a flood area, flood prone, flood-prone, fema zone, flood map zone, zone on the flood map,
        flood designation
      `),
      hint: 'A and V zones flood in one year of a hundred on average, or more often, and bring mandatory flood insurance on federally backed loans; X lies outside them; D means nobody has studied the place, not that it is dry.',
      verdict: {
        yes: ['A', 'AE', 'AH', 'AO', 'AR', 'A99', 'V', 'VE'],
        open: ['D', 'OPEN WATER', 'AREA NOT INCLUDED'],
        matter: 'the place is in a special flood hazard area',
        words: {
          yes: 'The place is in flood zone {value}, a special flood hazard area where lenders require flood insurance',
          no: 'The place is in flood zone {value}, outside the special flood hazard areas',
        },
        settledBy: 'an elevation certificate from a surveyor',
      },
    },
    fema_flood_zone_subtype: {
      layer: 'hazards',
      type: 'string',
      title: 'FEMA flood zone subtype',
      description: 'FEMA flood zone subtype at the point, such as FLOODWAY.',
      expression: 'polygon_attr(fema_nfhl:S_FLD_HAZ_AR, ZONE_SUBTY)',
      confidence: 'edge_m(30)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 3 },
      terms: phrases(`
        floodway or fringe, flood zone detail, kind of flood zone, minimal flood hazard, shaded x, subtype,
        flood zone subtype, subtype of the flood zone, shaded or unshaded x, zone subtype, fringe, flood fringe,
        area of minimal flood hazard, flood zone sub type
      `),
      hint: 'Read it beside the zone: it separates a floodway, where fill is barred, from the fringe, where it can be permitted.',
    },
    within_floodplain_polygon: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within floodplain polygon',
      description: 'Whether the point falls inside a FEMA special flood hazard area.',
      expression: "polygon_within(fema_nfhl:S_FLD_HAZ_AR, coverage=fema_nfhl:S_FIRM_PAN, where[SFHA_TF = 'T'])",
      confidence: 'edge_m(30)',
      ttlSeconds: 7_776_000,
      presets: {
        flood_risk: 2,
        site_selection: 6,
        building_lookup: 16,
        storage_siting: 36,
        data_center_siting: 36,
        natural_hazard: 4,
      },
      terms: phrases(`
        in a flood zone, floodplain, is it in the 100 year floodplain, do i need flood insurance, sfha,
        flood hazard area, inundable, can it flood, special flood hazard area, in the floodplain,
        flood insurance required, lender require flood insurance, mandatory flood insurance, hundred year floodplain,
        se puede inundar, necesito seguro de inundación, house flood, home flood, carry flood coverage,
        flood coverage, on the fema map, planicie de inundación, 1 percent floodplain, flood plain,
        100-year floodplain, 100 year flood, hundred year flood, need flood insurance, buy flood insurance,
        required to have flood insurance
      `),
      hint: 'True triggers lender-required insurance and a local floodplain permit; a letter of map amendment can lift it for one building.',
      verdict: {
        yes: true,
        matter: 'the place is in a special flood hazard area',
        words: {
          yes: 'The place is inside a special flood hazard area, where lenders require flood insurance',
          no: 'The place is outside the mapped special flood hazard areas',
        },
        settledBy: 'an elevation certificate from a surveyor',
      },
    },
    within_regulatory_floodway: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within regulatory floodway',
      description: 'Whether the point falls inside a regulatory floodway.',
      expression:
        "polygon_within(fema_nfhl:S_FLD_HAZ_AR, coverage=fema_nfhl:S_FIRM_PAN, where[ZONE_SUBTY like '%FLOODWAY%'])",
      confidence: 'edge_m(30)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 5 },
      terms: phrases(`
        floodway, can i build in the floodway, regulatory floodway, no-rise, in the floodway, fill in the floodway,
        encroach, flood way, floodway encroachment, fill permit in the floodway, obstruct, no-rise certificate,
        rise certificate, channel of the flood
      `),
      hint: 'True practically rules out new fill or structures unless an engineer certifies no rise in flood level.',
      verdict: {
        yes: true,
        matter: 'the place is in the regulatory floodway',
        words: {
          yes: 'The place is inside a regulatory floodway, where new fill and buildings are practically ruled out',
          no: 'The place is outside the regulatory floodway',
        },
        settledBy: "the community's floodplain administrator",
      },
    },
    coastal_high_hazard: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Coastal high hazard',
      description: 'Whether the point falls inside a coastal high hazard zone (V or VE).',
      expression:
        "polygon_within(fema_nfhl:S_FLD_HAZ_AR, coverage=fema_nfhl:S_FIRM_PAN, where[FLD_ZONE in ('V','VE')])",
      confidence: 'edge_m(30)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 4, natural_hazard: 26 },
      terms: phrases(`
        v zone, ve zone, waves, wave action, storm waves, coastal flooding zone, velocity zone,
        coastal high hazard area, breaking waves, storm waves at the house, waves hit the house, oleaje, wave damage,
        v-zone, storm waves hit, wave zone, high hazard zone, surf hit, pounding waves, coastal hazard, beach erosion,
        wave velocity, pilings required, pilings
      `),
      hint: 'True means wave action: foundations must be open piles or columns and premiums rise steeply.',
      verdict: {
        yes: true,
        matter: 'storm waves can reach the place',
        words: {
          yes: 'The place is inside a coastal high hazard zone, where storm waves reach',
          no: 'The place is outside the coastal high hazard zones',
        },
        settledBy: 'an elevation certificate from a surveyor',
      },
    },
    within_500yr_floodplain: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within 500-year floodplain',
      description:
        'Whether the point falls inside the 0.2 percent annual chance floodplain outside the special flood hazard area.',
      expression:
        "polygon_within(fema_nfhl:S_FLD_HAZ_AR, coverage=fema_nfhl:S_FIRM_PAN, where[FLD_ZONE = 'X' and ZONE_SUBTY like '0.2 PCT%'])",
      confidence: 'edge_m(30)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 6 },
      terms: phrases(`
        500 year flood, moderate flood risk, 0.2 percent flood, shaded x zone, 500-year plain, 500 year floodplain,
        five hundred year floodplain, 500-year flood, 0.2 percent chance, 500-year floodplain, 500 year,
        five hundred year flood, five hundred year, 0.2 percent, shaded zone x, 500-yr, moderate flood, b zone, zone b
      `),
      hint: 'No purchase requirement applies here, yet a quarter or more of claims come from outside the high-risk zones: price the cover anyway.',
      verdict: {
        yes: true,
        matter: 'the place is in the 500-year floodplain',
        words: {
          yes: 'The place is inside the 500-year floodplain, where flood insurance is a choice',
          no: 'The place is outside the mapped 500-year floodplain',
        },
        settledBy: 'a local flood study',
      },
    },
    within_levee_protected_area: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within levee-protected area',
      description: 'Whether the point falls in an area mapped with reduced flood risk due to a levee.',
      expression:
        "polygon_within(fema_nfhl:S_FLD_HAZ_AR, coverage=fema_nfhl:S_FIRM_PAN, where[ZONE_SUBTY like '%LEVEE%'])",
      confidence: 'edge_m(30)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 17 },
      terms: phrases(`
        levee, behind a levee, dike, levee protection, dique, protected by a levee, levee protect it, levee breaks,
        earth bank, dirt wall, embankment, berm along the river, levees, leveed, levee fail, behind the dike, dikes,
        floodwall, flood wall, levee keep, protected from the river, levee area, seawall, depend on a levee,
        dry because of a levee
      `),
      hint: "Safety depends on a levee's accreditation; ask for its certification date and who maintains it.",
      verdict: {
        yes: true,
        matter: 'a levee protects the place',
        words: {
          yes: 'The place is in an area that a levee protects, so its safety depends on that levee',
          no: 'The place is in no area that a levee protects',
        },
        settledBy: "the levee owner's certificate",
      },
    },
    base_flood_elevation_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Base flood elevation',
      description:
        'Static base flood elevation of the flood zone at the point, in metres above NAVD 88; absent for other datums.',
      expression:
        "polygon_attr(fema_nfhl:S_FLD_HAZ_AR, STATIC_BFE, scale=0.3048, null[-9999,-8888], where[V_DATUM = 'NAVD88' and LEN_UNIT in ('FEET','Feet')])",
      confidence: 'edge_m(30)',
      // Published in tenths of a foot.
      precision: 0.01,
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 7 },
      terms: phrases(`
        bfe, base flood elevation, how high would the flood be, flood level, height of the 100 year flood,
        elevation of the base flood, height of the flood water, how deep would the flood water be,
        100 year flood elevation, how high would floodwater get, how high would the water come,
        how high would the water rise, how high the water gets, water level of the flood, flood elevation, base flood,
        flood height, height of a flood, flood stage, 100-year flood level, water rise to, flood depth,
        how deep does it flood, how deep in a flood, feet of flood water, flood water get, floodwaters,
        first floor elevation, flood crest
      `),
      hint: 'Set the lowest floor above it plus the local freeboard; feet on the map have been converted to meters.',
    },
    elevation_above_base_flood_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Elevation above base flood',
      description: 'Ground elevation minus static base flood elevation, both NAVD 88.',
      expression: 'derived(expr[e - f], e=@elevation, f=@base_flood_elevation_m)',
      confidence: 'sign(2)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 8 },
      terms: phrases(`
        freeboard, how far above the flood, height above the flood level, above bfe, below flood level,
        ground versus bfe, above base flood, height above base flood, compared to bfe, elevation certificate,
        higher than the flood, ground above the flood, above or below the flood level, above flood level,
        above the base flood, higher than the flood level, above flood stage, clear of the flood,
        above the 100 year flood, over the flood level, margin above the flood, loma, higher or lower than the flood,
        high enough above the flood
      `),
      hint: 'Negative means that the ground lies under the flood level; the ground is known to 0.82 meters, so within 1.6 either way order a surveyed elevation certificate.',
      verdict: {
        yes: { under: 0 },
        margin: 0.5,
        matter: 'the ground lies under the flood level',
        words: {
          yes: 'The ground is {value} below the flood level',
          no: 'The ground is {value} above the flood level',
        },
        settledBy: 'a surveyed elevation certificate',
      },
    },
    nearest_sfha_distance_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest SFHA',
      description: 'Distance to the nearest special flood hazard area, zero when inside one.',
      expression: "nearest_distance(fema_nfhl:S_FLD_HAZ_AR, max_km=50, where[SFHA_TF = 'T'])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 9, site_selection: 38, storage_siting: 37, data_center_siting: 37 },
      terms: phrases(`
        how far is the flood zone, distance to the floodplain, close to a flood zone, near the 100 year floodplain,
        miles from flood hazard, distance to the flood zone, nearest flood zone, floodplain boundary,
        edge of the floodplain, nearest floodplain, closest flood hazard area, edge of the flood zone,
        how close is the flood zone, near a flood zone, nearest special flood hazard, how near is the floodplain,
        border of the flood zone, flood zone line, how far to the flood zone
      `),
      hint: 'Short distances matter on flat land, where the next map revision can move the line; on a bluff they mean little.',
      verdict: {
        yes: { under: 1 },
        matter: 'the place is in a special flood hazard area',
        words: {
          yes: 'The place is right at a special flood hazard area',
          no: 'The nearest special flood hazard area is {value} away',
        },
        settledBy: 'an elevation certificate from a surveyor',
      },
    },
    flood_map_panel_id: {
      layer: 'hazards',
      type: 'string',
      title: 'Flood map panel ID',
      description: 'FEMA flood insurance rate map panel covering the point.',
      expression: 'polygon_attr(fema_nfhl:S_FIRM_PAN, FIRM_PAN)',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 18 },
      terms: phrases(`
        firm panel, flood map number, map panel, which flood map, flood map panel, panel of the flood map,
        which panel, panel number, panel covers us, firm panel number, map number, panel, firm number, fema panel,
        flood map sheet, flood panel, fema map number, map sheet, firmette, community panel
      `),
      hint: 'Use it to pull the printed panel and its amendments from the Map Service Center.',
    },
    flood_map_effective_date: {
      layer: 'hazards',
      type: 'date',
      title: 'Flood map effective date',
      description: 'Effective date of the flood map panel covering the point (YYYY-MM-DD).',
      expression: 'polygon_attr(fema_nfhl:S_FIRM_PAN, EFF_DATE)',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 19 },
      terms: phrases(`
        how old is the flood map, date of the flood map, when was the flood map made, firm date,
        effective date of the map, effective date, date of the panel, flood map effective, map updated,
        flood map date, flood map old, flood map updated, map date, fema map date, flood map drawn, map current,
        flood map last changed, old is the map, panel date, map out of date, outdated map, date of the fema map,
        map revised
      `),
      hint: 'Maps older than about ten years predate newer rainfall and development; look for a preliminary revision.',
    },
    sfha_fraction_within_500m: {
      layer: 'hazards',
      type: 'number',
      unit: 'fraction',
      title: 'SFHA fraction within 500 m',
      description: 'Share of the area within 500 m inside a special flood hazard area.',
      expression: "overlap_fraction(fema_nfhl:S_FLD_HAZ_AR, over=radius:500, where[SFHA_TF = 'T'])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 10 },
      terms: phrases(`
        how much floodplain around, share of flood zone nearby, flood hazard in the surroundings,
        share of floodplain around, how much of the surroundings floods, floodplain around,
        share of flood zone around, how much floodplain within 500 m, floodplain nearby share, area floods,
        percent floodplain, how much of the area floods, neighborhood flood, streets around flood,
        area in the floodplain
      `),
      hint: 'A dry lot in a wet surrounding can be cut off: look at the access road when this exceeds a third.',
      verdict: {
        yes: { from: 0.3334 },
        matter: 'a flood can cut the place off',
        words: {
          yes: 'Special flood hazard areas cover {value} of the ground within 500 m, enough to cut the place off',
          no: 'Special flood hazard areas cover {value} of the ground within 500 m',
        },
        settledBy: 'a look at the access road on the flood map',
      },
    },
  },
});
