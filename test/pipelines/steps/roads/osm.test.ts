import { describe, expect, it } from 'vitest';
import { osm } from '../../../../pipelines/steps/roads/osm.ts';
import { hoursOf, limitOf } from '../../../../pipelines/steps/roads/osm-tags.ts';
import { tiger } from '../../../../pipelines/steps/roads/tiger.ts';

describe('roads of OpenStreetMap', () => {
  it.each([
    ['both ways by class', { highway: 'residential' }, { forward: 32, backward: 32 }],
    ['one way', { highway: 'residential', oneway: 'yes' }, { forward: 32, backward: 0 }],
    ['the other way', { highway: 'residential', oneway: '-1' }, { forward: 0, backward: 32 }],
    ['round', { highway: 'primary', junction: 'roundabout' }, { forward: 65, backward: 0 }],
    ['a motorway', { highway: 'motorway' }, { forward: 100, backward: 0 }],
    ['a motorway both ways', { highway: 'motorway', oneway: 'no' }, { forward: 100, backward: 100 }],
    ['by its limit', { highway: 'primary', maxspeed: '50' }, { forward: 40, backward: 40 }],
    ['with an unreadable limit', { highway: 'primary', maxspeed: 'signals' }, { forward: 65, backward: 65 }],
    ['private', { highway: 'service', access: 'private' }, null],
    ['closed, but not for cars', { highway: 'tertiary', access: 'no', motorcar: 'yes' }, { forward: 45, backward: 45 }],
    ['for residents', { highway: 'residential', access: 'destination' }, { forward: 32, backward: 32 }],
    ['by the hour', { highway: 'motorway', oneway: 'reversible' }, null],
    ['a path', { highway: 'footway' }, null],
    ['being built', { highway: 'construction' }, null],
    ['a ferry that says nothing', { route: 'ferry' }, null],
    [
      'a car ferry',
      { route: 'ferry', motor_vehicle: 'yes', duration: '01:30' },
      { forward: 15, backward: 15, ferryHours: 1.5 },
    ],
    ['neither', { route: 'bus' }, null],
  ])('%s', (_, tags, way) => {
    expect(osm.way(tags)).toEqual(way);
  });

  it('limits come in several units', () => {
    expect(limitOf('55 mph')).toBeCloseTo(88.5, 1);
    expect(limitOf('30mph')).toBeCloseTo(48.3, 1);
    expect([limitOf('none'), limitOf('walk'), limitOf('RU:urban'), limitOf('0'), limitOf(null)]).toEqual([
      130,
      6,
      null,
      null,
      null,
    ]);
  });

  it('durations too', () => {
    expect(['00:45', '90', 'PT1H15M', '1:00:00', 'long', null].map(hoursOf)).toEqual([0.75, 1.5, 1.25, 1, null, null]);
  });

  it('turns bind cars, unless they are spared or meant for others', () => {
    const ends = { from: 'way/1', to: 'way/2' };
    expect(osm.turn({ ...ends, restriction: 'no_left_turn' })).toEqual({ ...ends, only: false });
    expect(osm.turn({ ...ends, restriction: 'only_straight_on' })).toEqual({ ...ends, only: true });
    expect(osm.turn({ ...ends, restriction: 'no_left_turn', except: 'bus;motorcar' })).toBeNull();
    expect(osm.turn({ ...ends })).toBeNull();
    expect(osm.turn({ restriction: 'no_left_turn', from: 'way/1' })).toBeNull();
  });
});

it('roads of TIGER are driven by class, and paths are not', () => {
  expect(tiger.way({ MTFCC: 'S1100' })).toEqual({ forward: 100, backward: 100 });
  expect(tiger.way({ MTFCC: 'S1710' })).toBeNull();
  expect(tiger.way({ MTFCC: null })).toBeNull();
});
