import type { Value } from '../../../datasets/dataset.ts';
import { round7 } from '../format/feature.ts';
import { hash } from '../random.ts';
import type { County } from './county.ts';
import type { Parcel } from './parcel.ts';

/** Columns of the National Address Database's text file that the area fills. */
export const ADDRESS_COLUMNS = [
  'OID_',
  'AddNum_Pre',
  'Add_Number',
  'AddNum_Suf',
  'AddNo_Full',
  'St_PreMod',
  'St_PreDir',
  'St_Name',
  'St_PosTyp',
  'StNam_Full',
  'Unit',
  'County',
  'Inc_Muni',
  'Post_City',
  'State',
  'Zip_Code',
  'UUID',
  'AddrRefSys',
  'Longitude',
  'Latitude',
  'Placement',
  'NAD_Source',
  'DateUpdate',
] as const;

/**
 * Addresses of a county: one for every built parcel (units of a condominium each their own), over the
 * front door of its building, with the number and street that the roll has.
 */
export function* addresses(
  seed: number,
  county: County,
  parcels: Iterable<Parcel>,
): Generator<Readonly<Record<string, Value>>> {
  for (const { objectId, footprints, roll } of parcels) {
    const house = footprints()?.house;
    if (!house) continue;
    // Over the front door rather than in the middle of the roof, as counties place them.
    const door = (axis: 0 | 1) =>
      round7(0.35 * (house[0]![axis] + house[1]![axis]) + 0.15 * (house[2]![axis] + house[3]![axis]));
    const hex = (salt: number) => hash(seed, county.half, objectId, salt).toString(16).padStart(8, '0');
    const id = [201, 202, 203, 204].map(hex).join('');
    const street = [roll.LOC_ST, roll.LOC_TYPE].filter(Boolean).join(' ');
    yield {
      OID_: objectId,
      Add_Number: Number(roll.LOC_NUM),
      AddNo_Full: String(roll.LOC_NUM),
      St_Name: roll.LOC_ST!,
      St_PosTyp: roll.LOC_TYPE!,
      StNam_Full: street,
      Unit: roll.LOC_UNIT!,
      County: county.name,
      Inc_Muni: county.town,
      Post_City: county.town,
      State: county.code,
      Zip_Code: roll.LOC_ZIP!,
      UUID: `{${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}}`.toUpperCase(),
      Longitude: door(0),
      Latitude: door(1),
      Placement: 'Structure - Rooftop',
      NAD_Source: 'Plat synthetic data',
      DateUpdate: '2026-01-01',
    };
  }
}
