import { folded } from '../retrieval/words.ts';

/** Postal codes of the states and their names. */
export const STATES: ReadonlyMap<string, string> = new Map(
  `al=alabama,ak=alaska,az=arizona,ar=arkansas,ca=california,co=colorado,ct=connecticut,de=delaware,dc=district of columbia,fl=florida,
ga=georgia,hi=hawaii,id=idaho,il=illinois,in=indiana,ia=iowa,ks=kansas,ky=kentucky,la=louisiana,me=maine,md=maryland,
ma=massachusetts,mi=michigan,mn=minnesota,ms=mississippi,mo=missouri,mt=montana,ne=nebraska,nv=nevada,nh=new hampshire,
nj=new jersey,nm=new mexico,ny=new york,nc=north carolina,nd=north dakota,oh=ohio,ok=oklahoma,or=oregon,pa=pennsylvania,
pr=puerto rico,ri=rhode island,sc=south carolina,sd=south dakota,tn=tennessee,tx=texas,ut=utah,vt=vermont,va=virginia,
wa=washington,wv=west virginia,wi=wisconsin,wy=wyoming`
    .split(/,\s*/)
    .map(pair => pair.split('=') as [string, string]),
);

/** Degrees within which written coordinates are those of the place: about 100 meters. */
const NEAR_DEGREES = 0.001;

/** A place that a segment names: by a name, or by its coordinates. */
export interface NamedPlace {
  readonly name: string;
  readonly coordinates?: readonly [lat: number, lng: number];
}

/** A name, folded, of letters, digits and commas alone. */
export const plain = (text: string): string =>
  folded(text)
    .replace(/[^\p{L}\p{N},' ]/gu, ' ')
    .replace(/'s?\b/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A name without what kind of area it is. */
const bare = (name: string): string =>
  plain(name)
    .replace(/^(?:the )?(?:city|town|village|county|state|estado|ciudad|condado) (?:of|de) /, '')
    .replace(/ (?:county|parish|borough|city|town|township|village|metro|metro area|area|region|state)$/, '');

/**
 * Whether a named place is the one asked about: all that its name consists of is among the names of what contains the place.
 * @param names of what contains it: town, county, state and its address.
 */
export function isSamePlace(place: NamedPlace, names: readonly string[], point: { lat: number; lng: number }): boolean {
  if (place.coordinates) {
    const [lat, lng] = place.coordinates;
    return Math.abs(lat - point.lat) <= NEAR_DEGREES && Math.abs(lng - point.lng) <= NEAR_DEGREES;
  }
  const areas = new Set(names.map(bare));
  const addresses = names.filter(name => /\d/.test(name)).map(name => ` ${plain(name).replaceAll(',', ' ')} `);
  const parts = place.name.split(',').map(bare).filter(Boolean);
  return parts.every(
    part => areas.has(part) || areas.has(STATES.get(part) ?? part) || addresses.some(one => one.includes(` ${part} `)),
  );
}
