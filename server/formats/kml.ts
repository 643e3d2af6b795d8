import Negotiator from 'negotiator';
import { type TSchema, Type } from 'typebox';

/** Keyhole Markup Language (OGC 12-007r2), which Google Earth and most drawing programs read. */
export const KML_MEDIA = 'application/vnd.google-earth.kml+xml';
const JSON_MEDIA = 'application/json';

type Position = readonly number[];

/** A GeoJSON polygon with what it is called and what is said of it. */
export interface Placemark {
  readonly name: string;
  readonly description: string;
  readonly geometry: { readonly type: 'Polygon' | 'MultiPolygon'; readonly coordinates: readonly unknown[] };
}

/** Whether a request prefers KML to JSON (RFC 9110, 12.5.1). */
export const prefersKml = (accept: string | undefined): boolean =>
  accept !== undefined && new Negotiator({ headers: { accept } }).mediaType([JSON_MEDIA, KML_MEDIA]) === KML_MEDIA;

/** Adds KML to the schema of an answer. */
export function inKml(schema: TSchema): TSchema {
  const { headers, ...body } = schema as TSchema & { readonly headers?: object };
  return {
    description: `JSON, or its polygons as KML with \`Accept: ${KML_MEDIA}\`.`,
    ...(headers ? { headers } : {}),
    content: { [JSON_MEDIA]: { schema: body }, [KML_MEDIA]: { schema: Type.String() } },
  } as unknown as TSchema;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => ENTITIES[letter]!);

const ringText = (tag: string, ring: readonly Position[]): string =>
  `<${tag}><LinearRing><coordinates>${ring.map(([lng, lat]) => `${lng},${lat}`).join(' ')}</coordinates></LinearRing></${tag}>`;

const polygonText = ([shell, ...holes]: readonly (readonly Position[])[]): string =>
  `<Polygon>${ringText('outerBoundaryIs', shell!)}${holes.map(hole => ringText('innerBoundaryIs', hole)).join('')}</Polygon>`;

function geometryText({ type, coordinates }: Placemark['geometry']): string {
  if (type === 'Polygon') return polygonText(coordinates as readonly (readonly Position[])[]);
  const polygons = coordinates as readonly (readonly (readonly Position[])[])[];
  return `<MultiGeometry>${polygons.map(polygonText).join('')}</MultiGeometry>`;
}

/** Polygons as a document: longitude, latitude, on the ground. */
export function kmlDocument(name: string, placemarks: readonly Placemark[]): string {
  const marks = placemarks.map(
    ({ name: of, description, geometry }) =>
      `<Placemark><name>${escaped(of)}</name><description>${escaped(description)}</description>${geometryText(geometry)}</Placemark>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escaped(name)}</name>`,
    ...marks,
    '</Document></kml>',
    '',
  ].join('\n');
}
