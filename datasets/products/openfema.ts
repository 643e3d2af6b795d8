import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

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
        form: {
          ending: '.parquet',
          where: 'censusGeoid is not null',
          columns: {
            censusTract: { from: 'censusGeoid', slice: [0, 11] },
            id: 'id',
            dateOfLoss: { from: 'dateOfLoss', slice: [0, 10] },
          },
        },
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
      terms: phrases(`
        flood claims, past floods, has it flooded before, flood insurance claims, flood history,
        historial de inundaciones, nfip, nfip losses, flood losses, paid flood claims, flooded before,
        has it ever flooded, history of flooding, flooded in the past, repeated flooding, se ha inundado,
        put in for flood insurance money, flood losses filed, flood payouts, reclamos por inundación,
        filed flood claims, claims for flood, claims, past flood claims, flood damage before, neighbors flooded,
        neighbors filed, filed claims, repetitive loss, flood loss history
      `),
      hint: 'Paid-loss history of the neighborhood: none may just mean that few were insured, dozens mean water came.',
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
      terms: phrases(`
        disasters, fema declarations, how many disasters, declared emergencies, desastres, declared disasters,
        federal disaster declarations, disasters declared, federally declared disaster, emergencies declared,
        federal disasters, declared disaster areas, disaster declarations, declared disaster, disaster area,
        fema disasters, federal disaster, federally declared, declarations, disaster aid, president declare,
        presidential declarations, state of emergency, emergencies
      `),
      hint: 'Shows how often aid and disruption came, statewide events included; it says little about one parcel.',
    },
  },
});
