// Every filter instead of one of four, and more enrichments: PLAT_TEST says so there.
import './search.test.ts';
