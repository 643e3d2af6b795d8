import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usgs_padus',
  title: 'Protected Areas Database of the United States 4',
  publisher: 'USGS Gap Analysis Project',
  url: 'https://www.usgs.gov/programs/gap-analysis-project/science/pad-us-data-download',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'about every 2 years',
  vintageRule: 'Version number of the release, such as 4.0.',
  notes: 'Combined layer. Smallest containing unit wins when units overlap.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://services.arcgis.com/v01gqwM5QqNysAAi/arcgis/rest/services/Manager_Name_PADUS/FeatureServer/0',
        ground: 50,
        note: 'A view of about edition 4.1, cut for a map: its own date says which. The geodatabase stays behind a captcha.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'protected areas',
      accuracyM: 12,
      accuracyIn:
        'USGS and partners, Data Structure and Attributes of PAD-US (protectedlands.net/pad-us-data-structure-attributes): sources vary, in general reliable at 1:24,000 (NMAS: 0.02 inch)',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'state',
      columns: {
        Unit_Nm: { type: 'string' },
        FeatClass: { type: 'string', description: 'Fee, Easement, Designation, Proclamation or Marine.' },
        Category: { type: 'string' },
        // Of the code list of the PAD-US data manual.
        Own_Type: { type: 'string', unknown: ['UNK'] },
        Mang_Type: { type: 'string' },
        Mang_Name: { type: 'string' },
        Des_Tp: { type: 'string' },
        Pub_Access: { type: 'string', values: ['OA', 'RA', 'XA', 'UK'] },
        GAP_Sts: { type: 'string', description: '1 to 4, as text.', values: ['1', '2', '3', '4'] },
      },
    },
  },
  fields: {
    within_protected_area: {
      layer: 'land_cover',
      type: 'boolean',
      title: 'Within protected area',
      description: 'Whether the point falls inside a PAD-US fee, easement or designation area.',
      expression: "polygon_within(usgs_padus, where[FeatClass in ('Fee','Easement','Designation')])",
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 14, site_selection: 44, solar_siting: 12, wind_siting: 15, storage_siting: 39 },
      terms: phrases(`
        protected land, conservation land, preserve, park land, is it protected, reserva natural,
        off limits to building, protected area, protected, nature preserve, inside a park, conservation area,
        área protegida, refuge, wildlife refuge, inside state forest, conserved, conservation, preserved, state park,
        national park, state land, wildlife management area, park boundaries, land set aside, greenbelt,
        inside a preserve, inside a park or preserve, protected from development
      `),
      hint: 'True can be anything from a city park to wilderness: read the manager and GAP status before drawing conclusions.',
      verdict: {
        yes: true,
        matter: 'the place is protected land',
        words: {
          yes: 'The place is inside a protected area',
          no: 'The place is outside the mapped protected areas',
        },
        settledBy: 'the office that manages the land',
      },
    },
    protected_area_name: {
      layer: 'land_cover',
      type: 'string',
      title: 'Protected area name',
      description: 'Name of the PAD-US unit containing the point.',
      expression: "polygon_attr(usgs_padus, Unit_Nm, where[FeatClass in ('Fee','Easement','Designation')])",
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 24 },
      terms: phrases(`
        name of the preserve, which park is this in, name of the conservation land, what refuge,
        name of the protected area, name of the park it lies in, which preserve, preserve called, park called,
        refuge called, which state park, protected area called, which wildlife area, name of the state park,
        name of the national forest
      `),
      hint: "Find the unit's own management plan under this name; where units overlap the smallest one answers.",
    },
    protected_area_manager: {
      layer: 'land_cover',
      type: 'string',
      title: 'Protected area manager',
      description: 'Managing agency of the PAD-US unit containing the point.',
      expression:
        "polygon_attr(usgs_padus, Mang_Name, where[FeatClass in ('Fee','Easement','Designation')], map=padus_manager)",
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 25 },
      terms: phrases(`
        who manages the preserve, who runs the park, managing agency, blm or forest service, who manages it,
        who manages the land, agency that manages the land, who looks after the reserve, quién administra la reserva,
        agency in charge, state or federal agency, park service, land manager, manages the park,
        who takes care of the park, runs the preserve, in charge of the preserve
      `),
      hint: 'The office to ask for an easement, access or a right of way; federal agencies take months, towns weeks.',
    },
    protected_area_gap_status: {
      layer: 'land_cover',
      type: 'string',
      title: 'Protected area gap status',
      description: 'GAP status code (1 to 4) of the PAD-US unit containing the point.',
      expression: "polygon_attr(usgs_padus, GAP_Sts, where[FeatClass in ('Fee','Easement','Designation')])",
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 26 },
      terms: phrases(`
        gap status, how strictly protected, level of protection, gap code, gap 1, gap 2,
        conservation status of the land, how well protected, gap level, protection status, protection level,
        biodiversity protection, strictness of protection
      `),
      hint: '1 and 2 are closed to most development and extraction, 3 permits multiple use, 4 promises nothing.',
      verdict: {
        yes: ['1', '2'],
        matter: 'the protected area is closed to development',
        words: {
          yes: 'The GAP status is {value}, so the protected area is closed to most development',
          no: 'The GAP status is {value}, so the protected area permits some use',
        },
        settledBy: 'the management plan of the area',
      },
    },
    nearest_protected_area_distance_m: {
      layer: 'land_cover',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest protected area',
      description: 'Distance to the nearest area managed for biodiversity (GAP 1 or 2).',
      expression: "nearest_distance(usgs_padus, max_km=100, where[GAP_Sts in ('1','2')])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 27, wind_siting: 30 },
      terms: phrases(`
        how far to a nature reserve, nearest preserve, wildlife refuge nearby, wilderness nearby,
        distance to protected land, nature reserve, nearest protected area, conservation land nearby,
        wildlife area nearby, closest preserve, conservation land close by, wilderness, state forest nearby,
        preserve around, hunting land, game land, land to hunt, reserve nearby, nature preserve nearby,
        closest wilderness area, bird sanctuary, sanctuary, birding, bird watching, birdwatching, nature nearby,
        national park nearby, natural area, wild land, wildlife nearby
      `),
      hint: 'Neighboring strictly managed land brings wildlife review and objections, but also a buffer that stays open.',
    },
    nearest_protected_area_name: {
      layer: 'land_cover',
      type: 'string',
      title: 'Nearest protected area name',
      description: 'Name of the nearest area managed for biodiversity (GAP 1 or 2).',
      expression: "nearest_attr(usgs_padus, Unit_Nm, max_km=100, where[GAP_Sts in ('1','2')])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 28 },
      terms: phrases(`
        which nature reserve is nearest, name of the closest refuge, closest wilderness, name of the nearest reserve,
        nearest refuge, name of nearest conservation land, which preserve is near, closest preserve called,
        nearest preserve called, name of the refuge, nearest wilderness called, which refuge is close,
        which nature preserve
      `),
      hint: 'Check whether its plan foresees expansion or a viewshed that reaches your side of the boundary.',
    },
    within_conservation_easement: {
      layer: 'land_cover',
      type: 'boolean',
      title: 'Within conservation easement',
      description: 'Whether the point falls inside a PAD-US conservation easement.',
      expression: "polygon_within(usgs_padus, where[FeatClass = 'Easement'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 29, solar_siting: 43 },
      terms: phrases(`
        conservation easement, land trust, development rights sold, easement on the land,
        deed restricted for conservation, easement for conservation, under an easement, easement that bars building,
        servidumbre de conservación, easement, land trust holds, development rights, protected by an easement,
        conservation restriction, perpetual easement, easements, conserved forever, restriction on development
      `),
      hint: 'True binds every later owner: read the recorded deed, since many easements are held privately and false proves nothing.',
      verdict: {
        yes: true,
        matter: 'a conservation easement binds the place',
        words: {
          yes: 'The place is inside a conservation easement, which binds every later owner',
          no: 'The place is outside the mapped conservation easements, and private ones may not be on the map',
        },
        settledBy: 'the recorded deed',
      },
    },
    within_federal_land: {
      layer: 'land_cover',
      type: 'boolean',
      title: 'Within federal land',
      description: 'Whether the point falls on federally owned fee land.',
      expression: "polygon_within(usgs_padus, where[FeatClass = 'Fee' and Own_Type = 'FED'])",
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { wildfire_underwrite: 41, land_cover: 30 },
      terms: phrases(`
        federal land, blm land, national forest, government land, public land, tierra federal, federally owned,
        owned by the government, does the federal government own, us government land, forest service land, usfs land,
        federal ownership, owned by the united states, blm, federal property, federally held, federal, forest service,
        bureau of land management, national forest land, owned by uncle sam, uncle sam, government owned,
        federal government, usfs, national park service land, graze on federal land, government forest
      `),
      hint: 'True means a federal lease or permit and environmental review instead of local zoning; inholdings may be misdrawn by some meters.',
      verdict: {
        yes: true,
        matter: 'the place is federal land',
        words: {
          yes: 'The place is inside federal land',
          no: 'The place is outside federal land',
        },
        settledBy: 'the land records of the federal agency',
      },
    },
  },
});
