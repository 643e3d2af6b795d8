// More rows of the terrain of Zion.
import './terrain.test.ts';
