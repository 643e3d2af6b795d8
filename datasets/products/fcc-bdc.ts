import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'fcc_bdc',
  title: 'Broadband Data Collection fixed availability',
  publisher: 'FCC',
  url: 'https://broadbandmap.fcc.gov/data-download',
  format: 'csv',
  licence: 'US public domain (location fabric not included)',
  cadence: 'twice a year',
  vintageRule: 'Filing date in the file names.',
  notes:
    'Files of one state and technology each. Grouped to census blocks on load: location ids are discarded and equal rows of a block kept once.',
  acquire: {
    files: [
      {
        via: 'fcc',
        url: 'https://broadbandmap.fcc.gov/api/public/map/downloads/listAvailabilityData/{vintage}?category=State&subcategory=Location%20Coverage&technology_type=Fixed%20Broadband&file_type=csv&state_fips={fips}&technology_code={technology}',
        vintage: {
          index: 'https://broadbandmap.fcc.gov/api/public/map/listAsOfDates',
          link: '"data_type"\\s*:\\s*"availability"\\s*,\\s*"as_of_date"\\s*:\\s*"(\\d{4}-\\d\\d-\\d\\d)',
        },
        note: 'A file a technology. The API wants an account, which is free: PLAT_PUBLISHER_KEYS=broadbandmap.fcc.gov=username:NAME,broadbandmap.fcc.gov=hash_value:KEY. It answers ten requests a minute; the site itself blocks programs.',
        seen: 'public code',
        seenOn: '2026-09',
      },
    ],
  },
  layers: {
    main: {
      title: 'broadband availability by census block',
      kind: 'table',
      key: { column: 'block_geoid', is: 'block_geoid' },
      partition: 'state',
      columns: {
        block_geoid: { type: 'string' },
        provider_id: { type: 'string' },
        brand_name: { type: 'string' },
        technology: {
          type: 'integer',
          description: '10 copper, 40 cable, 50 fiber to the premises, 60 and 61 satellite, 70 to 72 fixed wireless.',
        },
        max_advertised_download_speed: { type: 'number', unit: 'Mbps' },
        max_advertised_upload_speed: { type: 'number', unit: 'Mbps' },
        low_latency: { type: 'boolean' },
        business_residential_code: { type: 'string', description: 'B, R, or X for both.' },
      },
    },
  },
  fields: {
    broadband_max_download_mbps: {
      layer: 'utilities',
      type: 'number',
      unit: 'Mbps',
      title: 'Broadband max download',
      description: 'Fastest advertised fixed download speed in the census block.',
      expression: 'area_key_attr(fcc_bdc, key=block_geoid, max_advertised_download_speed, agg=max)',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 15, utilities: 11 },
      terms: phrases(`
        internet speed, how fast is the internet, download speed, mbps, broadband, gigabit, velocidad de internet,
        internet, download, wifi speed, streaming, work from home, work remotely, remote work, zoom, fast internet,
        bandwidth, bajada, internet rápido, telework, wifi, gaming, stream movies, zoom calls, speed of the internet,
        internet speeds, high speed internet, high-speed internet, online, computer work
      `),
      hint: 'Under 25 is unserved and under 100 underserved for federal grants; advertised speed is a claim, not a test result.',
      verdict: {
        yes: { from: 100 },
        matter: 'broadband is fast enough',
        words: {
          yes: 'The fastest download on offer is {value}',
          no: 'The fastest download on offer is {value}, which federal grants call underserved',
        },
        settledBy: 'a speed test at the house',
      },
    },
    broadband_max_upload_mbps: {
      layer: 'utilities',
      type: 'number',
      unit: 'Mbps',
      title: 'Broadband max upload',
      description: 'Fastest advertised fixed upload speed in the census block.',
      expression: 'area_key_attr(fcc_bdc, key=block_geoid, max_advertised_upload_speed, agg=max)',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { utilities: 38 },
      terms: phrases(`
        upload speed, internet upload, uplink, video calls, symmetric internet, upload, uploads, upstream,
        send large files, upload large files, subida, mbps up, upload speeds, upload videos, uploading,
        backup to the cloud, upstream speed, send video, livestream, zoom upload, symmetric, upload rate
      `),
      hint: 'Video work and backups need 20 or more; near equality with the download figure betrays fiber.',
    },
    broadband_fiber_available: {
      layer: 'utilities',
      type: 'boolean',
      title: 'Broadband fiber available',
      description: 'Whether any provider reports fiber to the premises in the census block.',
      expression: 'area_key_attr(fcc_bdc, key=block_geoid, technology, agg=any, where[technology = 50])',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 20, utilities: 12, data_center_siting: 6 },
      terms: phrases(`
        fiber, fiber optic internet, fios, can i get fiber, fibra óptica, fiber internet, fiber to the home, ftth,
        optical fiber, fiber available, fibra, glass fiber, fiber optic, fiber optics, fibre, fiber line,
        fiber available at the house, optic cable, fiber or cable, fiber service, fiber to the house, wired with fiber
      `),
      hint: 'Someone in the block can order it, not necessarily this address; challenge the map where installers refuse.',
      verdict: {
        yes: true,
        matter: 'fiber is available',
        words: {
          yes: 'Fiber to the premises is reported in the census block',
          no: 'No provider reports fiber to the premises in the census block',
        },
        settledBy: 'an order with the provider',
      },
    },
    broadband_provider_count: {
      layer: 'utilities',
      type: 'integer',
      unit: 'count',
      title: 'Broadband provider count',
      description: 'Number of terrestrial fixed broadband providers reporting service in the census block.',
      expression:
        'area_key_attr(fcc_bdc, key=block_geoid, provider_id, agg=count_distinct, where[technology in (10,40,50,70,71,72)])',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { utilities: 39, data_center_siting: 35 },
      terms: phrases(`
        internet providers, how many isps, choice of internet, cable or dsl companies, competition for internet, isp,
        isps, number of providers, internet companies, choice of providers, internet options, proveedores de internet,
        carriers compete, internet carriers, how many carriers, providers, internet service providers,
        how many providers, internet choices, how many internet companies, companies offer internet,
        internet monopoly, choice of isp, more than one internet company, provider options, competing carriers
      `),
      hint: 'One is a monopoly price, three or more negotiate; resold lines of the same network are counted apart.',
    },
  },
});
