import { confidenceOf } from '../confidence.ts';
import { definitionOf, layerAt, nameOf, type Operator } from '../context.ts';
import { Fault } from '../fault.ts';
import { absent, found } from '../finding.ts';
import { mayHold } from '../layer.ts';
import { published } from '../published.ts';
import { sample } from '../raster.ts';

/** What no data means where the publisher says it. */
const NO_DATA: Readonly<Record<string, string>> = {
  'bts_ntad:noise': 'no data: noise under 45 dBA is not mapped',
};

/** The cell that contains the point; bilinear between cell centres for the layers the catalog marks so (the DEM). */
export const operator: Operator = {
  name: 'raster_sample',
  async point(ctx, call, { rule, type }) {
    const source = call.sources[0]!;
    const layer = definitionOf(ctx, source);
    if (layer.kind !== 'raster') throw new Fault(`${nameOf(source)} is no raster`);
    const band = Number(call.argument);
    const { covering, searched } = await layerAt(ctx, source);
    const confidence = confidenceOf(rule);
    const { lng, lat } = ctx.point;
    const outside = () => absent(`outside the coverage of ${nameOf(source)}`, confidence, covering);
    if (!covering.length) return outside();
    const rasters = await Promise.all(
      searched
        .filter(partition => mayHold(partition, lng, lat))
        .map(async partition => ({ partition, raster: await ctx.layers.raster(partition) })),
    );
    // Tiles of one product may overlap: the finest grid answers, and one without data leaves it to the next.
    const here = rasters
      .filter(({ raster }) => raster.locate(lng, lat))
      .sort((a, b) => a.raster.cellArea - b.raster.cellArea || (a.partition.key < b.partition.key ? -1 : 1));
    if (!here.length) return outside();
    for (const { partition, raster } of here) {
      const key = `cell ${source.dataset}:${source.layer} ${band} ${partition.key} ${partition.place}`;
      const raw = await ctx.memo(key, () => sample(raster, band, lng, lat, layer.sampling, layer.nodata));
      if (raw === null || raw === undefined) continue;
      const result = published(raw, call, type, `band ${band}`);
      return 'reason' in result
        ? absent(result.reason, confidence, [partition])
        : found(result.value, confidence, [partition]);
    }
    const reason = NO_DATA[nameOf(source)] ?? `no data in the cell of ${nameOf(source)}`;
    return absent(reason, confidence, [here[0]!.partition]);
  },
};
