import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'openfema',
  title: 'OpenFEMA disaster declarations and NFIP redacted claims',
  publisher: 'FEMA',
  url: 'https://www.fema.gov/api/open/',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'daily (loaded monthly)',
  vintageRule: 'Date of the download.',
  notes:
    'Claims carry mixed-vintage tract ids; rows that match no 2020 tract are skipped. fipsCountyCode 000 is not a county: designatedArea Statewide counts for every county of the state; other 000 rows (tribal areas) are skipped.',
  unconfirmed: 'That a claim without a tract has an empty one.',
  acquire: {
    files: [
      {
        layers: ['DisasterDeclarationsSummaries'],
        url: 'https://www.fema.gov/api/open/v2/DisasterDeclarationsSummaries.csv',
        seen: 'public code',
      },
      {
        layers: ['FimaNfipClaims'],
        url: 'https://www.fema.gov/about/reports-and-data/openfema/v3/NfipClaimsV3.parquet',
        note: 'Version 3 has one censusGeoid for the tract and the block group of version 2, which ends in October 2026: the tract is its first 11 digits.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    DisasterDeclarationsSummaries: {
      title: 'disaster declarations by county',
      kind: 'table',
      key: { column: 'county_fips', is: 'county_fips' },
      partition: 'national',
      columns: {
        county_fips: {
          type: 'string',
          description: 'fipsStateCode and fipsCountyCode; a statewide declaration is repeated for every county.',
        },
        disasterNumber: { type: 'integer' },
        declarationDate: { type: 'date' },
        incidentType: { type: 'string' },
        designatedArea: { type: 'string' },
      },
    },
    FimaNfipClaims: {
      title: 'flood insurance claims by census tract',
      kind: 'table',
      key: { column: 'censusTract', is: 'tract_geoid' },
      partition: 'national',
      columns: {
        censusTract: { type: 'string', aliases: ['censusGeoid'] },
        id: { type: 'string' },
        dateOfLoss: { type: 'date' },
      },
    },
  },
  fields: {
    nfip_claim_count_tract: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'NFIP claims in tract',
      description: 'Number of National Flood Insurance Program claims recorded in the census tract since 1978.',
      expression: 'area_key_attr(openfema:FimaNfipClaims, key=tract_geoid, id, agg=count)',
      confidence: 'const(medium)',
      ttlSeconds: 2_592_000,
      presets: { flood_risk: 20 },
      terms: [
        'flood claims',
        'past floods',
        'has it flooded before',
        'flood insurance claims',
        'flood history',
        'historial de inundaciones',
      ],
      hint: 'Paid-loss history of the neighbourhood: none may just mean that few were insured, dozens mean water came.',
    },
    disaster_declaration_count_county_10yr: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'County disaster declarations, ten years',
      description: 'Number of distinct federal disaster declarations covering the county in the last ten years.',
      expression:
        'area_key_attr(openfema:DisasterDeclarationsSummaries, key=county_fips, disasterNumber, agg=count_distinct, where[declarationDate >= @today-10y])',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { natural_hazard: 15 },
      terms: ['disasters', 'fema declarations', 'how many disasters', 'declared emergencies', 'desastres'],
      hint: 'Shows how often aid and disruption came, statewide events included; it says little about one parcel.',
    },
  },
});
