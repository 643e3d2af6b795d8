"""Writes where PROJ puts the points of systems of older datums by shift grids, a system a line, to stdout.

It makes the grids too, in the folder `grids` beside it: made-up shifts on the ground of NOAA's own. Run with the GDAL of
Debian 12 (3.6.2, PROJ 9.1.1; python3-gdal) on what systems.py wrote:

    /usr/bin/python3 shifted.py < systems.ndjson > shifted.ndjson
"""
import json, math, multiprocessing, os, struct, sys
from osgeo import gdal, osr
gdal.UseExceptions(); osr.UseExceptions()
gdal.SetConfigOption('OSR_USE_NON_DEPRECATED', 'NO')
gdal.PushErrorHandler('CPLQuietErrorHandler')
here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.join(here, 'grids')

# name: EPSG code of the datum's degrees and of what they become, west, north, columns, rows, step, seconds north and east
# at its north-west corner, and by how many more each row and column.
GRIDS = {
    'conus': (4267, 4269, -131, 50, 69, 31, 1, -.2, 1.5, 0),
    'alaska': (4267, 4269, -194, 77, 67, 32, 1, -2.1, -6.5, .01),
    'hawaii': (4135, 4269, -161, 23, 15, 11, .5, -11.6, 10.1, .02),
    'prvi': (4139, 4269, -68, 19, 9, 5, .5, 7.2, 1.4, .03),
    'stgeorge': (4138, 4269, -171, 57, 9, 5, .25, 3.5, -2.7, .04),
    'stlrnc': (4136, 4269, -172, 64, 9, 5, .5, -1.9, 4.4, .05),
    'stpaul': (4137, 4269, -171, 58, 9, 5, .25, 2.2, -5.1, .06),
}

def make_grids():
    for name, (source, target, west, north, columns, rows, step, lat, lng, slope) in GRIDS.items():
        path = os.path.join(folder, f'us_noaa_{name}.tif')
        ds = gdal.GetDriverByName('GTiff').Create(
            path, columns, rows, 2, gdal.GDT_Float32, ['COMPRESS=DEFLATE', 'INTERLEAVE=PIXEL'])
        ds.SetGeoTransform([west - step / 2, step, 0, north + step / 2, 0, -step])
        srs = osr.SpatialReference(); srs.ImportFromEPSG(source); ds.SetProjection(srs.ExportToWkt())
        ds.SetMetadata({'TYPE': 'HORIZONTAL_OFFSET', 'target_crs_epsg_code': str(target), 'AREA_OR_POINT': 'Point'})
        for band, (what, at) in enumerate((('latitude_offset', lat), ('longitude_offset', lng)), 1):
            b = ds.GetRasterBand(band); b.SetDescription(what); b.SetUnitType('arc-second')
            if band == 2: b.SetMetadataItem('positive_value', 'east')
            b.WriteRaster(0, 0, columns, rows, struct.pack(
                f'{columns * rows}f', *(at + slope * (r + (c if band == 2 else 0)) for r in range(rows) for c in range(columns))))
        ds = None

def there(paths, systems):
    """lng, lat of each point of each system in degrees of WGS 84 by a PROJ that looks for grids there; None: no answer."""
    osr.SetPROJSearchPaths(paths)
    ll = osr.SpatialReference(); ll.ImportFromEPSG(4326)
    ll.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    out = {}
    for code, points in systems:
        of = osr.SpatialReference(); of.SetFromUserInput(code)
        of.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        way = osr.CoordinateTransformation(of, ll)
        out[code] = []
        for x, y, *_ in points:
            try:
                lng, lat, _ = way.TransformPoint(x, y)
            except Exception:
                lng = math.inf
            out[code].append((lng, lat) if math.isfinite(lng) and math.isfinite(lat) else None)
    return out

if __name__ == '__main__':
    make_grids()
    with open(os.path.join(here, 'refused.json')) as f:
        table = json.load(f)
    of_grids = {*table['grid'], *table['noShift']}
    lines = [json.loads(line) for line in sys.stdin]
    systems = [(s['code'], s['points']) for s in lines if s['code'] in of_grids]
    # PROJ looks for grids in the same places as long as a process lives.
    ways = [['/usr/share/proj'], [folder, '/usr/share/proj']]
    with multiprocessing.get_context('spawn').Pool(2, maxtasksperchild=1) as pool:
        without, within = pool.starmap(there, [(paths, systems) for paths in ways], chunksize=1)
    for code, points in without.items():
        # A point that the grids do not move lies beyond them.
        places = [
            [round(v, 9) for v in moved] if moved and plain and math.dist(moved, plain) > 1e-9 else None
            for moved, plain in zip(within[code], points)]
        if any(places):
            print(json.dumps([code, places], separators=(',', ':')))
