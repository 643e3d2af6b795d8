import { ANTENNA_RECORDS } from '../../../datasets/codes/antenna-records.ts';
import { PERMIT_COLUMNS } from '../../../datasets/codes/permit-columns.ts';
import { STATE_PLANES } from '../format/crs.ts';
import { csv, featureClass, geodatabase, geojson, shapefile, type WorldFile } from '../format/file.ts';
import { number, text } from '../format/shapefile.ts';
import { delimitedLines } from '../format/table.ts';
import { offers, TECHNOLOGIES } from '../settlement/broadband.ts';
import type { Mast } from '../settlement/transport.ts';
import type { CountyWorld, World } from '../world.ts';

/** Transport, utilities, districts, broadband and the county economy. */
export function network(world: World): WorldFile[] {
  return [...districts(world), ...transport(world), ...utilities(world), ...economy(world)];
}

const named = (geoid: string, length: number, name: string) => [text(geoid, length), text(name, 100)];

function districts({ counties, network: { districts: d } }: World): WorldFile[] {
  return [
    shapefile('census/tl_2025_us_cbsa', 'polygon', [...named('GEOID', 5, 'NAME'), text('NAMELSAD', 100)], () =>
      d.metropolitanAreas(),
    ),
    shapefile('census/tl_2025_us_uac20', 'polygon', named('GEOID20', 5, 'NAME20'), () => d.urbanAreas()),
    shapefile('census/tl_2025_us_aiannh', 'polygon', named('GEOID', 5, 'NAMELSAD'), () => d.tribalLand()),
    shapefile('census/tl_2025_us_mil', 'polygon', named('AREAID', 22, 'FULLNAME'), () => d.military()),
    ...counties.flatMap(({ census, county }): WorldFile[] => {
      const file = (layer: string) => `census/tl_2025_${county.state}_${layer}`;
      return [
        shapefile(file('cousub'), 'polygon', named('GEOID', 10, 'NAMELSAD'), () => d.subdivisions(census)),
        shapefile(file('cd119'), 'polygon', named('GEOID', 4, 'NAMELSAD'), () => d.congressional(census)),
        shapefile(file('sldu'), 'polygon', named('GEOID', 5, 'NAMELSAD'), () => d.upperHouse(census)),
        shapefile(file('sldl'), 'polygon', named('GEOID', 5, 'NAMELSAD'), () => d.lowerHouse(census)),
        shapefile(file('unsd'), 'polygon', named('GEOID', 7, 'NAME'), () => d.schoolDistricts(census)),
        shapefile(file('elsd'), 'polygon', named('GEOID', 7, 'NAME'), () => d.splitDistricts(census, 'Elementary')),
        shapefile(file('scsd'), 'polygon', named('GEOID', 7, 'NAME'), () => d.splitDistricts(census, 'Secondary')),
      ];
    }),
  ];
}

/** RA and CO records of a mast, by column. */
function records(mast: Mast): Record<'RA' | 'CO', Readonly<Record<string, string | number>>> {
  const head = { 'Content Indicator': 'REG', 'File Number': `A${mast.id}`, 'Registration Number': 1_990_000 + mast.id };
  const id = { ...head, 'Unique System Identifier': mast.id };
  const sides = mast.at.map(degrees => {
    const tenths = Math.round(Math.abs(degrees) * 36_000);
    const seconds = (tenths % 600) / 10;
    return [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, seconds, tenths / 10] as const;
  });
  const [x, y] = sides as [(typeof sides)[0], (typeof sides)[0]];
  return {
    RA: { 'Record Type': 'RA', ...id, 'Status Code': mast.status, 'Overall Height Above Ground': mast.metres },
    CO: {
      'Record Type': 'CO',
      ...id,
      'Coordinate Type': 'T',
      'Latitude Degrees': y[0],
      'Latitude Minutes': y[1],
      'Latitude Seconds': y[2].toFixed(1),
      'Latitude Direction': 'N',
      'Latitude Total Seconds': y[3].toFixed(1),
      'Longitude Degrees': x[0],
      'Longitude Minutes': x[1],
      'Longitude Seconds': x[2].toFixed(1),
      'Longitude Direction': 'W',
      'Longitude Total Seconds': x[3].toFixed(1),
    },
  };
}

/** Traffic counts of a state, in its own plane's feet; each writes the column names in its own case. */
function traffic({ network: { transport: t } }: World, { county }: CountyWorld): WorldFile {
  const spelled = (name: string) => (county.half ? name : name.toUpperCase());
  return {
    kind: 'shapefile',
    path: `hpms/${county.code}_HPMS_2023.shp.zip`,
    options: {
      geometry: 'line',
      columns: [text(spelled('route_id'), 40), number(spelled('f_system'), 2), number(spelled('aadt'), 8)],
      ...STATE_PLANES[county.code],
    },
    rows: () =>
      t.counts(county).map(({ route, system, aadt, line }) => ({
        properties: { [spelled('route_id')]: route, [spelled('f_system')]: system, [spelled('aadt')]: aadt },
        geometry: { type: 'LineString', coordinates: line },
      })),
  };
}

function transport(world: World): WorldFile[] {
  const t = world.network.transport;
  const antennas = (kind: 'RA' | 'CO') =>
    delimitedLines(
      ANTENNA_RECORDS[kind],
      t.masts().map(mast => records(mast)[kind]),
      { header: false, delimiter: '|' },
    );
  return [
    geojson('ntad/NTAD_Intermodal_Freight_Facilities_Rail_TOFC_COFC.geojson', () => t.terminals()),
    geojson('ntad/NTAD_Principal_Ports.geojson', () => t.ports()),
    { kind: 'geotiff', path: 'ntad/CONUS_rail_road_and_aviation_noise_2020.tif', grid: t.noise() },
    shapefile('nces/EDGE_GEOCODE_POSTSECONDARYSCH_2425', 'point', named('UNITID', 8, 'NAME'), () => t.colleges()),
    geodatabase('nps/NRIS_CR_Standards_Public.gdb.zip', 'NRIS_CR_Standards_Public.gdb', {
      NRIS_CR_Standards_Public_points: featureClass('point', { RESNAME: 'string' }, () => t.historicPlaces()),
    }),
    {
      kind: 'archive',
      path: 'fcc/r_tower.zip',
      members: { 'RA.dat': () => antennas('RA'), 'CO.dat': () => antennas('CO') },
    },
    geojson('eia/Natural_Gas_Interstate_and_Intrastate_Pipelines.geojson', () => t.gasPipelines()),
    geojson('eia/Petroleum_Product_Pipelines.geojson', () => t.productPipelines()),
    ...world.counties.map(county => traffic(world, county)),
  ];
}

/** Rows as a table whose columns are those of the first. */
const tableOf = <T extends object>(rows: readonly T[]) => ({
  columns: Object.keys(rows[0]!),
  rows: rows as readonly Readonly<Record<string, string | number | null>>[],
});

function utilities({ network: { utilities: u }, counties, options }: World): WorldFile[] {
  const means = ['SAIDI (minutes per year)', 'SAIFI (times per year)', 'CAIDI (minutes per interruption)'];
  const groups = (standard: string, kinds: readonly string[]) =>
    kinds.flatMap((kind, i) => [
      [i ? null : standard, kind, means[0]!],
      [null, null, means[1]!],
      [null, null, means[2]!],
    ]);
  const head = [
    ...['Data Year', 'Utility Number', 'Utility Name', 'State', 'Ownership'].map(name => [null, null, name]),
    ...groups('IEEE Standard', [
      'All Events (With Major Event Days)',
      'Without Major Event Days',
      'Loss of Supply Removed',
    ]),
    [null, null, 'Number of Customers'],
    [null, null, 'Highest Distribution Voltage (kV)'],
    [null, null, 'Automatically Recorded'],
    ...groups('Other Standard', ['All Events (With Major Event Days)', 'Without Major Event Days']),
    [null, null, 'Number of Customers'],
  ] as const;
  const three = (saidi: number | null) => (saidi === null ? ['.', '.', '.'] : [saidi, 1.5, saidi / 1.5]);
  const calm = (saidi: number | null) => three(saidi === null ? null : saidi / 2);
  return [
    geojson('hifld/Electric_Retail_Service_Territories.geojson', () => u.electric()),
    geojson('hifld/Independent_System_Operators.geojson', () => u.markets()),
    geojson('hifld/Natural_Gas_Service_Territories.geojson', () => u.gas()),
    csv('nrel/iou_zipcodes_2024.csv', tableOf(u.rates(true))),
    csv('nrel/non_iou_zipcodes_2024.csv', tableOf(u.rates(false))),
    {
      kind: 'xlsx',
      path: 'eia/Reliability_2024.xlsx',
      sheets: () => ({
        Reliability_States: [
          ...[0, 1, 2].map(line => head.map(column => column[line] ?? null)),
          ...u
            .reliability()
            .map(({ id, state, ieee, other }) => [
              2024,
              Number(id),
              `Synthetic utility ${id}`,
              state,
              'Investor Owned',
              ...[...three(ieee), ...calm(ieee), ...calm(ieee), ieee === null ? '.' : 900, 34.5, 'Y'],
              ...[...three(other), ...calm(other), other === null ? '.' : 900],
            ]),
        ],
        State_Totals: [
          ['Data Year', 'State'],
          [2024, 'ME'],
        ],
      }),
    },
    shapefile('epa/eGRID2023_Subregions', 'polygon', [text('ZipSubregi', 8)], () => u.subregions()),
    {
      kind: 'xlsx',
      path: 'epa/egrid2023_data.xlsx',
      sheets: () => ({
        Contents: [['eGRID2023 (synthetic)']],
        SRL23: [
          [
            'eGRID subregion acronym',
            'eGRID subregion name',
            'eGRID subregion annual CO2 equivalent total output emission rate (lb/MWh)',
          ],
          ['SUBRGN', 'SRNAME', 'SRC2ERTA'],
          ...u.emissions().map(row => [row.SUBRGN, row.SRNAME, row.SRC2ERTA]),
        ],
      }),
    },
    ...counties.flatMap(({ census, county }) =>
      Object.entries(TECHNOLOGIES).map(([name, technology]): WorldFile => {
        const file = `bdc_${county.state}_${name}_fixed_broadband_J25`;
        const columns =
          'frn provider_id brand_name location_id technology max_advertised_download_speed max_advertised_upload_speed low_latency business_residential_code state_usps block_geoid h3_res8_id';
        return {
          kind: 'archive',
          path: `fcc/${file}.zip`,
          members: {
            [`${file}.csv`]: () => delimitedLines(columns.split(' '), offers(options.seed, census, technology)),
          },
        };
      }),
    ),
  ];
}

function economy({ network: { economy: e } }: World): WorldFile[] {
  const permits = (year: 2024 | 2025): WorldFile => ({
    kind: 'text',
    path: `census/co${year}a.txt`,
    *lines() {
      yield 'Survey,FIPS,FIPS,Region,Division,County,,1-unit,,,2-units,,,3-4 units,,,5+ units,,,1-unit rep,,,2-units rep,,,3-4 units rep,,,5+ units rep,\n';
      yield `Date,State,County,Code,Code,Name${',Bldgs,Units,Value'.repeat(8)}\n\n`;
      for (const { county, units } of e.permits(year)) {
        const groups = [...units, ...units].flatMap(count => [Math.ceil(count / 4), count, 210_000 * count]);
        const row = [year, county.state, county.fips.slice(2), 1, 1, county.title, ...groups];
        yield* delimitedLines(PERMIT_COLUMNS, [Object.fromEntries(PERMIT_COLUMNS.map((name, i) => [name, row[i]!]))], {
          header: false,
        });
      }
    },
  });
  const jobs = tableOf(e.employment());
  return [
    permits(2025),
    permits(2024),
    {
      kind: 'archive',
      path: 'bls/2025_annual_singlefile.zip',
      members: { '2025.annual.singlefile.csv': () => delimitedLines(jobs.columns, jobs.rows) },
    },
    {
      kind: 'xlsx',
      path: 'lbnl/LBNL_Ix_Queue_Data_File_thru2025.xlsx',
      sheets: () => ({
        '01. Background': [['Queued Up (synthetic)']],
        '03. Complete Queue Data': [
          ['Complete queue data (synthetic)'],
          [
            ...'q_id q_status q_date IA_phase_clean county state fips_code poi_name region entity'.split(' '),
            ...'type_1 type_2 type_3 mw_1 mw_2 mw_3'.split(' '),
          ],
          ...e
            .queue()
            .map(request => [
              request.id,
              request.status,
              new Date(`${request.date}T00:00:00Z`),
              'Feasibility Study',
              request.county,
              request.state,
              Number(request.fips),
              'Granite Hill Substation',
              'ISO-NE',
              'ISO-NE',
              ...request.types,
              ...request.mw,
            ]),
        ],
      }),
    },
    shapefile(
      'netl/Coal_Closure_Energy_Communities_2024',
      'polygon',
      ['GEOID_Trac', 'Mine_Closu', 'Generator_', 'Adjacent_t'].map(name => text(name, 11)),
      () => e.coalTracts(),
    ),
    shapefile(
      'netl/MSA_NMSA_FEE_EC_Status_2024',
      'polygon',
      ['geoid_cty_', 'FEE_qual_s', 'EC_qual_st'].map(name => text(name, 5)),
      () => e.statisticalAreas(),
    ),
  ];
}
