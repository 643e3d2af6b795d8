import type { Theme } from '../shell/theme.ts';

/** Colours of the map. */
export interface Palette {
  readonly land: string;
  /** Over what the release does not hold. */
  readonly outside: string;
  readonly water: string;
  readonly waterLine: string;
  readonly wetland: string;
  readonly flood: string;
  readonly floodway: string;
  readonly floodLine: string;
  readonly zoning: string;
  /** Slopes away from the light, those in it, and contours. */
  readonly shade: string;
  readonly light: string;
  readonly contour: string;
  readonly building: string;
  readonly buildingLine: string;
  readonly road: string;
  readonly roadCasing: string;
  readonly mainRoad: string;
  readonly parcel: string;
  readonly boundary: string;
  readonly text: string;
  readonly softText: string;
  readonly halo: string;
  readonly accent: string;
  readonly area: string;
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    land: '#f6f4ef',
    outside: '#8b8577',
    water: '#bcd8e3',
    waterLine: '#9cc3d3',
    wetland: '#d7e4d0',
    flood: '#5c8fd6',
    floodway: '#2f5fae',
    floodLine: '#3f74bf',
    zoning: '#a48fbf',
    shade: '#6b6250',
    light: '#ffffff',
    contour: '#8a6f4a',
    building: '#e2dcd0',
    buildingLine: '#cdc5b6',
    road: '#ffffff',
    roadCasing: '#ddd6c8',
    mainRoad: '#f7dfa8',
    parcel: '#b3a892',
    boundary: '#8b8496',
    text: '#4a463f',
    softText: '#7a7568',
    halo: '#f6f4ef',
    accent: '#0f5c63',
    area: '#b4531f',
  },
  dark: {
    land: '#1b1f22',
    outside: '#000000',
    water: '#23404d',
    waterLine: '#31586a',
    wetland: '#263229',
    flood: '#3f74bf',
    floodway: '#5d93e0',
    floodLine: '#5d8fd6',
    zoning: '#6a587f',
    shade: '#000000',
    light: '#4a5560',
    contour: '#a88f66',
    building: '#2c3135',
    buildingLine: '#3a4147',
    road: '#3b4248',
    roadCasing: '#14171a',
    mainRoad: '#6b5c38',
    parcel: '#4b5156',
    boundary: '#7d7789',
    text: '#d3cfc6',
    softText: '#9a968c',
    halo: '#14171a',
    accent: '#5fc4cc',
    area: '#f0955b',
  },
};
