// The large files too, two of them compared with GDAL: PLAT_TEST says so there.
import './readers.test.ts';
