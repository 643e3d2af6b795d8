import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'tz_boundaries',
  title: 'Time zone boundary builder',
  publisher: 'OpenStreetMap contributors, evansiroky',
  url: 'https://github.com/evansiroky/timezone-boundary-builder/releases',
  format: 'geojson',
  licence: 'ODbL 1.0',
  cadence: 'several times a year',
  vintageRule: 'Release tag, such as 2026a.',
  notes: 'Use the with-oceans file.',
  acquire: {
    files: [
      {
        url: 'https://github.com/evansiroky/timezone-boundary-builder/releases/download/{vintage}/timezones-with-oceans.geojson.zip',
        vintage: {
          index: 'https://api.github.com/repos/evansiroky/timezone-boundary-builder/releases/latest',
          link: '"tag_name": ?"([^"]+)"',
        },
        form: { ending: '.zip' },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'time zones',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: 'tzid',
      partition: 'national',
      columns: {
        tzid: { type: 'string' },
      },
    },
  },
  fields: {
    timezone: {
      layer: 'parcels',
      type: 'string',
      title: 'Timezone',
      description: 'IANA time zone name at the point.',
      expression: 'polygon_attr(tz_boundaries, tzid)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { site_selection: 47, boundaries: 13 },
      terms: phrases(`
        time zone, what time is it, eastern or central, clock, huso horario, zona horaria, time zone here, iana zone,
        qué hora es, daylight time, time zones, timezone, daylight saving, daylight savings, eastern, central time,
        mountain time, pacific time, clocks, utc offset, eastern time
      `),
      hint: 'Convert local filing deadlines with a zone database rather than a fixed offset, since daylight rules differ within states.',
    },
  },
});
