import { text, tileAddress } from './setting.ts';

/** What an operator adds to the map. */
export const MAP_SETTINGS = {
  imagery: tileAddress(
    'PLAT_MAP_IMAGERY',
    'Address of aerial pictures that the map may show, as https://tiles.example.org/{z}/{x}/{y}.jpg, from a server that lets pages of others read them (CORS); empty shows none. Browsers then ask that server and no other; it sees what they look at.',
  ),
  imageryCredit: text(
    'PLAT_MAP_IMAGERY_CREDIT',
    '',
    'Whom the map names while it shows those pictures, as their license asks.',
  ),
} as const;
