import type { Theme } from '../shell/theme.ts';

/** Colors of what a view draws on the map beside the map's own. */
interface Tones {
  /** Ground that can be used, and what is chosen among several. */
  readonly good: string;
  /** What floods, and where losses add up. */
  readonly warn: string;
  /** One of several that is not chosen. */
  readonly plain: string;
  /** Kinds that stand side by side, told apart on the map and in lists. */
  readonly kinds: readonly string[];
  /** From little to much, for as many classes. */
  readonly ramp: readonly string[];
}

export const TONES: Readonly<Record<Theme, Tones>> = {
  light: {
    good: '#1b7f3b',
    warn: '#b3261e',
    plain: '#5d5f5c',
    kinds: [
      '#2f5fae',
      '#b4531f',
      '#7a4fa3',
      '#0f7f86',
      '#a3862a',
      '#b03060',
      '#52606b',
      '#6b4a2b',
      '#c2410c',
      '#334a7d',
    ],
    ramp: ['#d9ecec', '#a3d1d0', '#62aeb0', '#2a8288', '#0c4f57'],
  },
  dark: {
    good: '#58c77b',
    warn: '#f0837a',
    plain: '#a9a79f',
    kinds: [
      '#7fa8ee',
      '#f0955b',
      '#c09be6',
      '#5fc4cc',
      '#d8bd5e',
      '#ef86a8',
      '#a9b6c0',
      '#c39a72',
      '#ffae7a',
      '#9db2e6',
    ],
    ramp: ['#1d3a3d', '#22595e', '#2f8086', '#57aeb3', '#a8e3e6'],
  },
};
