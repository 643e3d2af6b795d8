import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'epa_frs',
  title: 'Facility Registry Service national single file',
  publisher: 'US EPA',
  url: 'https://ordsext.epa.gov/FLA/www3/state_files/national_single.zip',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'weekly',
  vintageRule: 'Date of the file inside the archive.',
  notes: 'Program lists in PGM_SYS_ACRNMS (NPDES, TRIS, ACRES).',
  acquire: {
    files: [
      {
        url: 'https://ordsext.epa.gov/FLA/www3/state_files/state_single_{st}.zip',
        note: 'One facility in five has no coordinates.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'regulated facilities',
      assessed: [
        {
          figure: 25,
          unit: 'm',
          means: 'is the accuracy that the agency asks of coordinates of facilities and sites, a goal and no finding',
          page: 'https://nepis.epa.gov/Exe/ZyPURL.cgi?Dockey=94006NLJ.txt',
        },
      ],
      kind: 'vector',
      geometry: 'point',
      joinKey: 'REGISTRY_ID',
      partition: { h3: 2 },
      columns: {
        REGISTRY_ID: { type: 'string' },
        PRIMARY_NAME: { type: 'string' },
        INTEREST_TYPES: { type: 'string' },
        LATITUDE83: { type: 'number', unit: 'degrees' },
        LONGITUDE83: { type: 'number', unit: 'degrees' },
        PGM_SYS_ACRNMS: {
          type: 'string',
          description: 'Programs and their ids, such as NPDES:ME0100021, TRIS:04401XMPLE.',
        },
        NAICS_CODES: { type: 'string', description: 'Codes separated by commas.' },
      },
    },
  },
  fields: {
    nearest_wastewater_plant_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest wastewater plant',
      description: 'Distance to the nearest permitted publicly owned wastewater treatment plant.',
      expression:
        "nearest_distance(epa_frs, max_km=100, where[PGM_SYS_ACRNMS like '%NPDES%' and NAICS_CODES like '%221320%'])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { site_selection: 19, utilities: 10, data_center_siting: 32 },
      terms: phrases(`
        sewer plant, sewage treatment, wastewater, sewer, smell of sewage, discharge permit, alcantarillado,
        sewage plant, treatment plant, wastewater treatment, sewage smell, odor, planta de tratamiento, sewage works,
        aguas negras, discharger, sewage, sewage go, sewers, stink, sewer smell, poop plant, sewage farm,
        sewage smells, smell, smells, smelly, stinks, bad smell, sewage treatment plant
      `),
      hint: 'Says how far a force main or reclaimed-water line would run, not whether the works has capacity or lets you connect.',
    },
    nearest_brownfield_distance_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest brownfield',
      description: 'Distance to the nearest EPA-tracked brownfield property.',
      expression: "nearest_distance(epa_frs, max_km=100, where[PGM_SYS_ACRNMS like '%ACRES%'])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      terms: phrases(`
        brownfield, contaminated property, old industrial site, pollution cleanup, polluted land, brownfields,
        contaminated land, contamination nearby, dirty soil, former industrial, contaminated soil,
        terreno contaminado, old dump, old factory site, dirty site, old industry, contaminated, polluted, dumped,
        dump, landfill, old landfill, leaking gas tanks, leaking tank, underground tanks, contaminated ground,
        phase one environmental, environmental site assessment, polluted ground, industrial past
      `),
      hint: 'Next door may mean grants and liability relief, or solvents in the groundwater: read its ACRES record before an offer.',
    },
    nearest_tri_facility_distance_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest TRI facility',
      description: 'Distance to the nearest Toxics Release Inventory facility.',
      expression: "nearest_distance(epa_frs, max_km=100, where[PGM_SYS_ACRNMS like '%TRIS%'])",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      terms: phrases(`
        polluting factory, toxic release, chemical plant, tri facility, factory emissions, toxics release,
        toxic release facility, toxic emissions, polluter, pollution from a factory, chemical factory,
        chemicals in the air, industrial pollution, fábrica contaminante, paper mill smell, refinery, heavy industry,
        plant that releases chemicals, fumes, factory, factories, pollute, pollutes, chemicals, chemical,
        toxic chemicals, toxics, industrial emissions, plant that pollutes, smokestack
      `),
      hint: 'Within a mile check the yearly releases and wind direction; schools and clinics ask for it in their siting forms.',
      verdict: {
        yes: { under: 1609.344 },
        margin: 50,
        matter: 'a plant that reports toxic releases is near',
        words: {
          yes: 'The nearest TRI facility is {value} away, near enough to check its releases',
          no: 'The nearest TRI facility is {value} away',
        },
        settledBy: 'an environmental assessment',
      },
    },
  },
});
