// Twice the areas: PLAT_TEST says so there.
import './features-area.test.ts';
