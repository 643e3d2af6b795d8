import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usgs_nhdplus_hr',
  title: 'NHDPlus High Resolution',
  publisher: 'USGS',
  url: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_{huc4}_HU4_GDB.zip',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'static (NHD retired 2023; 3DHP successor)',
  vintageRule:
    'Publication date of the four-digit hydrologic unit, from its geodatabase name; the NHD itself stopped in 2023.',
  notes:
    'Layers NHDFlowline, NHDWaterbody, NHDArea. StreamOrde, MinElevSmo come from NHDPlusFlowlineVAA and QEMA from NHDPlusEROMMA, joined to NHDFlowline by NHDPlusID. MinElevSmo is centimetres; QEMA is cubic feet per second. A CONUS-only NHDPlus V2 build is the light alternative.',
  acquire: {
    files: [
      {
        url: '{link}',
        vintage: {
          index:
            'https://prd-tnm.s3.amazonaws.com/?prefix=StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_{huc4}_',
          link: 'StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_{huc4}_HU4_(?:(\\d{8})_)?GDB\\.zip',
          base: 'https://prd-tnm.s3.amazonaws.com/',
        },
        seen: 'public code',
      },
    ],
  },
  layers: {
    NHDFlowline: {
      title: 'streams',
      kind: 'vector',
      geometry: 'line',
      accuracyM: 12,
      accuracyIn: 'USGS, National Hydrography Dataset, High Resolution: 1:24,000 or larger (NMAS: 0.02 inch)',
      joinKey: 'NHDPlusID',
      partition: 'state',
      columns: {
        NHDPlusID: { type: 'string' },
        GNIS_Name: { type: 'string' },
        FType: { type: 'integer', description: '460 stream or river, 558 artificial path, 336 canal, 334 connector.' },
        FCode: { type: 'integer' },
        LengthKM: { type: 'number', unit: 'km' },
        StreamOrde: { type: 'integer', description: 'From NHDPlusFlowlineVAA.' },
        MinElevSmo: { type: 'number', unit: 'cm', description: 'From NHDPlusFlowlineVAA; -9998 means none.' },
        QEMA: { type: 'number', unit: 'ft3/s', description: 'From NHDPlusEROMMA.' },
      },
    },
    NHDWaterbody: {
      title: 'lakes and ponds',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 12,
      accuracyIn: 'USGS, National Hydrography Dataset, High Resolution: 1:24,000 or larger (NMAS: 0.02 inch)',
      joinKey: 'NHDPlusID',
      partition: 'state',
      columns: {
        NHDPlusID: { type: 'string' },
        GNIS_Name: { type: 'string' },
        FType: {
          type: 'integer',
          description: '390 lake or pond, 436 reservoir, 466 swamp, 361 playa, 378 ice mass, 493 estuary.',
        },
      },
    },
    NHDArea: {
      title: 'river areas',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 12,
      accuracyIn: 'USGS, National Hydrography Dataset, High Resolution: 1:24,000 or larger (NMAS: 0.02 inch)',
      joinKey: 'NHDPlusID',
      partition: 'state',
      columns: {
        NHDPlusID: { type: 'string' },
        GNIS_Name: { type: 'string' },
        FType: { type: 'integer' },
      },
    },
  },
  fields: {
    nearest_flowline_distance_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest flowline',
      description: 'Distance to the nearest mapped stream, river, canal or artificial path.',
      expression: 'nearest_distance(usgs_nhdplus_hr:NHDFlowline, max_km=50, where[FType in (460,558,336,334)])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 14, flood_risk: 25, wildfire_underwrite: 33 },
      terms: phrases(`
        how far is the nearest stream, creek, river nearby, brook, distance to water, arroyo, canal, run, stream,
        river, nearest creek, is there a stream, running water, ditch, arroyo más cercano, río, distancia al río,
        waterway, crick, water course, quebrada, riachuelo, creeks, streams, rivers, rivers nearby, brooks,
        irrigation canal, wash, wadi
      `),
      hint: 'Check against riparian setbacks, which often start at 15 to 30 meters from the bank rather than from this centerline.',
    },
    nearest_flowline_name: {
      layer: 'terrain',
      type: 'string',
      title: 'Nearest flowline name',
      description: 'GNIS name of the nearest mapped flowline.',
      expression: 'nearest_attr(usgs_nhdplus_hr:NHDFlowline, GNIS_Name, max_km=50, where[FType in (460,558,336,334)])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 17, flood_risk: 26 },
      terms: phrases(`
        name of the creek, which river is nearest, what stream is that, what brook runs by, name of the stream,
        name of the river, river called, what is the creek called, nombre del río, name of the brook, what river,
        what creek, what stream, river name, creek name, stream name, creek runs behind
      `),
      hint: "Ask the state for this stream's classification and impairment status; small headwaters have no name and answer absent.",
    },
    nearest_flowline_stream_order: {
      layer: 'terrain',
      type: 'integer',
      title: 'Nearest flowline stream order',
      description: 'Modified Strahler order of the nearest mapped flowline.',
      expression: 'nearest_attr(usgs_nhdplus_hr:NHDFlowline, StreamOrde, max_km=50, where[FType in (460,558,336,334)])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 18, flood_risk: 27 },
      terms: phrases(`
        size of the stream, big river or small creek, stream order, headwater, how big is the creek, strahler order,
        size of the river, tributary or main stem, little brook or real river, major river, little creek, main river,
        order of the stream, headwaters, small stream or large river
      `),
      hint: 'Orders 1 and 2 are headwaters that rise fast and fall fast; from 5 upward expect broad, slow floods.',
    },
    nearest_flowline_mean_flow_m3_per_s: {
      layer: 'terrain',
      type: 'number',
      unit: 'm3/s',
      title: 'Nearest flowline mean flow',
      description: 'Modelled mean annual flow of the nearest mapped flowline.',
      expression:
        'nearest_attr(usgs_nhdplus_hr:NHDFlowline, QEMA, max_km=50, scale=0.0283168, where[FType in (460,558,336,334)])',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 19 },
      terms: phrases(`
        how much water flows, river flow, stream discharge, cubic feet per second, cfs, flow rate of the river,
        gallons per minute in the creek, mean flow, flow of the stream, caudal, water does the creek carry,
        how big a flow, water volume of the stream, micro hydro, cuánta agua lleva, water moves down the river,
        water goes down the river, water does the river carry, how fast does the river run, flow, streamflow,
        discharge, current of the river, hydropower, hydro power, water wheel, volume of water, acre-feet
      `),
      hint: 'A model average for ranking supply and discharge; a water right or permit needs gauge records and the low-flow season.',
    },
    nearest_perennial_stream_distance_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest perennial stream',
      description: 'Distance to the nearest perennial stream or river.',
      expression: 'nearest_distance(usgs_nhdplus_hr:NHDFlowline, max_km=100, where[FCode in (46006,55800)])',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 20 },
      terms: phrases(`
        year-round stream, creek that never dries up, permanent water, does water run all year, livestock water,
        perennial stream, perennial, creek with water all summer, water for cattle, stock water, water the animals,
        animals drink, drink year round, stream that dries up, creek goes dry, se seca el arroyo, horses drink,
        creek that holds water all year, reliable creek, flows all summer, agua todo el año, runs all year,
        run all summer, always has water, never dries up, dry up in summer, year round, never dry, flowing water,
        intermittent
      `),
      hint: 'Year-round water is what most stream buffers and crossings rules attach to; the perennial label is least reliable in dry states.',
    },
    height_above_nearest_stream_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Height above nearest stream',
      description: 'Elevation of the point above the low end of the nearest flowline reach.',
      expression:
        'derived(expr[elevation - z], elevation=@elevation, z=nearest_attr(usgs_nhdplus_hr:NHDFlowline, MinElevSmo, max_km=5, scale=0.01, null[-9998], where[FType in (460,558,336,334)]))',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 12, flood_risk: 12 },
      terms: phrases(`
        how high above the creek, above the river level, height above the stream bed, could the creek reach the house,
        height above the creek, how far above the river, high above the water, higher than the brook,
        sit above the river, higher than the creek, could the river get up to us, river comes up, creek comes up,
        river rises, higher than the river, bank of the river, riverbank, height over the water, stream overflow,
        hand, how high over the creek
      `),
      hint: 'Values under about 3 m deserve a flood study even outside mapped zones; negative ones hint at a levee or a coarse elevation cell.',
      verdict: {
        yes: { under: 3 },
        margin: 0.5,
        matter: 'the ground is low beside its stream',
        words: {
          yes: 'The ground is low, {value} above the nearest stream',
          no: 'The ground is {value} above the nearest stream',
        },
        settledBy: 'a surveyed elevation',
      },
    },
    nearest_waterbody_distance_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest waterbody',
      description: 'Distance to the nearest mapped lake, pond or reservoir.',
      expression: 'nearest_distance(usgs_nhdplus_hr:NHDWaterbody, max_km=50, where[FType in (390,436)])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 21, flood_risk: 28, wildfire_underwrite: 34 },
      terms: phrases(`
        how far is the lake, pond nearby, reservoir, fishing lake, distance to open water, lago más cercano, lake,
        pond, water body, lake nearby, nearest pond, laguna, swim in a lake, boating, near water, close to the water,
        lake close by, swimming hole, kayak, fishing, launch a boat, canoe, paddle, ice fishing, swim, lakes, ponds,
        lagoon, waterfront, lakefront lot
      `),
      hint: 'Shoreland rules in many states reach 75 to 300 meters from a lake, so compare with the local figure before siting.',
    },
    nearest_waterbody_name: {
      layer: 'terrain',
      type: 'string',
      title: 'Nearest waterbody name',
      description: 'GNIS name of the nearest mapped lake, pond or reservoir.',
      expression: 'nearest_attr(usgs_nhdplus_hr:NHDWaterbody, GNIS_Name, max_km=50, where[FType in (390,436)])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 22 },
      terms: phrases(`
        name of the lake, which pond is nearest, what reservoir is nearby, what is the lake called, nombre del lago,
        what lake, which lake, what pond, lake it is on, lake name, pond name, reservoir name, lake called,
        pond called, name of that lake, name of the pond, name of the reservoir
      `),
      hint: "Search it in the state's lake database for level control, dam owner and water quality; unnamed ponds answer absent.",
    },
    within_nhd_waterbody: {
      layer: 'terrain',
      type: 'boolean',
      title: 'Within NHD waterbody',
      description:
        'Whether the point falls inside a mapped lake, pond, reservoir, swamp, playa, ice mass or estuary polygon.',
      expression: 'polygon_within(usgs_nhdplus_hr:NHDWaterbody)',
      confidence: 'edge_m(30)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 23, flood_risk: 29 },
      terms: phrases(`
        is it in a lake, underwater, on the water, inside a pond or swamp, part of a lake, dentro de un lago,
        under water, in the water, inside a lake, water or land, submerged
      `),
      hint: 'True over land usually marks a seasonal lake bed or swamp: treat the ground as unbuildable until someone has stood on it.',
      verdict: {
        yes: true,
        matter: 'the place is in a mapped lake or pond',
        words: {
          yes: 'The place is inside a mapped lake, pond or swamp',
          no: 'The place is outside the mapped lakes, ponds and swamps',
        },
        settledBy: 'a visit in the wet season',
      },
    },
    intersects_nhd_area: {
      layer: 'terrain',
      type: 'boolean',
      title: 'Intersects NHD area',
      description: 'Whether the point falls inside an NHD area feature such as a wide river, canal or inundation area.',
      expression: 'polygon_within(usgs_nhdplus_hr:NHDArea)',
      confidence: 'edge_m(30)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 24, flood_risk: 30 },
      terms: phrases(`
        in a river channel, inside a wide river, is this spot in the river, river bed, in the riverbed,
        inside the channel, river channel, inundation area
      `),
      hint: 'True places you within the banks of a wide channel or in ground meant to be flooded; move the point or expect a water permit.',
      verdict: {
        yes: true,
        matter: 'the place is within the banks of a wide stream',
        words: {
          yes: 'The place is within the banks of a mapped stream or flood ground',
          no: 'The place is outside the banks of mapped streams',
        },
        settledBy: 'a survey of the bank',
      },
    },
  },
});
