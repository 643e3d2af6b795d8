import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode, exampleOf } from '../../server/errors/registry.ts';
import { errorWords, issueWords } from '../../web/api/error-words.ts';
import { lackWords, pageWords } from '../../web/values/page-words.ts';

/** What only a program can use: paths, quoted names, parts of a body, names with underscores, headers and settings. */
const FOR_PROGRAMS = /\/v1\/|`|\w\[\d+\]|\b\w+_\w+\b|\w:\w|Retry-After|Authorization/;

describe('what the page says', () => {
  it.each([
    [
      '0.1 m from ground where it is X (FLD_ZONE), while the source is accurate to 12 m. Stands in for flood hazard areas (fema_nfhl:S_FLD_HAZ_AR): the zones of paper maps.',
      '0.1 m from ground where it is X, while the source is accurate to 12 m. Stands in for flood hazard areas: the zones of paper maps.',
    ],
    [
      "This copy lacks such rows (ZONE_SUBTY like '%LEVEE%'). Stands in for flood hazard areas: the zones of paper maps.",
      'This copy lacks such rows. Stands in for flood hazard areas: the zones of paper maps.',
    ],
    [
      'The address cannot be resolved: it fits 2 places equally well; add its city or state or ZIP code, or ask by the coordinate of the one that is meant, which POST /v1/lookup lists.',
      'The address cannot be resolved: it fits 2 places equally well.',
    ],
    ['Nothing is here. GET /v1/meta/fields lists every name.', 'Nothing is here.'],
    [
      'There is no such tile: its zooms are 11 to 13. GET /tiles.json says which there are.',
      'There is no such tile: its zooms are 11 to 13.',
    ],
    ["Input should be 'flood_risk' or 'terrain'", ''],
    ['https://gis.example/parcels: 9 rows came', 'https://gis.example/parcels: 9 rows came'],
    ['the nearest parcel, 041-069, is 12.3 m away (US-2)', 'The nearest parcel, 041-069, is 12.3 m away (US-2)'],
  ])('%s', (text, words) => {
    expect(pageWords(text)).toBe(words);
  });

  it('names what is missing once, without the way by which it is missed', () => {
    expect(
      lackWords(
        '"Elevation" (elevation), from which it is calculated, failed: data of elevation (usgs_3dep) is not installed in this release; data of streams (usgs_nhdplus_hr:NHDFlowline) is not installed in this release',
      ),
    ).toBe('no data of elevation and streams');
  });

  it.each(Object.keys(ERRORS) as ErrorCode[])('%s is a sentence without names for programs', code => {
    const { message } = exampleOf(code).detail;
    const words = errorWords({ code, message, status: ERRORS[code].status });
    expect(words).not.toMatch(FOR_PROGRAMS);
    expect(words).toMatch(/^[\p{Lu}\d“"].*[.!?]$/u);
  });

  it('a fault of a search is told by its condition, and where an area crosses itself the map tells', () => {
    const unknown = {
      path: 'filters[2].field',
      description: 'The name is not in the search catalog.',
      hint: 'Nearest: `zoning`, `radon_zone`. GET /v1/meta/fields lists every name.',
    };
    expect(issueWords(unknown)).toMatch(/^Condition 2: The name is not in the search catalog\./);
    const crossing = {
      path: 'filters[1].value',
      description:
        'The area is not valid: self-intersection at the edge from ring 0, position 0 and the edge from ring 0, position 2 (counted from 0).',
    };
    for (const issue of [unknown, crossing]) expect(issueWords(issue)).not.toMatch(FOR_PROGRAMS);
    expect(issueWords(crossing)).toBe('The area crosses itself.');
  });
});
