import { FERRY_SPEED, OF_LIMIT, OSM_SPEEDS } from '../../../datasets/codes/road-speeds.ts';
import { hoursOf, limitOf } from './osm-tags.ts';
import type { RoadModel, RoadRow, Way } from './way.ts';

/** From the most particular to the most general: the first that a way has decides (wiki.openstreetmap.org/wiki/Key:access). */
const ACCESS = ['motorcar', 'motor_vehicle', 'vehicle', 'access'];
/** Who may not pass; everything else may, residents' and customers' ways too: somebody drives there. */
const CLOSED = new Set('no private agricultural forestry emergency psv bus military'.split(' '));
const OPEN = new Set(['yes', 'designated', 'permissive', 'destination', 'customers', 'permit']);
const FAST = /^(?:motorway|trunk)(?:_link)?$/;

const text = (row: RoadRow, key: string): string | null => {
  const value = row[key];
  return value === null || value === undefined ? null : String(value);
};

/** Whether cars may pass, as its tags say; null where they do not. */
function accessOf(row: RoadRow): boolean | null {
  for (const key of ACCESS) {
    const value = text(row, key);
    if (value !== null) return !CLOSED.has(value);
  }
  return null;
}

/** Speeds both ways, closed where the way is one-way. */
function directed(row: RoadRow, highway: string, speed: number): Way | null {
  const oneway = text(row, 'oneway');
  // They open one way or the other by the hour.
  if (oneway === 'reversible' || oneway === 'alternating') return null;
  if (oneway === '-1' || oneway === 'reverse') return { forward: 0, backward: speed };
  const junction = text(row, 'junction');
  const implied = junction === 'roundabout' || junction === 'circular' || highway === 'motorway';
  const one = oneway === 'yes' || oneway === 'true' || oneway === '1' || (implied && oneway === null);
  return { forward: speed, backward: one ? 0 : speed };
}

function road(row: RoadRow, highway: string): Way | null {
  const usual = OSM_SPEEDS[highway];
  if (usual === undefined || accessOf(row) === false) return null;
  const limit = limitOf(text(row, 'maxspeed'));
  const speed = limit === null ? usual : limit * (FAST.test(highway) ? OF_LIMIT.fast : OF_LIMIT.other);
  return directed(row, highway, speed);
}

/** A ferry takes cars only where it says so: many take people alone, and say nothing. */
function ferry(row: RoadRow): Way | null {
  if (!ACCESS.slice(0, 3).some(key => OPEN.has(text(row, key) ?? ''))) return null;
  const way = directed(row, 'ferry', FERRY_SPEED);
  return way && { ...way, ferryHours: hoursOf(text(row, 'duration')) };
}

/** Roads, car ferries and turn restrictions of OpenStreetMap. */
export const osm: RoadModel = {
  id: row => text(row, 'osm_id'),
  way(row) {
    const highway = text(row, 'highway');
    if (highway !== null) return road(row, highway);
    return text(row, 'route') === 'ferry' ? ferry(row) : null;
  },
  turn(row) {
    const kind = text(row, 'restriction:motorcar') ?? text(row, 'restriction');
    const [from, to] = [text(row, 'from'), text(row, 'to')];
    if (kind === null || from === null || to === null) return null;
    const spared = (text(row, 'except') ?? '').split(';').map(word => word.trim());
    if (spared.includes('motorcar') || spared.includes('motor_vehicle')) return null;
    if (kind.startsWith('only_')) return { from, to, only: true };
    return kind.startsWith('no_') ? { from, to, only: false } : null;
  },
};
