import zlib from 'node:zlib';
import { addDecoder, BaseDecoder } from 'geotiff';
import { decodeLzw } from './lzw.ts';

const LZW = 5;
const ZSTD = 50_000;

/** A decoder that knows how many bytes a block can have. */
abstract class BoundedDecoder extends BaseDecoder {
  get limit(): number {
    const { tileWidth, tileHeight, bitsPerSample } = this.parameters;
    const samples = typeof bitsPerSample === 'number' ? [bitsPerSample] : Array.from(bitsPerSample);
    return Math.ceil((tileWidth * samples.reduce((sum, b) => sum + b, 0)) / 8) * tileHeight;
  }
}

class LzwDecoder extends BoundedDecoder {
  override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
    return decodeLzw(new Uint8Array(buffer), this.limit).buffer;
  }
}

class ZstdDecoder extends BoundedDecoder {
  override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
    const bytes = zlib.zstdDecompressSync(new Uint8Array(buffer), { maxOutputLength: Math.max(1, this.limit) });
    return Uint8Array.from(bytes).buffer;
  }
}

/**
 * Replaces geotiff's decoders of LZW and Zstandard, which a few wrong bits can send into loops that take all memory.
 * Node before 22.15 has no Zstandard and keeps geotiff's.
 */
export function useBoundedDecoders(): void {
  addDecoder(LZW, async () => LzwDecoder);
  if ('zstdDecompressSync' in zlib) addDecoder(ZSTD, async () => ZstdDecoder);
}
