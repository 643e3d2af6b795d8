import { beforeAll, describe, expect, it } from 'vitest';
import { edgeMetres, Survey } from '../../oracle/survey.ts';
import { publishedFeatures } from '../published.ts';
import {
  type Asked,
  aboutVertices,
  expectAbsent,
  expectEdge,
  expectMetres,
  expectValue,
  outskirts,
  type Subject,
  scattered,
} from './subject.ts';

/** Legend of the NWI mapper by system and class of the Cowardin code. */
function wetlandType(code: string | null): string | null {
  if (code === null) return null;
  const [system, rest] = [code[0], code.slice(1, 3)];
  if (system === 'L') return 'Lake';
  if (system === 'R') return 'Riverine';
  if (system === 'E' || system === 'M')
    return code[1] === '1' ? 'Estuarine and Marine Deepwater' : code[1] === '2' ? 'Estuarine and Marine Wetland' : null;
  if (system !== 'P') return null;
  if (code[1] === 'f') return 'Other';
  if (rest === 'EM') return 'Freshwater Emergent Wetland';
  // Some codes write FO with a zero.
  if (rest === 'FO' || rest === 'F0' || rest === 'SS') return 'Freshwater Forested/Shrub Wetland';
  if (rest === 'UB' || rest === 'AB') return 'Freshwater Pond';
  return null;
}

const DEEP = ['Lake', 'Riverine', 'Estuarine and Marine Deepwater'];

/** Wetlands, parks and waters: polygon_attr, polygon_within and nearest_distance. */
export function landFields(subject: () => Subject): void {
  describe('wetlands, parks and waters', () => {
    const wetlandFields = ['nwi_wetland_code', 'nwi_wetland_type', 'within_nwi_wetland', 'nearest_wetland_distance_m'];
    const parkFields = ['protected_area_name', 'within_protected_area', 'within_federal_land'];
    const waterFields = [
      'nearest_flowline_distance_m',
      'nearest_flowline_name',
      'nearest_waterbody_distance_m',
      'within_nhd_waterbody',
      'nearest_waterbody_name',
    ];
    let wetlands: Survey<{ code: string | null; type: string | null }>;
    let parks: Survey<{ name: string | null }>;
    let streams: Survey<{ name: string | null }>;
    let ponds: Survey<null>;
    let asked: Asked[];
    let inCity: Asked[];
    beforeAll(async () => {
      const text = (value: unknown) => (value === null ? null : String(value));
      wetlands = new Survey(
        publishedFeatures('bangor-me/wetlands.geojson.gz').map(({ geometry, properties: p }) => ({
          geometry,
          value: { code: text(p.ATTRIBUTE), type: wetlandType(text(p.ATTRIBUTE)) },
        })),
      );
      parks = new Survey(
        publishedFeatures('bangor-me/parks.geojson')
          .filter(({ properties: p }) => p.Type === 'Park' || p.Type === 'Preserve')
          .map(({ geometry, properties: p }) => ({ geometry, value: { name: text(p.Name) } })),
      );
      streams = new Survey(
        publishedFeatures('bangor-me/streams.geojson.gz').map(({ geometry, properties: p }) => ({
          geometry,
          value: { name: text(p.Name) },
        })),
      );
      ponds = new Survey(
        publishedFeatures('bangor-me/ponds.geojson.gz').map(({ geometry }) => ({ geometry, value: null })),
      );
      const points = [
        ...scattered(subject().city, 150, 11),
        ...aboutVertices(wetlands, 40, 0, 12),
        ...aboutVertices(wetlands, 80, 0.0006, 13),
        ...aboutVertices(parks, 30, 0, 14),
        ...aboutVertices(parks, 50, 0.0006, 15),
        ...aboutVertices(streams, 30, 0.0003, 16),
        ...aboutVertices(ponds, 30, 0.0003, 17),
      ];
      asked = await subject().ask([...wetlandFields, ...parkFields, ...waterFields], points);
      inCity = asked.filter(a => subject().city.at(a.lng, a.lat).length > 0);
    });

    it('are absent outside the city with that reason', () => {
      const outside = asked.filter(a => !inCity.includes(a));
      expect(outside.length).toBeGreaterThan(20);
      for (const a of outside)
        for (const name of [...wetlandFields, ...parkFields, ...waterFields])
          expectAbsent(a, name, 'outside the coverage of');
    });

    it('give code and type of the wetland at the point', () => {
      const counted = wetlands.where(w => w.type !== null && !DEEP.includes(w.type));
      const said = wetlands.where(w => w.type === null || !DEEP.includes(w.type));
      const seen = { wet: 0, dry: 0, uncoded: 0, deep: 0 };
      for (const a of inCity) {
        const { lng, lat } = a;
        const [hit] = wetlands.at(lng, lat);
        expectValue(a, 'nwi_wetland_code', hit?.value.code ?? null);
        expectValue(a, 'nwi_wetland_type', hit?.value.type ?? null);
        expectEdge(
          a,
          'nwi_wetland_type',
          hit
            ? edgeMetres(hit.geometry, lng, lat)
            : Math.min(wetlands.nearest(lng, lat)[0]!.metres, outskirts(subject(), a)),
          12,
          // A wetland without a type answers as no wetland does.
          false,
        );
        const within = counted.at(lng, lat);
        // A wetland without a code may be one that counts.
        const open = within.length ? [] : wetlands.at(lng, lat).filter(f => f.value.type === null);
        if (open.length) expectAbsent(a, 'within_nwi_wetland', 'what decides (WETLAND_TYPE) is empty or unknown');
        else expectValue(a, 'within_nwi_wetland', within.length > 0);
        const edges = [...within, ...open].map(f => edgeMetres(f.geometry, lng, lat));
        const [near] = counted.nearest(lng, lat);
        // Of a dry place more would be said in a wetland that counts, or that may.
        const [beyond] = said.nearest(lng, lat);
        expectEdge(
          a,
          'within_nwi_wetland',
          edges.length ? Math.max(...edges) : Math.min(beyond!.metres, outskirts(subject(), a)),
          12,
          !edges.length,
        );
        expectMetres(a, 'nearest_wetland_distance_m', near!.metres);
        if (!hit) seen.dry++;
        else if (!hit.value.code) seen.uncoded++;
        else if (within.length) seen.wet++;
        else seen.deep++;
      }
      expect(seen.wet).toBeGreaterThan(30);
      expect(seen.dry).toBeGreaterThan(30);
      expect(seen.uncoded).toBeGreaterThan(3);
    });

    it('name the park at the point', () => {
      let named = 0;
      for (const a of inCity) {
        const { lng, lat } = a;
        const hits = parks.at(lng, lat);
        if (hits[0]?.value.name) named++;
        expectValue(a, 'protected_area_name', hits[0]?.value.name ?? null);
        expectValue(a, 'within_protected_area', hits.length > 0);
        const edges = hits.map(f => edgeMetres(f.geometry, lng, lat));
        const beyond = () => Math.min(parks.nearest(lng, lat)[0]!.metres, outskirts(subject(), a));
        expectEdge(a, 'protected_area_name', hits.length ? edges[0]! : beyond(), null, false);
        expectEdge(a, 'within_protected_area', hits.length ? Math.max(...edges) : beyond(), null, !hits.length);
        expectAbsent(a, 'within_federal_land', 'this copy (bangor_parks) lacks');
      }
      expect(named).toBeGreaterThan(20);
    });

    it('measure to the banks of streams and ponds', () => {
      let named = 0;
      for (const a of inCity) {
        const { lng, lat } = a;
        const near = streams.nearest(lng, lat, 0.01);
        expectMetres(a, 'nearest_flowline_distance_m', near[0]!.metres);
        const names = near.map(n => n.feature.value.name?.toLowerCase() ?? null);
        const name = a.answers.nearest_flowline_name!.value as string | null;
        expect(names, `nearest_flowline_name at ${lng}, ${lat}`).toContain(name?.toLowerCase() ?? null);
        if (name) named++;
        const [pond] = ponds.nearest(lng, lat);
        expectMetres(a, 'nearest_waterbody_distance_m', pond!.metres);
        expectValue(a, 'within_nhd_waterbody', pond!.metres === 0);
        expectAbsent(a, 'nearest_waterbody_name', 'this copy (bangor_ponds) lacks');
      }
      expect(named).toBeGreaterThan(20);
    });
  });
}
