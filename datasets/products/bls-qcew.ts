import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'bls_qcew',
  title: 'Quarterly Census of Employment and Wages, annual averages',
  publisher: 'Bureau of Labor Statistics',
  url: 'https://data.bls.gov/cew/data/files/{year}/csv/{year}_annual_singlefile.zip',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'annual (June)',
  vintageRule: 'Year of the annual averages.',
  notes:
    'Total covered, all industries, county level. Rows whose disclosure code is N publish zeros for what is withheld: they are read as missing.',
  acquire: {
    files: [
      {
        url: 'https://data.bls.gov/cew/data/files/{year}/csv/{year}_annual_singlefile.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'employment and wages by county',
      kind: 'table',
      key: { column: 'area_fips', is: 'county_fips' },
      partition: 'national',
      columns: {
        area_fips: { type: 'string' },
        year: { type: 'integer' },
        own_code: { type: 'integer', description: '0 is all ownerships.' },
        industry_code: { type: 'string', description: '10 is all industries.' },
        agglvl_code: { type: 'integer', description: '70 is a county in total.' },
        annual_avg_emplvl: { type: 'integer', unit: 'jobs' },
        annual_avg_wkly_wage: { type: 'number', unit: 'USD' },
        oty_annual_avg_emplvl_pct_chg: { type: 'number', unit: 'percent' },
      },
    },
  },
  fields: {
    county_employment_total: {
      layer: 'parcels',
      type: 'integer',
      unit: 'jobs',
      title: 'County employment total',
      description: 'Average annual covered employment in the county.',
      expression:
        "area_key_attr(bls_qcew, key=county_fips, annual_avg_emplvl, where[own_code = 0 and industry_code = '10' and agglvl_code = 70])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 27 },
      terms: phrases(`
        jobs in the county, how many jobs, employment, empleo, size of the job market, employment in the county,
        total jobs, number of jobs in the county, trabajos, workforce, labor force, labor pool, trabajadores,
        hire people, workers in the county, people work in the county, how many people work, jobs in total, workers,
        jobs, employed, employees, work force, people working, labor market, people have jobs, how many workers,
        available workers, employees in the county, people employed
      `),
      hint: 'Jobs by place of work under unemployment insurance; farm owners and the self-employed are outside.',
    },
    county_employment_yoy_pct: {
      layer: 'parcels',
      type: 'number',
      unit: 'percent',
      title: 'County employment, year-over-year change',
      description: 'Year-over-year change in county covered employment.',
      expression:
        "area_key_attr(bls_qcew, key=county_fips, oty_annual_avg_emplvl_pct_chg, where[own_code = 0 and industry_code = '10' and agglvl_code = 70])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        job growth, are jobs growing, employment change, losing jobs, jobs growing or shrinking, employment growth,
        employment trend, adding jobs, jobs up or down, economy growing, hiring, layoffs, job market growing,
        jobs being added, job market, economy, employment growing, employment rising, employment falling,
        jobs growing, jobs lost, losing workers, local economy, jobs dried up, jobs leaving, recession, gain jobs
      `),
      hint: 'Leads rent demand by some quarters; a plant opening or a base closure explains most big jumps.',
    },
    county_average_weekly_wage_usd: {
      layer: 'parcels',
      type: 'number',
      unit: 'USD',
      title: 'County average weekly wage',
      description: 'Average weekly wage of covered employment in the county.',
      expression:
        "area_key_attr(bls_qcew, key=county_fips, annual_avg_wkly_wage, where[own_code = 0 and industry_code = '10' and agglvl_code = 70])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 28 },
      terms: phrases(`
        wages, average pay, how much do people earn at work, salary, weekly pay, salarios, weekly wage, average wage,
        pay in the county, what do workers earn, sueldo, labor cost, what do jobs pay, cuánto pagan, paycheck,
        wages like, wage, salaries, earnings, pay, average salary, pays, labor costs, what does a job pay,
        weekly salary, weekly earnings, average paycheck, pay workers
      `),
      hint: 'Times 52 gives pay per job, not household income; commuters carry it across the line.',
    },
  },
});
