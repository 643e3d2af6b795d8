import { onGitHub, type PublishedFiles } from './github.ts';

/** National files that several places read, each where a public repository has it. */
const FILES: PublishedFiles = {
  ...onGitHub('Data-Design-Dimension/real-estate-stats', 'b48a619f2ccb82cb16ffc2df3f978c2df620db71', {
    'national/cbsa_county_crosswalk.csv': 'data/cbsa2fipsxw.csv',
  }),
  ...onGitHub('plotly/datasets', '0c447c47b757ad74edecab31f0d72f849d2e67c2', {
    'national/counties_20m.geojson.gz': 'geojson-counties-fips.json',
  }),
  ...onGitHub('durbank/covid-19', '46e89caf0536f571bb8c50f0c169c8b9b9594119', {
    'national/county_population_estimates_2010_2019.csv.gz': 'data/co-est2019-alldata.csv',
  }),
  ...onGitHub('JieYingWu/COVID-19_US_County-level_Summaries', '01451badceda93b7c01662bb4a726d5359b7cdbc', {
    'national/county_unemployment_income_2007_2018.csv.gz': 'raw_data/national/Socioeconomic_status/Unemployment.csv',
  }),
  ...onGitHub('somaiyahhafeez/superfund', '89c31f5c6613859b5022b34d72a753cafe4c227b', {
    'national/epa_superfund_npl.csv': 'data/superfund.csv',
  }),
  ...onGitHub('shroffp05/us-county-disaster-clustering', '288ce179dd32b0259c318ff9de343143027bb331', {
    'national/fema_nri_counties.csv.gz': 'data/NRI_Table_Counties.csv',
  }),
  ...onGitHub('bingyil/HPI_Visualization', '55d56fc55a8461f76bd3bc90de0f9c9e6ae8232d', {
    'national/fhfa_hpi_county.csv.gz': 'data/HPI_AT_BDL_county.csv',
  }),
  ...onGitHub('paxtonhyde/opportunity-zones', '0e851671221a029b28da710cfdc9f6204d458bdb', {
    'national/opportunity_zone_tracts.csv.gz': 'data/tableau_tracts.csv',
  }),
  ...onGitHub('wri/global-power-plant-database', '7a91cfbb2a4e272597acbc00506d61fc1ec73b3d', {
    'national/power_plants_usa.csv.gz': 'source_databases_csv/database_USA.csv',
  }),
  ...onGitHub('nvkelso/natural-earth-vector', 'ace5fed0eaf3c6c03c951e75b439ba8fffbc218e', {
    'national/time_zones_us.geojson.gz': 'geojson/ne_10m_time_zones.geojson',
  }),
  ...onGitHub('vega/vega-datasets', 'cad85578e232704bb0453544742440038038c6a2', {
    'national/us_airports.csv': 'data/airports.csv',
  }),
  ...onGitHub('opengeos/data', '6d9ff544d3adcf4d87bcd694068f4b510a0fdf27', {
    'national/us_states.geojson.gz': 'us/us_states.geojson',
  }),
};

/** Where some of the national files are published, by path below the sources folder. @throws RangeError for one that is not in the list. */
export function nationalFiles(...names: readonly string[]): PublishedFiles {
  return Object.fromEntries(
    names.map(name => {
      const at = FILES[name];
      if (!at) throw new RangeError(`${name} is no national file whose address is known`);
      return [name, at];
    }),
  );
}
