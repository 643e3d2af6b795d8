import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'bts_ntad',
  title: 'National Transportation Atlas Database',
  publisher: 'USDOT Bureau of Transportation Statistics',
  url: 'https://geodata.bts.gov',
  format: 'geojson',
  licence: 'US public domain',
  cadence: 'monthly to annual by layer',
  vintageRule: 'Date of last update in the metadata of each layer.',
  notes:
    'NET codes: M main, I industrial lead, O other track, S siding, Y yard, and not active: A abandoned, R removed, T trail, X out of service, F ferry. The rail lines also cover Canada and Mexico.',
  unconfirmed: 'PORT and TOTAL of the principal ports; the units and missing value of the noise raster.',
  acquire: {
    files: [
      {
        layers: ['narn'],
        via: 'arcgis',
        url: 'https://services.arcgis.com/xOi1kZaI0eWDREZv/arcgis/rest/services/NTAD_North_American_Rail_Network_Lines/FeatureServer/0',
        ground: 50,
        seen: 'public code',
      },
      {
        layers: ['aviation_facilities'],
        via: 'arcgis',
        url: 'https://services.arcgis.com/xOi1kZaI0eWDREZv/arcgis/rest/services/NTAD_Aviation_Facilities/FeatureServer/0',
        ground: 300,
        seen: 'unconfirmed',
      },
      {
        layers: ['transit_stops'],
        via: 'arcgis',
        url: 'https://services.arcgis.com/xOi1kZaI0eWDREZv/arcgis/rest/services/NTAD_National_Transit_Map_Stops/FeatureServer/0',
        ground: 50,
        seen: 'unconfirmed',
      },
      {
        layers: ['intermodal_tofc_cofc'],
        via: 'arcgis',
        url: 'https://services.arcgis.com/xOi1kZaI0eWDREZv/arcgis/rest/services/NTAD_Intermodal_Freight_Facilities_Rail_TOFC_COFC/FeatureServer/0',
        ground: 300,
        seen: 'unconfirmed',
      },
      {
        layers: ['principal_ports'],
        via: 'arcgis',
        url: 'https://services.arcgis.com/xOi1kZaI0eWDREZv/arcgis/rest/services/NTAD_Principal_Ports/FeatureServer/0',
        ground: 800,
        seen: 'unconfirmed',
      },
    ],
    byHand:
      'noise: https://www.bts.gov/bts-net-storage/CONUS_rail_road_and_aviation_noise_2022.zip lasts, and its host blocks programs; a browser takes it (1.6 GB, rasters of states)',
  },
  layers: {
    narn: {
      title: 'railroad lines',
      accuracyM: 50.8,
      accuracyIn:
        'FRA and BTS, metadata of the rail network (rosap.ntl.bts.gov/view/dot/53568): 1:100,000 or better (NMAS: 0.02 inch)',
      kind: 'vector',
      geometry: 'line',
      joinKey: 'FRAARCID',
      partition: 'national',
      columns: {
        FRAARCID: { type: 'string' },
        RROWNER1: { type: 'string', description: 'Reporting mark of the owner.' },
        NET: {
          type: 'string',
          description: 'M main, I industrial lead, O other, S siding, Y yard; A, R, T, X and F are not active.',
        },
      },
    },
    aviation_facilities: {
      title: 'airports',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'ARPT_ID',
      partition: 'national',
      columns: {
        ARPT_ID: { type: 'string' },
        ARPT_NAME: { type: 'string' },
        SITE_TYPE_CODE: { type: 'string', description: 'A airport, H heliport, C seaplane base, and others.' },
        FACILITY_USE_CODE: { type: 'string', description: 'PU public use, PR private use.' },
        FAR_139_TYPE_CODE: {
          type: 'string',
          description: 'Empty where the airport is not certificated under 14 CFR Part 139.',
        },
      },
    },
    transit_stops: {
      title: 'transit stops',
      assessed: [
        {
          figure: 4,
          unit: 'm',
          means:
            'is the error of a stop that the practices of the format allow at most, which agencies follow as they can',
          page: 'https://gtfs.org/documentation/schedule/schedule-best-practices/#stopstxt',
        },
      ],
      kind: 'vector',
      geometry: 'point',
      joinKey: 'stop_id',
      partition: 'national',
      columns: {
        stop_id: { type: 'string', description: 'Of the feed of one agency; repeated between agencies.' },
        stop_name: { type: 'string' },
      },
    },
    intermodal_tofc_cofc: {
      title: 'intermodal rail terminals',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'TERMINAL',
      partition: 'national',
      columns: {
        TERMINAL: { type: 'string', description: 'Name of the terminal.' },
      },
    },
    principal_ports: {
      title: 'principal ports',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'PORT',
      partition: 'national',
      columns: {
        PORT: { type: 'string', description: 'Port code of the Army Corps of Engineers.' },
        PORT_NAME: { type: 'string' },
        TOTAL: { type: 'number', unit: 'short tons' },
      },
    },
    noise: {
      title: 'transportation noise',
      kind: 'raster',
      bands: 1,
      unit: 'dBA',
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    nearest_rail_line_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest rail line',
      description: 'Distance to the nearest active rail line.',
      expression:
        "nearest_distance(bts_ntad:narn, max_km=300, where[NET != 'A' and NET != 'R' and NET != 'T' and NET != 'X' and NET != 'F'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 10 },
      terms: phrases(`
        train tracks, railroad, how far is the railway, rail access, trains nearby, ferrocarril, train noise, rail,
        rail line, tracks, train, trains going by, hear the train, freight trains, rail spur, distance to rail,
        vía del tren, tren, tracks run, train whistle, locomotives, freight line, railway, trains,
        train noise at night, freight train, railroad tracks, railroad crossing, railway line, rails
      `),
      hint: 'Close by means horns, vibration and possibly a siding; trains may still be few on a line listed as active.',
    },
    nearest_rail_line_owner: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest rail line owner',
      description: 'Reporting mark of the owner of the nearest active rail line.',
      expression:
        "nearest_attr(bts_ntad:narn, RROWNER1, max_km=300, where[NET != 'A' and NET != 'R' and NET != 'T' and NET != 'X' and NET != 'F'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        which railroad, who owns the tracks, csx or norfolk southern, railroad company, railway owner,
        who runs the trains, whose tracks, bnsf, csx, railroad owner, owner of the tracks, owner of the railroad,
        whose railroad, whose train tracks, union pacific, norfolk southern, amtrak, whose rail line,
        which rail company, railroad runs, name of the railroad
      `),
      hint: 'The railroad to ask for a crossing, sidetrack or wire license; look the reporting mark up in the AAR list.',
    },
    nearest_airport_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest airport',
      description: 'Distance to the nearest public-use airport.',
      expression:
        "nearest_distance(bts_ntad:aviation_facilities, max_km=300, where[SITE_TYPE_CODE = 'A' and FACILITY_USE_CODE = 'PU'])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 14, wind_siting: 13, data_center_siting: 44 },
      terms: phrases(`
        how far is an airport, airfield, airport nearby, airstrip, aeropuerto, airport, small planes, flight path,
        runway, private plane, landing strip, general aviation, jets, crop duster strip, fly my plane, landing field,
        avionetas, airspace, drone, fly a drone, planes taking off, helicopters, airplanes, planes, aircraft,
        small airport, airport noise, airports, landing planes, planes land
      `),
      hint: 'Within about 6 km even modest heights can need an FAA notice, and solar panels a glare study.',
    },
    nearest_airport_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest airport name',
      description: 'Name of the nearest public-use airport.',
      expression:
        "nearest_attr(bts_ntad:aviation_facilities, ARPT_NAME, max_km=300, where[SITE_TYPE_CODE = 'A' and FACILITY_USE_CODE = 'PU'])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 15 },
      terms: phrases(`
        which airport is closest, name of the nearest airport, local airfield, airport called, nombre del aeropuerto,
        airport name, name of the airfield
      `),
      hint: 'Ask this airport for its noise contours and approach surfaces; grass strips count as well as hubs.',
    },
    nearest_commercial_airport_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest commercial airport',
      description: 'Distance to the nearest airport certificated for airline service (14 CFR Part 139).',
      expression:
        "nearest_distance(bts_ntad:aviation_facilities, max_km=800, where[SITE_TYPE_CODE = 'A' and FAR_139_TYPE_CODE is not null])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { site_selection: 11, points_of_interest: 18 },
      terms: phrases(`
        airport with airlines, commercial flights, how far to fly out, passenger airport, major airport distance,
        commercial airport, catch a flight, airline airport, international airport, fly home, flights,
        aeropuerto comercial, fly out, vuelos comerciales, jetport, airlines, scheduled flights, passenger flights,
        fly, flying, catch a plane, airport for vacation, business travel, travel by plane, delta, southwest,
        drive to the airport, travelers, fly somewhere
      `),
      hint: 'A proxy for business travel; a certificate does not promise daily scheduled flights.',
    },
    nearest_commercial_airport_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest commercial airport name',
      description: 'Name of the nearest airport certificated for airline service.',
      expression:
        "nearest_attr(bts_ntad:aviation_facilities, ARPT_NAME, max_km=800, where[SITE_TYPE_CODE = 'A' and FAR_139_TYPE_CODE is not null])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 19 },
      terms: phrases(`
        which airport has flights, name of the airport with airline service, passenger airport name,
        commercial airport called, airport for flights, which airport do airlines use, which airport would i fly,
        airport code, what airport would we fly out of, name of the big airport
      `),
      hint: 'Look up its carriers and enplanements before you sell a location on it.',
    },
    transit_stop_count_within_800m: {
      layer: 'built_environment',
      type: 'integer',
      unit: 'count',
      title: 'Transit stop count within 800 m',
      description: 'Number of fixed-route transit stops within 800 m.',
      expression: 'count_within(bts_ntad:transit_stops, radius_m=800)',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 20 },
      terms: phrases(`
        how many bus stops, transit access, stops within walking distance, is it walkable to transit,
        good bus service, number of bus stops, bus lines nearby, how many stops, paradas de autobús, cuántas paradas,
        bus stops, stops nearby, number of transit stops, well served by buses, bus service, transit service,
        how good is transit, paradas, stops close by
      `),
      hint: 'Ten minutes on foot: many zoning codes relax parking minimums inside it. Says nothing about how often anything comes.',
    },
    nearest_intermodal_terminal_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest intermodal terminal',
      description: 'Distance to the nearest rail TOFC/COFC intermodal terminal.',
      expression: 'nearest_distance(bts_ntad:intermodal_tofc_cofc, max_km=500)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 23 },
      terms: phrases(`
        intermodal yard, container rail terminal, freight terminal, truck to rail, rail ramp, intermodal,
        intermodal terminal, container yard, rail freight terminal, containers on trains, boxes on trains, containers,
        container, container terminal, trucks to trains, truck to train, piggyback, transload, drayage,
        rail intermodal, inland port, intermodal facility
      `),
      hint: 'Drayage pays off within about 150 km; a yard may serve one railroad and not take the containers you ship.',
    },
    nearest_transit_stop_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest transit stop',
      description: 'Distance to the nearest fixed-route transit stop.',
      expression: 'nearest_distance(bts_ntad:transit_stops, max_km=50)',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 9 },
      terms: phrases(`
        bus stop, train station, public transportation, how far to the bus, subway, transporte público,
        walk to transit, public transit, bus, transit, transit stop, commuter rail, metro station, parada de autobús,
        autobús, camión, parada, park and ride, streetcar, city bus, without a car, without driving, bus line,
        bus route, buses, public transport, ride the bus, catch a bus, catch the bus, light rail
      `),
      hint: "Five minutes' walk is 400 m; a stop across a motorway or river is farther than it looks, and one bus a day counts too.",
    },
    nearest_port_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest port',
      description: 'Distance to the nearest principal commercial port.',
      expression: 'nearest_distance(bts_ntad:principal_ports, max_km=1500)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { site_selection: 24, points_of_interest: 23 },
      terms: phrases(`
        seaport, how far to a port, shipping port, harbor, container port, puerto, port, ship goods, ocean freight,
        docks, puerto marítimo, ships, marine terminal, cruise ships, barge, harbour, ports, cargo ships, ship,
        shipping, freight port, cargo, export, import by sea, wharf, dock for ships, seaports, ferry terminal,
        port for shipping
      `),
      hint: 'Heavy components and exports hinge on it; principal means tonnage, so a bulk coal or oil dock may handle no containers.',
    },
    nearest_port_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest port name',
      description: 'Name of the nearest principal commercial port.',
      expression: 'nearest_attr(bts_ntad:principal_ports, PORT_NAME, max_km=1500)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { points_of_interest: 24 },
      terms: phrases(`
        which port is closest, name of the seaport, nearest harbor name, port called, name of the port,
        name of the harbor, seaport called
      `),
      hint: 'Ask this port authority for draft, crane and laydown limits before routing blades, transformers or feedstock over it.',
    },
    transportation_noise_dba: {
      layer: 'built_environment',
      type: 'number',
      unit: 'dBA',
      title: 'Transportation noise',
      description: 'Modelled 24-hour road, rail and aviation noise level at the point.',
      expression: 'raster_sample(bts_ntad:noise, 1)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        how loud, noisy, road noise, airplane noise, quiet, decibels, ruido, noise, noise level, hear trains, hear traffic, hear planes,
        hear trucks, planes overhead, traffic noise, loud at night, light sleeper, dba,
        silencioso, ruidoso, tranquilo, jets over my bed, hear the highway, peaceful, racket, loud, earplugs,
        noise from traffic, sleep at night, noise from trains
      `),
      hint: 'Above 65 dBA federal mortgage programs call a home normally unacceptable; a silent cell means under 45, not unmeasured by mistake.',
      verdict: {
        yes: { from: 65 },
        margin: 2,
        matter: 'traffic noise is too loud for a home',
        words: {
          yes: 'Traffic noise is {value}, which federal mortgage programs call unacceptable for a home',
          no: 'Traffic noise is {value}',
        },
        settledBy: 'a noise measurement at the house',
      },
    },
  },
});
