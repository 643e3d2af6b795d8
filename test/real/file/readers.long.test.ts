// Two large files are compared with GDAL too.
import './readers.test.ts';
