import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'overture_places',
  title: 'Overture Maps places theme',
  publisher: 'Overture Maps Foundation',
  url: 's3://overturemaps-us-west-2/release/{release}/theme=places/type=place/',
  format: 'geoparquet',
  licence: 'CDLA-Permissive-2.0',
  cadence: 'monthly',
  vintageRule: 'Release name, which begins with its date.',
  notes: 'Public parquet; the category schema changes between releases, so say which it is.',
  acquire: {
    files: [
      {
        via: 'parquet',
        url: 'https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com/?list-type=2&prefix=release/{vintage}/theme=places/type=place/',
        // As far as a park or a charger is looked for.
        ground: 200,
        resource: 'id,names,categories,taxonomy,basic_category,confidence',
        form: {
          ending: '.geojson',
          columns: {
            id: 'id',
            'names.primary': 'names.primary',
            'categories.primary': 'taxonomy.primary',
            confidence: 'confidence',
          },
        },
        vintage: {
          index: 'https://stac.overturemaps.org/catalog.json',
          link: '"latest"\\s*:\\s*"([0-9.-]+)"',
        },
        note: 'Releases live about 60 days. The catalog names the latest; its place is cut out by the boxes of the rows.',
        seen: 'public code',
        seenOn: '2026-09',
      },
    ],
  },
  layers: {
    main: {
      title: 'points of interest',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'id',
      partition: { h3: 4 },
      columns: {
        id: { type: 'string' },
        'names.primary': { type: 'string' },
        'categories.primary': {
          type: 'string',
          description: 'Releases since September 2026 have a taxonomy instead.',
          aliases: ['taxonomy.primary'],
        },
        confidence: { type: 'number', description: 'Probability from 0 to 1 that the place exists.' },
      },
    },
  },
  fields: {
    nearest_grocery_store_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest grocery store',
      description: 'Distance to the nearest grocery store or supermarket.',
      expression:
        "nearest_distance(overture_places, max_km=100, where[`categories.primary` in ('grocery_store','supermarket') and confidence >= 0.6])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 1 },
      terms: phrases(`
        supermarket, groceries, food store, where to buy food, how far to shop, supermercado, grocery, grocery store,
        groceries near, food desert, buy milk, shopping for food, tienda de comestibles, comestibles, mandado, grocer,
        food shopping, bread and milk, food, groceries nearby, supermarkets, grocery shopping, walmart, kroger,
        safeway, milk, bread, eggs, store for food, grocery run
      `),
      hint: 'More than a mile in a city, or ten in the country, is what food-access programs call low access.',
      verdict: {
        yes: { under: 1609.344 },
        margin: 50,
        matter: 'groceries are near',
        words: {
          yes: 'The nearest grocery store is {value} away, near for a town',
          no: 'The nearest grocery store is {value} away, which a town would call low access',
        },
        settledBy: 'a look at a live map',
      },
    },
    nearest_grocery_store_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest grocery store name',
      description: 'Name of the nearest grocery store or supermarket.',
      expression:
        "nearest_attr(overture_places, `names.primary`, max_km=100, where[`categories.primary` in ('grocery_store','supermarket') and confidence >= 0.6])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 2 },
      terms: phrases(`
        which supermarket, name of the grocery store, what store is nearby, grocery called, name of the supermarket,
        which grocery store, name of the grocery, name of the store, grocery store is it, supermarket called
      `),
      hint: 'Call or visit before quoting it: listings outlive the shops, and a small corner market may carry the same tag.',
    },
    nearest_pharmacy_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest pharmacy',
      description: 'Distance to the nearest pharmacy.',
      expression:
        "nearest_distance(overture_places, max_km=100, where[`categories.primary` = 'pharmacy' and confidence >= 0.6])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 7 },
      terms: phrases(`
        drugstore, pharmacy, prescriptions, cvs, walgreens, farmacia, pharmacist, pick up medicine, medicine,
        fill a prescription, medicinas, pick up my pills, medication, drug store, insulin, pills, pharmacies, meds,
        prescription, druggist, chemist, medicines, drugs from a pharmacy, rite aid, refill, blood pressure pills,
        farmacias
      `),
      hint: 'Matters most for senior housing; counters inside supermarkets are often listed only under the supermarket.',
    },
    nearest_park_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest park',
      description: 'Distance to the nearest park.',
      expression:
        "nearest_distance(overture_places, max_km=100, where[`categories.primary` = 'park' and confidence >= 0.6])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 8 },
      terms: phrases(`
        park, playground, green space, where can kids play, dog walking, parque, nearest park, playing field,
        ball field, somewhere to play, walk the dog, park nearby, área de juegos, ballfield, walking trails, hiking,
        soccer field, swings, picnic, jog, playgrounds, parks, dog park, play outside, green area, open space,
        kids play, let the dog run, trails, walking trail
      `),
      hint: 'Measured to one marker, often the middle of the lawns, so the gate can be much closer.',
    },
    nearest_ev_charger_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest EV charger',
      description: 'Distance to the nearest public electric vehicle charging station.',
      expression:
        "nearest_distance(overture_places, max_km=200, where[`categories.primary` = 'ev_charging_station' and confidence >= 0.6])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 21 },
      terms: phrases(`
        charging station, electric car charger, charge my tesla, ev plug, cargador, ev charger, ev charging, charger,
        charge an electric car, charge the car, cargador eléctrico, supercharger, plug in the car, teslas,
        plug in an electric car, electric vehicle, charge, charging, ev, electric car, electric cars, tesla,
        fast charger, charge my car, plug-in car, chargers, rivian, level 2 charger, charging port
      `),
      hint: 'Says nothing of speed, price or plug; check a live map before relying on it for a fleet.',
    },
    restaurant_count_within_1km: {
      layer: 'built_environment',
      type: 'integer',
      unit: 'count',
      title: 'Restaurant count within 1 km',
      description: 'Number of restaurants within 1 km.',
      expression:
        "count_within(overture_places, radius_m=1000, where[`categories.primary` like '%restaurant%' and confidence >= 0.6])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 10 },
      terms: phrases(`
        restaurants, places to eat, dining, walk to dinner, cafes, restaurantes, restaurant, eat out,
        somewhere to eat, places to eat nearby, food nearby, comer fuera, coffee shop, bite to eat, diner, cafe, bars,
        pub, lunch, eat, eateries, food places, takeout, dinner, breakfast, eat nearby, places for dinner, fast food,
        nightlife, food options
      `),
      hint: 'A quick gauge of street life and evening parking pressure; coverage is thinner in rural listings.',
    },
    poi_count_within_1km: {
      layer: 'built_environment',
      type: 'integer',
      unit: 'count',
      title: 'POI count within 1 km',
      description: 'Number of places of any category within 1 km.',
      expression: 'count_within(overture_places, radius_m=1000, where[confidence >= 0.6])',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 11 },
      terms: phrases(`
        amenities, shops nearby, businesses around, how much is around, things to do, walkable, shops,
        shopping nearby, walkability, walk score, businesses nearby, foot traffic, what is there to do,
        negocios cercanos, tiendas, tiendas cerca, other businesses, stores around, stores, businesses, shop nearby,
        walk to shops, places nearby, conveniences, dead or lively, walkable neighborhood, errands on foot, errands,
        downtown, shopping
      `),
      hint: 'Activity proxy for retail siting; compare places within one region, since listing density varies by source.',
    },
  },
});
