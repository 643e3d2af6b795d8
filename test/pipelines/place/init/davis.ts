import { join } from 'node:path';
import { feature, square, writeFiles } from '../../village.ts';

const X = -111.9;
const Y = 41;
const rows = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const at = (i: number): [number, number] => [X + (i % 20) * 0.002, Y + Math.floor(i / 20) * 0.002];
const block = (i: number, size: number) => [square(...at(i), size)];
const line = (i: number) => [at(i), [at(i)[0] + 0.001, at(i)[1] + 0.001]];

/**
 * Files as the state of Utah publishes them for Davis County, with the names of its columns and made-up rows: their county is
 * said by name (COUNTY_NAME), by the state's own number (COUNTY_ID 6, COUNTYNBR 06) or by five digits (CountyID, COUNTY_L).
 */
export function writeDavis(folder: string): string[] {
  const files = {
    'Davis_County_Parcels_LIR.geojson': rows(200, i =>
      feature('Polygon', block(i, 0.001), {
        OBJECTID: i + 1,
        COUNTY_NAME: 'Davis',
        COUNTY_ID: '6',
        PARCEL_ID: `10${String(i).padStart(7, '0')}`,
        SERIAL_NUM: null,
        PARCEL_ADD: `${100 + i * 2} N MAIN ST`,
        PARCEL_CITY: 'FARMINGTON',
        TAXEXEMPT_TYPE: null,
        TAX_DISTRICT: `${20 + (i % 4)}`,
        TOTAL_MKT_VALUE: 300000 + i * 100,
        LAND_MKT_VALUE: 100000 + i * 50,
        PARCEL_ACRES: 0.25,
        PROP_CLASS: 'Residential',
        PRIMARY_RES: 'Y',
        HOUSE_CNT: '1',
        SUBDIV_NAME: 'OAK HILLS',
        BLDG_SQFT: 1500 + i,
        FLOORS_CNT: 1,
        BUILT_YR: 1960 + (i % 50),
        EFFBUILT_YR: 1990,
        CONST_MATERIAL: 'Brick',
      }),
    ),
    'AddressPoints.geojson': rows(200, i =>
      feature('Point', at(i), {
        UTAddPtID: `FARMINGTON | ${100 + i} MAIN ST`,
        AddSystem: 'FARMINGTON',
        FullAdd: `${100 + i} N MAIN ST`,
        AddNum: `${100 + i}`,
        PrefixDir: 'N',
        StreetName: 'MAIN',
        StreetType: 'ST',
        City: 'Farmington',
        ZipCode: '84025',
        CountyID: '49011',
        State: 'UT',
        PtType: 'Residential',
      }),
    ),
    'Roads.geojson': rows(120, i =>
      feature('LineString', line(i), {
        FULLNAME: `${i} WEST`,
        FROMADDR_L: i * 100,
        TOADDR_L: i * 100 + 98,
        FROMADDR_R: i * 100 + 1,
        TOADDR_R: i * 100 + 99,
        ZIPCODE_L: '84025',
        ZIPCODE_R: '84025',
        COUNTY_L: '49011',
        COUNTY_R: '49011',
        CARTOCODE: '11',
        DOT_CLASS: 'C',
        SPEED_LMT: 25,
      }),
    ),
    'Municipalities.geojson': rows(15, i =>
      feature('Polygon', block(i, 0.0018), {
        COUNTYNBR: '06',
        NAME: `City ${'ABCDEFGHIJKLMNO'[i]}ville`,
        SHORTDESC: 'City',
        POPLASTCENSUS: 1000 * i,
        UGRCODE: `${i}`,
        SALESTAXID: `06${i}`,
      }),
    ),
    'Zoning_Districts.geojson': rows(60, i =>
      feature('Polygon', block(i, 0.0015), {
        ZONE_CODE: ['R-1', 'C-2', 'A-5', 'M'][i % 4],
        ZONE_DESC: ['Residential', 'Commercial', 'Agricultural', 'Industrial'][i % 4],
        CITY: 'Layton',
      }),
    ),
    'QuaternaryFaults.geojson': rows(30, i =>
      feature('LineString', line(i), {
        FaultNum: `${2351 + i}`,
        FaultZone: 'Wasatch fault zone',
        FaultName: `Weber section ${i}`,
        FaultAge: '<15,000',
        SlipRate: 'Between 1.0 and 5.0 mm/yr',
        SlipSense: 'N',
        DipDirection: 'W',
      }),
    ),
    'Buildings.geojson': rows(150, i =>
      feature('Polygon', block(i, 0.0002), {
        TYPE: 'Residential',
        ADDRESS: `${100 + i} N MAIN ST`,
        CITY: 'Farmington',
        ZIP5: '84025',
        COUNTY: 'Davis',
        FIPS: '49011',
        SRC_YEAR: 2018,
      }),
    ),
    'Schools_PreKto12.geojson': rows(40, i =>
      feature('Point', at(i), {
        SchoolName: `Elementary ${i}`,
        LEAName: 'Davis School District',
        SchoolType: 'Regular',
        SchoolLevel: 'Elem',
        GradeLow: 'K',
        GradeHigh: '6',
        SchoolCity: 'Layton',
      }),
    ),
    'Lakes_NHDHighRes.geojson': rows(20, i =>
      feature('Polygon', block(i, 0.0012), {
        Permanent_: `${1000 + i}`,
        GNIS_Name: `Pond ${i}`,
        AreaSqKm: 0.01,
        FType: 390,
        FCode: 39004,
        InUtah: 1,
      }),
    ),
    'Streams_NHDHighRes.geojson': rows(60, i =>
      feature('LineString', line(i), {
        Permanent_: `${2000 + i}`,
        GNIS_Name: `Creek ${i}`,
        LengthKM: 0.2,
        ReachCode: '16020102000123',
        FType: 460,
        FCode: 46006,
        InUtah: 1,
      }),
    ),
    'Landslide_Deposits.geojson': rows(25, i =>
      feature('Polygon', block(i, 0.0012), {
        StateLSID: `LS${i}`,
        MoveUnit: 'Soil',
        MoveType: 'Slide',
        Confidence: 3,
        MoveDate: 'Historical',
        County: 'Davis',
      }),
    ),
    'PLSSSections.geojson': rows(40, i =>
      feature('Polygon', block(i, 0.0019), {
        PLSSID: 'UT260030N0010W0',
        FRSTDIVNO: String(i % 36),
        BASEMERIDIAN: '26',
        LABEL: `T3N R1W S${i % 36}`,
      }),
    ),
  };
  writeFiles(folder, files);
  return Object.keys(files).map(name => join(folder, name));
}
