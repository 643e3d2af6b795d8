import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'fhfa_hpi',
  title: 'House Price Index, county annual',
  publisher: 'FHFA',
  url: 'https://www.fhfa.gov/hpi/download/annual/hpi_at_county.csv',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'Release date; the latest value is of the greatest Year.',
  notes: 'latest means the greatest Year.',
  acquire: {
    files: [
      {
        url: 'https://www.fhfa.gov/hpi/download/annual/hpi_at_county.xlsx',
        note: 'Header in line 6. The address that ends in .csv sends the same workbook.',
        form: { ending: '.xlsx', options: { skipLines: 5 } },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'house prices by county',
      kind: 'table',
      key: { column: 'FIPS code', is: 'county_fips' },
      partition: 'national',
      columns: {
        'FIPS code': { type: 'string' },
        Year: { type: 'integer' },
        HPI: { type: 'number', unit: 'index' },
        'Annual Change (%)': { type: 'number', unit: 'percent' },
      },
    },
  },
  fields: {
    county_hpi_yoy_pct: {
      layer: 'parcels',
      type: 'number',
      unit: 'percent',
      title: 'County house price index, year-over-year change',
      description: 'Year-over-year change in the county house price index.',
      expression: 'area_key_attr(fhfa_hpi, key=county_fips, `Annual Change (%)`, agg=latest)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        house prices rising, home appreciation, price growth, are homes getting more expensive, house price index,
        market trend, house price change, home prices up or down, prices going up, are prices falling, appreciation,
        housing market, hpi, suben los precios, will it gain value, equity growth, market going up, prices climbing,
        home values rising, house values, appreciating, home price growth, price index, housing prices rising,
        house prices going up, prices cooling, prices dropping, prices falling, bubble, market hot
      `),
      hint: 'Repeat-sale based, so new homes do not distort it; thin counties jump around and a few have no index.',
    },
  },
});
