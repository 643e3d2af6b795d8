import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'openei_rates_by_zip',
  title: 'US electric utility companies and rates, look-up by ZIP code',
  publisher: 'NREL, published on OpenEI',
  url: 'https://data.openei.org (iou_zipcodes_{year}.csv and non_iou_zipcodes_{year}.csv)',
  format: 'csv',
  licence: 'CC BY 4.0',
  cadence: 'annual',
  vintageRule: 'Year in the file names.',
  notes:
    'Two files of the same columns: investor-owned utilities, and the others. For one utility in a ZIP code rows with service_type Bundled are preferred, else Delivery. A rate of 0 in a row without such customers is published for none.',
  unconfirmed: 'Whether 0 is always published for a missing rate.',
  acquire: {
    files: [
      {
        url: 'https://data.openei.org/files/8563/{utilities}_zipcodes_2024.csv',
        note: '`utilities` is iou or non_iou. The number is that of the submission of 2024 (6225 is 2023); the next is on https://data.openei.org/submissions. ZIP Codes lose their zeros.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'electricity rates by ZIP Code',
      kind: 'table',
      key: { column: 'zip', is: 'zcta_utility' },
      partition: 'national',
      columns: {
        zip: { type: 'string' },
        eiaid: { type: 'string', description: 'EIA utility id.' },
        utility_name: { type: 'string' },
        service_type: { type: 'string', description: 'Bundled, Delivery, or Energy.' },
        ownership: { type: 'string' },
        res_rate: { type: 'number', unit: 'USD/kWh' },
        comm_rate: { type: 'number', unit: 'USD/kWh' },
        ind_rate: { type: 'number', unit: 'USD/kWh' },
      },
    },
  },
  fields: {
    electricity_rate_residential_usd_per_kwh: {
      layer: 'utilities',
      type: 'number',
      unit: 'USD/kWh',
      title: 'Electricity rate residential',
      description: 'Average residential electricity price of the serving utility in the ZIP code.',
      expression: 'area_key_attr(openei_rates_by_zip, key=zcta_utility, res_rate)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 13 },
      terms: phrases(`
        electric rate for homes, what households pay for power, price of electricity, power bill, cents per kwh,
        cost of power, tarifa de luz, electric bill, electric bills, electricity bill, electric rate, power rates,
        residential rate, home electricity price, light bill price, cost of electricity, recibo de luz,
        kilowatt hour cost at home, cents a kilowatt hour, kwh, kilowatt hour, kilowatt-hour, price per kilowatt,
        power cost, electricity cost, electricity price, price of power, rate per kwh, electricity expensive,
        utility bill
      `),
      hint: 'Multiply by yearly kWh for a first bill estimate; it hides fixed charges, tiers and time of use, and lags a year or two.',
    },
    electricity_rate_commercial_usd_per_kwh: {
      layer: 'utilities',
      type: 'number',
      unit: 'USD/kWh',
      title: 'Electricity rate commercial',
      description: 'Average commercial electricity price of the serving utility in the ZIP code.',
      expression: 'area_key_attr(openei_rates_by_zip, key=zcta_utility, comm_rate)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 14, storage_siting: 28 },
      terms: phrases(`
        business electric rate, what businesses pay for power, commercial power price, electricity cost for a store,
        office power rate, commercial rate, rate for a business, commercial electricity, shop electric bill,
        businesses pay per kilowatt hour, electricity for a shop, electric for a business,
        business pays for electricity, commercial power, electricity for an office, power for a store,
        power for a restaurant, commercial electric rate, electric rate for a shop, small business electricity,
        business power rate, commercial price, store electric bill, commercial customers
      `),
      hint: 'What a battery or rooftop array behind the meter would save per kWh before demand charges, which often matter more.',
    },
    electricity_rate_industrial_usd_per_kwh: {
      layer: 'utilities',
      type: 'number',
      unit: 'USD/kWh',
      title: 'Electricity rate industrial',
      description: 'Average industrial electricity price of the serving utility in the ZIP code.',
      expression: 'area_key_attr(openei_rates_by_zip, key=zcta_utility, ind_rate)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { site_selection: 25, utilities: 15, data_center_siting: 5, grid_interconnect: 35 },
      terms: phrases(`
        industrial power price, what industrial customers pay for power, factory electric rate,
        cheap power for a plant, electricity cost for data centers, industrial rate, industrial electricity,
        power price for industry, price of power for a factory, industrial tariff, industrial power,
        electricity for industry, electric rate for a factory, manufacturing power rate, plant pays for electricity,
        industrial customers, industrial electric rate, power for a mill, electricity for a plant, smelter,
        factory power cost, large load rate, data center power price, industry pay for power
      `),
      hint: 'A screening price for large loads; a data center or smelter negotiates its own tariff, often well below.',
    },
  },
});
