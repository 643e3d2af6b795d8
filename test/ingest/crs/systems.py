"""Writes the systems of PROJ's database whose area meets the United States or a territory, one a line, to stdout.

Run with the GDAL of Debian 12 (3.6.2, PROJ 9.1.1; python3-gdal), and pack what it writes:

    /usr/bin/python3 systems.py > systems.ndjson
    node -e "const{brotliCompressSync:b}=require('zlib'),f=require('fs');f.writeFileSync('systems.ndjson.br',b(f.readFileSync('systems.ndjson')))"
"""
import sqlite3,json,re,struct,math
from osgeo import osr,gdal
gdal.UseExceptions(); osr.UseExceptions()
gdal.SetConfigOption('OSR_USE_NON_DEPRECATED','NO')
gdal.SetConfigOption('CPL_LOG','/dev/null')
c=sqlite3.connect('/usr/share/proj/proj.db')
q="""select distinct v.auth_name,v.code,v.name,v.type,v.deprecated,e.west_lon,e.south_lat,e.east_lon,e.north_lat,e.description
from crs_view v join usage u on u.object_table_name=v.table_name and u.object_auth_name=v.auth_name and u.object_code=v.code
join extent e on e.auth_name=u.extent_auth_name and e.code=u.extent_code where v.auth_name=? and v.type in ('projected','geographic 2D')"""
boxes=[(-125,24,-66,50),(-180,51,-129,72),(172,51,180,54),(-161,18,-154,23),(-68,17,-64,19),(144,13,147,21),(-171.5,-15,-168,-10)]
def cut(w,s,e,n):
    parts=[(w,e)] if w<=e else [(w,180),(-180,e)]
    out=[]
    for a2,y,b2,y2 in boxes:
        for a,b in parts:
            W,S,E,N=max(a,a2),max(s,y),min(b,b2),min(n,y2)
            if W<E and S<N: out.append((W,S,E,N))
    return max(out,key=lambda b:(b[2]-b[0])*(b[3]-b[1])) if out else None
ll=osr.SpatialReference(); ll.ImportFromEPSG(4326); ll.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
def tags(b):
    e='<' if b[:2]==b'II' else '>'
    off=struct.unpack(e+'I',b[4:8])[0]; n=struct.unpack(e+'H',b[off:off+2])[0]; out={}
    for i in range(n):
        t,ty,cnt,v=struct.unpack(e+'HHII',b[off+2+12*i:off+14+12*i])
        if t in (34735,34736,34737):
            size={3:2,12:8,2:1}[ty]*cnt
            p=off+2+12*i+8 if size<=4 else v
            raw=b[p:p+size]
            out[t]=list(struct.unpack(e+{3:'H',12:'d'}[ty]*cnt,raw)) if ty!=2 else raw.decode('latin1')
    return [out.get(34735),out.get(34736),out.get(34737)]
drv=gdal.GetDriverByName('GTiff')
def keys(srs):
    try:
        ds=drv.Create('/vsimem/a.tif',1,1); ds.SetGeoTransform([0,1,0,0,0,-1]); ds.SetProjection(srs.ExportToWkt()); ds=None
        f=gdal.VSIFOpenL('/vsimem/a.tif','rb'); b=gdal.VSIFReadL(1,4096,f); gdal.VSIFCloseL(f)
        gdal.Unlink('/vsimem/a.tif')
        # what GDAL itself makes of them
        return tags(bytes(b))
    except Exception as ex:
        return None
def strip(w): return re.sub(r',AUTHORITY\["[^"]*","[^"]*"\]','',w)

spellings = (('gdal', None), ('esri', ['FORMAT=WKT1_ESRI']), ('wkt2', ['FORMAT=WKT2_2019']))
for a in ('EPSG', 'ESRI'):
    areas = {}
    for x in c.execute(q, (a,)):
        if x[5] is not None and (b := cut(*x[5:9])):
            areas.setdefault(x[1], (x, b))
    for code, (x, (W, S, E, N)) in sorted(areas.items(), key=lambda k: int(k[0])):
        s = osr.SpatialReference()
        s.SetFromUserInput(f'{a}:{code}')
        s.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        points = []
        try:
            f, g = osr.CoordinateTransformation(ll, s), osr.CoordinateTransformation(s, ll)
        except Exception:
            continue
        for fx, fy in ((.5, .5), (.2, .25), (.8, .7), (.25, .8), (.75, .2)):
            try:
                d = 9 if s.IsGeographic() else 4
                X, Y = (round(v, d) for v in f.TransformPoint(W + (E - W) * fx, S + (N - S) * fy)[:2])
                lng, lat, _ = g.TransformPoint(X, Y)
                if all(map(math.isfinite, (X, Y, lng, lat))):
                    points.append([X, Y, round(lng, 10), round(lat, 10)])
            except Exception:
                pass
        if not points:
            continue
        texts = {}
        for name, options in spellings:
            try:
                texts[name] = (s.ExportToWkt(options) if options else s.ExportToWkt()) or None
            except Exception:
                texts[name] = None
        try:
            texts['projjson'] = s.ExportToPROJJSON(['MULTILINE=NO'])
        except Exception:
            texts['projjson'] = None
        both = []
        for of in (lambda: s, lambda: osr.SpatialReference(strip(texts['gdal']))):
            try:
                found = keys(of())
                both.append(found if found and found[0] else None)
            except Exception:
                both.append(None)
        row = {'code': f'{a}:{code}', 'name': x[2], 'points': points, 'texts': texts, 'keys': both[0], 'spelled': both[1]}
        print(json.dumps(row))
