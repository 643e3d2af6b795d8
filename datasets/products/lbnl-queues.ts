import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'lbnl_queues',
  title: 'Queued Up interconnection queue data',
  publisher: 'Lawrence Berkeley National Laboratory',
  url: 'https://emp.lbl.gov/queues',
  format: 'xlsx',
  licence: 'CC BY 4.0',
  cadence: 'annual',
  vintageRule: 'Year-end of the edition, from the file name.',
  notes:
    'Sheet "03. Complete Queue Data", header in its second line. County names are keyed to FIPS on load where the edition has no fips_code. mw1, mw2 and mw3 are the capacities of type1, type2 and type3 (Solar+Battery has solar in mw1 and storage in mw2); the 2025 edition writes mw_1 and IA_phase_clean.',
  unconfirmed:
    'Whether every edition has FIPS codes beside the county names; without them names are keyed by the place file.',
  acquire: {
    files: [
      {
        url: 'https://eta-publications.lbl.gov/sites/default/files/2026-05/lbnl_ix_queue_data_file_thru2025.xlsx',
        note: 'The page that names the edition blocks programs. Columns differ by edition.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'interconnection queues by county',
      kind: 'table',
      key: { column: 'county_fips', is: 'county_fips' },
      partition: 'national',
      columns: {
        county_fips: {
          type: 'string',
          description: 'Of the county named, composed on load.',
          aliases: ['fips_code', 'fips_codes'],
        },
        q_id: { type: 'string' },
        q_status: { type: 'string', description: 'active, operational, suspended or withdrawn.' },
        q_date: { type: 'date' },
        IA_status_clean: {
          type: 'string',
          description: 'Stage of the interconnection agreement.',
          aliases: ['IA_phase_clean'],
        },
        county: { type: 'string' },
        state: { type: 'string' },
        poi_name: { type: 'string' },
        region: { type: 'string' },
        entity: { type: 'string' },
        type1: { type: 'string', aliases: ['type_1'] },
        type2: { type: 'string', aliases: ['type_2'] },
        mw1: { type: 'number', unit: 'MW', aliases: ['mw_1'] },
        mw2: { type: 'number', unit: 'MW', aliases: ['mw_2'] },
        mw3: { type: 'number', unit: 'MW', aliases: ['mw_3'] },
      },
    },
  },
  fields: {
    county_queue_active_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'County queue active',
      description: 'Active interconnection-queue capacity in the county.',
      expression:
        "derived(expr[a + b + c], a=area_key_attr(lbnl_queues, key=county_fips, mw1, agg=sum, where[q_status = 'active']), b=area_key_attr(lbnl_queues, key=county_fips, mw2, agg=sum, where[q_status = 'active']), c=area_key_attr(lbnl_queues, key=county_fips, mw3, agg=sum, where[q_status = 'active']))",
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 15, wind_siting: 20, storage_siting: 25, data_center_siting: 25, grid_interconnect: 11 },
      terms: phrases(`
        interconnection queue, megawatts waiting to connect, queue congestion, pending projects capacity, queue,
        queue in the county, interconnection queue megawatts, capacity in the queue, how full is the queue,
        requests ahead of us, megawatts in line, queued capacity, interconnection backlog, waiting in line to connect,
        queued in the county, waiting to connect, interconnection, queued megawatts, queue size, waiting to plug in,
        backlog, megawatts in the queue, capacity waiting, mw in the queue, queue mw, interconnection line, grid queue
      `),
      hint: 'More than local lines can carry means years of restudy; four fifths of such megawatts have historically withdrawn.',
    },
    county_queue_active_project_count: {
      layer: 'utilities',
      type: 'integer',
      unit: 'count',
      title: 'County queue active project count',
      description: 'Number of active interconnection-queue projects in the county.',
      expression: "area_key_attr(lbnl_queues, key=county_fips, q_id, agg=count, where[q_status = 'active'])",
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { storage_siting: 26, grid_interconnect: 12 },
      terms: phrases(`
        how many projects in the queue, interconnection requests, queue length, pending energy projects,
        number of projects in the queue, projects ahead of us, projects waiting, projects in the queue,
        queued projects, projects in line, how many projects are waiting, number of queued projects,
        requests in the queue, applications in the queue, developers waiting
      `),
      hint: 'Many small requests and one giant cause different delays: read it beside the megawatts.',
    },
    county_queue_solar_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'County queue solar',
      description: 'Active solar interconnection-queue capacity in the county.',
      expression:
        "area_key_attr(lbnl_queues, key=county_fips, mw1, agg=sum, where[q_status = 'active' and type1 = 'Solar'])",
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 22, grid_interconnect: 29 },
      terms: phrases(`
        solar in the queue, pending solar projects, solar waiting to connect, planned solar in the county,
        solar in the interconnection queue, solar queue, solar queued, queued solar, solar waiting in the queue,
        pv in the queue, solar in line, solar megawatts in the queue, mw of solar in the queue,
        solar projects waiting, pv queued, solar waiting in line
      `),
      hint: 'Rivals for the same substations and the same midday hours; hybrids are counted only where the array is their first type.',
    },
    county_queue_storage_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'County queue storage',
      description: 'Active storage interconnection-queue capacity in the county (standalone and hybrid).',
      expression:
        "derived(expr[a + b], a=area_key_attr(lbnl_queues, key=county_fips, mw1, agg=sum, where[q_status = 'active' and type1 = 'Battery']), b=area_key_attr(lbnl_queues, key=county_fips, mw2, agg=sum, where[q_status = 'active' and type2 = 'Battery']))",
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { storage_siting: 12, grid_interconnect: 30 },
      terms: phrases(`
        batteries in the queue, pending storage projects, storage waiting to connect,
        storage in the interconnection queue, storage queue, batteries waiting to connect, queued batteries,
        storage queued, battery queue, batteries waiting, storage in line, battery megawatts in the queue,
        mw of storage in the queue, bess queue, bess in the queue, storage projects waiting
      `),
      hint: "Shows who else bets on price spreads here; batteries paired with solar share that plant's injection limit.",
    },
  },
});
